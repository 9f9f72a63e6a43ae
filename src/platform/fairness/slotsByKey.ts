// Limits what one user or one address may have open at once in a process.
import { Effect, type Scope } from "effect"

/** @param most slots of each key */
export const makeSlotsByKey = (most: number) => {
  const takenSlots = new Map<number, number>()
  const release = (key: number) => {
    const remaining = (takenSlots.get(key) ?? 1) - 1
    if (remaining === 0) takenSlots.delete(key)
    else takenSlots.set(key, remaining)
  }
  /** Takes a slot until the scope ends; false if there is none. */
  return (key: number): Effect.Effect<boolean, never, Scope.Scope> =>
    Effect.suspend(() => {
      const takenCount = takenSlots.get(key) ?? 0
      if (takenCount >= most) return Effect.succeed(false)
      takenSlots.set(key, takenCount + 1)
      return Effect.as(
        Effect.addFinalizer(() => Effect.sync(() => release(key))),
        true
      )
    })
}
