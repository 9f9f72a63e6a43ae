// How long the event loop is held, measured by the thread's own CPU time: a machine that is busy with something else delays timers
// too, and says nothing about us (decisions P8).
import { Effect } from "effect"
import { looks } from "./stuck/settings.ts"

export interface Turns {
  /** Milliseconds of CPU in the longest turn of the loop so far, and in all of them. */
  readonly longest: number
  readonly total: number
  /** Mean milliseconds of CPU of the turns that took at least half of `millis`: a collection of garbage hardly moves it. */
  readonly meanOver: (millis: number) => number
}

const cpu = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1_000
}

/** Milliseconds of CPU that the work takes: the less of two times, since the first may be compiled on the way. */
export const cpuMillis = (work: () => unknown): number => {
  const measureOnce = () => {
    const startCpu = cpu()
    work()
    return cpu() - startCpu
  }
  return Math.min(measureOnce(), measureOnce())
}

/** Works for so many milliseconds of CPU. */
export const busyFor = (millis: number) => {
  const until = cpu() + millis
  while (cpu() < until);
}

/** What turns of the loop take while an effect runs in this thread. */
export const duringTurns = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, Turns], E, R> =>
  Effect.suspend(() => {
    const startCpu = cpu()
    let previousCpu = startCpu
    const turnMillis: Array<number> = []
    let lookCount = looks.count
    let watching = true
    const tick = () => {
      const currentCpu = cpu()
      const millis = currentCpu - previousCpu
      if (lookCount === looks.count && lookCount % 2 === 0 && millis > 1) turnMillis.push(millis)
      lookCount = looks.count
      previousCpu = currentCpu
      if (watching) setImmediate(tick)
    }
    setImmediate(tick)
    return effect.pipe(
      Effect.map((result) => {
        tick()
        const meanOver = (millis: number) => {
          const long = turnMillis.filter((turn) => turn >= millis / 2)
          return long.reduce((sum, turn) => sum + turn, 0) / long.length
        }
        return [result, { longest: Math.max(0, ...turnMillis), total: previousCpu - startCpu, meanOver }] as const
      }),
      Effect.ensuring(
        Effect.sync(() => {
          watching = false
        })
      )
    )
  })

/** The shortest of the longest turns of three tries: what an effect does itself it does each time, a collection of garbage falls into some. */
export const leastTurnOf = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, number], E, R> =>
  Effect.map(
    Effect.forEach([1, 2, 3], () => duringTurns(effect)),
    (tries) => [tries[0]![0], Math.min(...tries.map(([, { longest }]) => longest))] as const
  )
