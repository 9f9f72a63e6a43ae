// The secret values of a hook's settings (decisions W11, O9): sealed when they are written, opened once and kept where they are sent.
import { Cache, Duration, Effect, Exit } from "effect"
import { Secrets } from "../../ground/sealing/Secrets.ts"
import { hookSealed } from "./mailboxRows.ts"

/** By names: `password`, `token`, `key`, `header x-api-key`; in base64. */
export type SealedValues = Readonly<Record<string, string>>

export const headerSecret = (name: string) => `header ${name.toLowerCase()}`

const KEPT_MOST = 5_000

export const makeSealValue = Effect.map(
  Secrets,
  (secrets) => (hookId: number, value: string) =>
    Buffer.from(secrets.encrypt(value, hookSealed.contextOf({ hook_id: hookId }))).toString("base64")
)

export const makeOpenValue = Effect.gen(function* () {
  const secrets = yield* Secrets
  const opened = (name: string) => {
    const [hookId, sealed] = name.split(" ") as [string, string]
    return secrets.decrypt(Buffer.from(sealed, "base64"), hookSealed.contextOf({ hook_id: Number(hookId) }))
  }
  const kept = yield* Cache.makeWith(opened, {
    capacity: KEPT_MOST,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
  })
  return (hookId: number, sealed: SealedValues | null, name: string) => Cache.get(kept, `${hookId} ${sealed?.[name]}`)
})
