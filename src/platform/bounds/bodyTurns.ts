// Processes large bodies one after another, each in its own turn of the event loop. The loop is free for other work for as long as the last
// body took, before the next one begins (decisions P8). A small request, which needs several turns, waits for one of them, not for all.
import { Effect } from "effect"

/** Least size of a large body; smaller ones take no noticeable time. */
const LARGE = 32 * 1024
/** Longest pause in milliseconds, however long the loop was blocked. */
const PAUSE_AT_MOST = 100

let lastTurn: Promise<void> = Promise.resolve()

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))
const paused = (millis: number) => new Promise<void>((resolve) => void setTimeout(resolve, millis))

/** Waits for a turn that no other large body has. Synchronous work that follows runs in it. */
const takeTurn = Effect.promise(() => {
  const ownTurn = lastTurn.then(nextTurn)
  lastTurn = ownTurn.then(async () => {
    const startedAt = performance.now()
    await nextTurn()
    await paused(Math.min(PAUSE_AT_MOST, performance.now() - startedAt))
  })
  return ownTurn
})

/** Waits if the body is large. @param size bytes of the body that is about to be processed */
export const turnFor = (size: number): Effect.Effect<void> => (size > LARGE ? takeTurn : Effect.void)
