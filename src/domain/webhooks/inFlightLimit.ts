// Limits the POSTs that a process has in flight, shared by the apps that have any (decisions W1, W3). More POSTs than it can attend to in
// time would count as failures of receivers that did answer. So the limit falls while iterations of the event loop are long; slow receivers
// do not lower it.
import { LAG_INTERVAL_MILLIS, type LagReport, onLagReport } from "../../platform/primitives/eventLoopLag.ts"

interface Bounds {
  readonly long: number
  readonly short: number
}
/**
 * Processor milliseconds per iteration of the event loop. More is too long: a connection and its answer take several iterations of the 5 s
 * that there are (W1), and the process may soon get a tenth of the processor.
 */
const WORK: Bounds = { long: 80, short: 25 }
/**
 * Event loop lag in milliseconds, whoever uses the processor. A process with a capped share of it waits in each iteration, however little
 * it does.
 */
const CLOCK: Bounds = { long: 250, short: 120 }
const FIRST = 1_024
const LEAST = 64
const MOST = 65_536
/** AIMD factors of the limit. The decrease grows with the lag: the next iteration is as long, and nothing is learned before it ends. */
const LESS = 0.7
const LESS_AT_MOST = 0.25
const MORE = 1.1

export interface InFlightLimit {
  readonly begins: (appId: number) => void
  readonly ended: (appId: number) => void
  /** POSTs that an app may add to those in flight, at most `wanted`. */
  readonly room: (appId: number, wanted: number) => number
}

/** Factor for the limit: below 1 after a long iteration of the event loop, above 1 after short ones. */
export const judge = ({ late, worked }: LagReport, clock = CLOCK): number => {
  const busy = Math.min(late, worked - LAG_INTERVAL_MILLIS)
  const overload = Math.max(busy / WORK.long, late / clock.long)
  if (overload > 1) return Math.max(LESS_AT_MOST, LESS / overload)
  return busy < WORK.short && late < clock.short ? MORE : 1
}

export const makeInFlightLimit = (clock = CLOCK): InFlightLimit => {
  const postsByApp = new Map<number, number>()
  let totalPosts = 0
  let limit = FIRST
  let reached = false
  let stop: (() => void) | undefined

  const beat = (of: LagReport): void => {
    const by = judge(of, clock)
    if (by < 1) limit = Math.max(LEAST, Math.min(limit, totalPosts) * by)
    else if (reached) limit = Math.min(MOST, limit * by)
    reached = false
    if (totalPosts > 0) return
    stop?.()
    stop = undefined
  }

  const add = (appId: number, by: 1 | -1) => {
    const appPosts = (postsByApp.get(appId) ?? 0) + by
    if (appPosts > 0) postsByApp.set(appId, appPosts)
    else postsByApp.delete(appId)
    totalPosts += by
  }

  return {
    begins: (appId) => {
      add(appId, 1)
      stop ??= onLagReport(beat)
    },
    ended: (appId) => add(appId, -1),
    room: (appId, wanted) => {
      const has = postsByApp.get(appId)
      const apps = postsByApp.size + (has === undefined ? 1 : 0)
      const freePosts = Math.max(0, Math.max(1, Math.floor(limit / apps)) - (has ?? 0))
      if (freePosts < wanted) reached = true
      return Math.min(freePosts, wanted)
    }
  }
}
