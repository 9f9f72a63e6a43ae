// The keys that a hook signs with (decisions W7, O9).
import type { KeyObject } from "node:crypto"
import { Effect } from "effect"
import type { SecretUnreadable } from "../../ground/sealing/Secrets.ts"
import { type FormerSecret, sealContext } from "./mailboxRows.ts"
import { makeOpenedOnce } from "./openedOnce.ts"
import { signingKey } from "./signature.ts"

export interface SealedSecrets {
  readonly hook_id: number
  readonly secret: Uint8Array
  readonly former_secrets: ReadonlyArray<FormerSecret>
}

/** The keys in force at `now`, the newest first. */
export type KeysOf = (sealed: SealedSecrets, now: number) => Effect.Effect<ReadonlyArray<KeyObject>, SecretUnreadable>

export const makeKeyring = Effect.gen(function* () {
  const open = yield* makeOpenedOnce((hookId) => sealContext(hookId, "secret"), signingKey)

  const keysOf: KeysOf = ({ former_secrets, hook_id, secret }, now) => {
    const overlapping = former_secrets.filter(({ until }) => Date.parse(until) > now)
    const sealed = [Buffer.from(secret).toString("base64"), ...overlapping.map((former) => former.secret)]
    return Effect.forEach(sealed, (one) => open(hook_id, one))
  }
  return keysOf
})
