// The keys that a hook signs with, opened once and kept: unsealing a secret costs as much as half a delivery (decisions W7, O9).
import type { KeyObject } from "node:crypto"
import { Cache, Duration, Effect, Exit } from "effect"
import { Secrets, type SecretUnreadable } from "../../ground/sealing/Secrets.ts"
import { type FormerSecret, sealContext } from "./mailboxRows.ts"
import { signingKey } from "./signature.ts"

export interface SealedSecrets {
  readonly hook_id: number
  readonly secret: Uint8Array
  readonly former_secrets: ReadonlyArray<FormerSecret>
}

const KEPT_MOST = 5_000

/** The keys in force at `now`, the newest first. */
export type KeysOf = (sealed: SealedSecrets, now: number) => Effect.Effect<ReadonlyArray<KeyObject>, SecretUnreadable>

export const makeKeyring = Effect.gen(function* () {
  const secrets = yield* Secrets
  const opened = (name: string) => {
    const [hookId, sealed] = name.split(" ") as [string, string]
    const context = sealContext(Number(hookId), "secret")
    return Effect.map(secrets.decrypt(Buffer.from(sealed, "base64"), context), signingKey)
  }
  const kept = yield* Cache.makeWith(opened, {
    capacity: KEPT_MOST,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)
  })

  const keysOf: KeysOf = ({ former_secrets, hook_id, secret }, now) => {
    const overlapping = former_secrets.filter(({ until }) => Date.parse(until) > now)
    const sealed = [Buffer.from(secret).toString("base64"), ...overlapping.map((former) => former.secret)]
    return Effect.forEach(sealed, (one) => Cache.get(kept, `${hook_id} ${one}`))
  }
  return keysOf
})
