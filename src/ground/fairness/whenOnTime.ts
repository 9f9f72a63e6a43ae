// Work that takes the event loop for long begins piece by piece (decisions P8): the next one after a turn of the loop that was short,
// so that a burst of such work leaves turns to those who ask. Where the loop is on time, nobody waits.
import { Effect } from "effect"

/** A turn of the loop that holds nobody up. */
const SHORT_MILLIS = 8
/** However late the loop is, one more begins after this. */
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

/** Ends when the caller may begin. */
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
