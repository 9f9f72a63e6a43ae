// Sealed values of hooks as they are needed, opened once and kept: unsealing one costs as much as half a delivery (decisions O9).
import { Effect } from "effect"
import { BoundedMap } from "../../platform/primitives/BoundedMap.ts"
import { Secrets } from "../../platform/sealing/Secrets.ts"
import { sealContext } from "./mailboxRows.ts"

const KEPT_MOST = 5_000

/**
 * Values that could not be opened are tried again.
 * @param use converts the opened value to the form that is cached
 */
export const makeUnsealedCache = <A>(column: "secret" | "sealed", use: (value: string) => A) =>
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const kept = new BoundedMap<string, A>(KEPT_MOST)
    const nameOf = (hookId: number, sealed: string) => `${hookId} ${sealed}`
    return {
      /** Opens a value of a hook, in base64. */
      open: (hookId: number, sealed: string) =>
        Effect.suspend(() => {
          const name = nameOf(hookId, sealed)
          const cachedValue = kept.get(name)
          if (cachedValue !== undefined) return Effect.succeed(cachedValue)
          return Effect.map(secrets.decrypt(Buffer.from(sealed, "base64"), sealContext(hookId, column)), (value) => {
            const openedValue = use(value)
            kept.set(name, openedValue)
            return openedValue
          })
        }),
      /** Returns a value that has been opened already, or undefined. */
      opened: (hookId: number, sealed: string) => kept.get(nameOf(hookId, sealed))
    }
  })
