// Delays expensive work while the event loop lags (decisions P8): a piece begins after a short turn of the loop, so that a burst of such
// work leaves turns to requests. While the loop is on time, nothing waits.
import { Effect } from "effect"

/** Longest turn of the loop that counts as short. */
const SHORT_MILLIS = 8
/** Longest wait: after it one more piece begins, however much the loop lags. */
const PATIENCE_MILLIS = 50

/** Queue in order of arrival; the event loop is the process's, so there is one. */
const line: Array<() => void> = []
let looking = false

const look = (since: number): void => {
  const from = performance.now()
  setImmediate(() => {
    const now = performance.now()
    if (now - from > SHORT_MILLIS && now - since < PATIENCE_MILLIS) return look(since)
    line.shift()?.()
    if (line.length > 0) return look(now)
    looking = false
  })
}

/** Completes when the caller may begin. */
export const whenOnTime: Effect.Effect<void> = Effect.callback((resume) => {
  const begin = () => resume(Effect.void)
  line.push(begin)
  if (!looking) {
    looking = true
    look(performance.now())
  }
  return Effect.sync(() => {
    const at = line.indexOf(begin)
    if (at >= 0) line.splice(at, 1)
  })
})
