// The keys that a hook signs with, opened once and kept: unsealing a secret costs as much as half a delivery (decisions W7, O9).
import type { KeyObject } from "node:crypto"
import { Effect } from "effect"
import type { Secrets, SecretUnreadable } from "../../ground/sealing/Secrets.ts"
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

export const makeKeyring = (secrets: Secrets["Service"]): KeysOf => {
  const kept = new Map<string, KeyObject>()

  const keyOf = (hookId: number, sealed: string) =>
    Effect.suspend(() => {
      const name = `${hookId} ${sealed}`
      const known = kept.get(name)
      if (known !== undefined) return Effect.succeed(known)
      return Effect.map(secrets.decrypt(Buffer.from(sealed, "base64"), sealContext(hookId, "secret")), (secret) => {
        const key = signingKey(secret)
        for (const oldest of kept.keys()) {
          if (kept.size < KEPT_MOST) break
          kept.delete(oldest)
        }
        kept.set(name, key)
        return key
      })
    })

  return ({ former_secrets, hook_id, secret }, now) => {
    const overlapping = former_secrets.filter(({ until }) => Date.parse(until) > now)
    const sealed = [Buffer.from(secret).toString("base64"), ...overlapping.map((former) => former.secret)]
    return Effect.forEach(sealed, (one) => keyOf(hook_id, one))
  }
}
