// Delays expensive work while the event loop lags (decisions P8): a piece begins after a short turn of the loop, so that a burst of such
// work leaves turns to requests. While the loop is on time, nothing waits.
import { Effect } from "effect"

/** Longest turn of the loop that counts as short. */
const SHORT_MILLIS = 8
/** Longest wait: after it one more piece begins, however much the loop lags. */
const PATIENCE_MILLIS = 50

/** Queue in order of arrival; the event loop is the process's, so there is one. */
const waiters: Array<() => void> = []
let looking = false

const checkLoop = (since: number): void => {
  const from = performance.now()
  setImmediate(() => {
    const nowMillis = performance.now()
    if (nowMillis - from > SHORT_MILLIS && nowMillis - since < PATIENCE_MILLIS) return checkLoop(since)
    waiters.shift()?.()
    if (waiters.length > 0) return checkLoop(nowMillis)
    looking = false
  })
}

/** Completes when the caller may begin. */
export const loopLagDelay: Effect.Effect<void> = Effect.callback((resume) => {
  const begin = () => resume(Effect.void)
  waiters.push(begin)
  if (!looking) {
    looking = true
    checkLoop(performance.now())
  }
  return Effect.sync(() => {
    const queueIndex = waiters.indexOf(begin)
    if (queueIndex >= 0) waiters.splice(queueIndex, 1)
  })
})
