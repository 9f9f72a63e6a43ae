// Limits the streams that a user may have open in a process.
import { Effect, type Scope } from "effect"

export const STREAMS_OF_USER = 10

export const makeStreamPlaces = () => {
  const open = new Map<number, number>()
  const release = (userId: number) => {
    const left = (open.get(userId) ?? 1) - 1
    if (left === 0) open.delete(userId)
    else open.set(userId, left)
  }
  /** A place until the scope ends; false where there is none. */
  return (userId: number): Effect.Effect<boolean, never, Scope.Scope> =>
    Effect.suspend(() => {
      const taken = open.get(userId) ?? 0
      if (taken >= STREAMS_OF_USER) return Effect.succeed(false)
      open.set(userId, taken + 1)
      return Effect.as(
        Effect.addFinalizer(() => Effect.sync(() => release(userId))),
        true
      )
    })
}
