// The beat of the process's event loop (decisions P8, W1, W3): how late its timers are and what its thread has worked meanwhile, told to who listens.
// One beat for all of them, and none while nobody listens.

export const BEAT_MILLIS = 50
/** A beat that is later than this was held up; what is less is the ordinary turn of a busy loop. */
const HELD_MILLIS = 100

/** Milliseconds since the one before it: what it came late, and what the thread had of a processor. */
export interface Beat {
  readonly late: number
  readonly worked: number
}

const listeners = new Set<(beat: Beat) => void>()
let timer: NodeJS.Timeout | undefined
let held = 0

const begin = (): void => {
  let [last, cpu] = [performance.now(), process.threadCpuUsage()]
  timer = setInterval(() => {
    const now = performance.now()
    const { system, user } = process.threadCpuUsage(cpu)
    cpu = process.threadCpuUsage()
    const late = now - last - BEAT_MILLIS
    last = now
    if (late > HELD_MILLIS) held += late
    for (const listener of listeners) listener({ late, worked: (user + system) / 1000 })
  }, BEAT_MILLIS).unref()
}

/** @returns stops it: the listener is told of no further beat */
export const onBeat = (listener: (beat: Beat) => void): (() => void) => {
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
export const heldMillis = (): number => held
