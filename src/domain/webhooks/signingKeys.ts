// The keys that a hook signs with (decisions W7, O9).
import type { KeyObject } from "node:crypto"
import { Effect } from "effect"
import type { AddressedHook } from "./mailboxRows.ts"
import { signingKey } from "./signature.ts"
import { makeUnsealedCache } from "./unsealedCache.ts"

type SealedSecrets = Pick<AddressedHook, "hook_id" | "secret" | "former_secrets">

/** Sealed secrets in force, in base64, the newest first. */
const inForce = ({ former_secrets, secret }: SealedSecrets, now: number): ReadonlyArray<string> => {
  const newest = Buffer.from(secret).toString("base64")
  if (former_secrets.length === 0) return [newest]
  const overlapping = former_secrets.filter(({ until }) => Date.parse(until) > now)
  return [newest, ...overlapping.map((former) => former.secret)]
}

export const makeKeyring = Effect.gen(function* () {
  const { open, opened } = yield* makeUnsealedCache("secret", signingKey)

  /** The keys in force at `now`, the newest first. */
  const keysOf = (sealed: SealedSecrets, now: number) =>
    Effect.forEach(inForce(sealed, now), (one) => open(sealed.hook_id, one))

  /** Keys of hooks without former secrets, by the row that was read. */
  const keysBySecrets = new WeakMap<SealedSecrets, ReadonlyArray<KeyObject>>()

  /** Keys in force if all of them have been opened before; undefined otherwise. */
  const knownKeysOf = (sealed: SealedSecrets, now: number): ReadonlyArray<KeyObject> | undefined => {
    const cachedKeys = keysBySecrets.get(sealed)
    if (cachedKeys !== undefined) return cachedKeys
    const keys = inForce(sealed, now).map((one) => opened(sealed.hook_id, one))
    if (!keys.every((key) => key !== undefined)) return undefined
    if (sealed.former_secrets.length === 0) keysBySecrets.set(sealed, keys)
    return keys
  }
  return { keysOf, knownKeysOf }
})
