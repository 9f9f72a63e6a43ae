// Heartbeat of the process's event loop (decisions P8, W1, W3): reports to listeners how late its timers are and how much its thread has
// worked meanwhile. All listeners share one timer, which stops without any.

export const LAG_INTERVAL_MILLIS = 50
/** Lateness beyond which the loop counts as blocked; less is the ordinary turn of a busy loop. */
const HELD_MILLIS = 100

/** Milliseconds since the last heartbeat: how late it came, and the thread's CPU time. */
export interface LagReport {
  readonly late: number
  readonly worked: number
}

const listeners = new Set<(beat: LagReport) => void>()
let timer: NodeJS.Timeout | undefined
let lagTotal = 0

const begin = (): void => {
  let [last, cpu] = [performance.now(), process.threadCpuUsage()]
  timer = setInterval(() => {
    const nowMillis = performance.now()
    const { system, user } = process.threadCpuUsage(cpu)
    cpu = process.threadCpuUsage()
    const lagMillis = nowMillis - last - LAG_INTERVAL_MILLIS
    last = nowMillis
    if (lagMillis > HELD_MILLIS) lagTotal += lagMillis
    for (const listener of listeners) listener({ late: lagMillis, worked: (user + system) / 1000 })
  }, LAG_INTERVAL_MILLIS).unref()
}

/** Listens to heartbeats. @returns a function that stops it */
export const onLagReport = (listener: (beat: LagReport) => void): (() => void) => {
  listeners.add(listener)
  if (timer === undefined) begin()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/**
 * Total milliseconds for which the event loop was blocked, by whatever it was, while the heartbeat ran (`LoopWatch.ts` keeps it running in
 * every process of the service).
 */
export const loopLagMillis = (): number => lagTotal
