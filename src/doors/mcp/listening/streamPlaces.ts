// Limits the streams that a user may have open in a process.
import { Effect, type Scope } from "effect"

export const STREAMS_OF_USER = 10

export const makeStreamPlaces = () => {
  const openStreams = new Map<number, number>()
  const release = (userId: number) => {
    const remainingStreams = (openStreams.get(userId) ?? 1) - 1
    if (remainingStreams === 0) openStreams.delete(userId)
    else openStreams.set(userId, remainingStreams)
  }
  /** A place until the scope ends; false where there is none. */
  return (userId: number): Effect.Effect<boolean, never, Scope.Scope> =>
    Effect.suspend(() => {
      const streamCount = openStreams.get(userId) ?? 0
      if (streamCount >= STREAMS_OF_USER) return Effect.succeed(false)
      openStreams.set(userId, streamCount + 1)
      return Effect.as(
        Effect.addFinalizer(() => Effect.sync(() => release(userId))),
        true
      )
    })
}
