// Sealed values of hooks as they are needed, opened once and kept: unsealing one costs as much as half a delivery (decisions O9).
import { Cache, Duration, Effect, Exit } from "effect"
import type { SealContext } from "../../ground/sealing/SealedColumn.ts"
import { Secrets } from "../../ground/sealing/Secrets.ts"

const KEPT_MOST = 5_000

/**
 * What could not be opened is tried again.
 * @param contextOf what the value was sealed for
 * @param use what is made of it and kept
 * @returns opens a value of a hook, in base64
 */
export const makeOpenedOnce = <A>(contextOf: (hookId: number) => SealContext, use: (value: string) => A) =>
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const opened = (name: string) => {
      const [hookId, sealed] = name.split(" ") as [string, string]
      return Effect.map(secrets.decrypt(Buffer.from(sealed, "base64"), contextOf(Number(hookId))), use)
    }
    const kept = yield* Cache.makeWith(opened, {
      capacity: KEPT_MOST,
      timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
    })
    return (hookId: number, sealed: string | undefined) => Cache.get(kept, `${hookId} ${sealed}`)
  })
