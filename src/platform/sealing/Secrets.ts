// Makes random credentials, their hashes, encryption at rest and signatures, all under one ring of keys (decisions O9, P4, P11).
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
  timingSafeEqual
} from "node:crypto"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { AppConfig } from "../config/Config.ts"
import { type KeyRing, type RingKey, ringKey, subkey } from "../config/KeyRing.ts"
import { NONCE, TAG, unwrap, wrap } from "./envelope.ts"
import { freshText } from "./freshBytes.ts"
import type { SealContext } from "./SealedColumn.ts"

/** Error of a stored value that no key of the ring has made, or that was changed. */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>()("SecretUnreadable", {}) {}

/** Random credential: `prefix` plus 32 random bytes in base64url: 256 bits, so a plain SHA-256 is a safe fingerprint. */
export const randomToken = (prefix: string): string => prefix + freshText()

/** SHA-256 of a high-entropy credential, stored in the database instead of it. */
export const hashToken = (token: string): Uint8Array => hash("sha256", token, "buffer")

/** Hash as a statement takes it in JSON, for `decode(…, 'hex')`. */
export const hexOfToken = (token: string): string => hash("sha256", token, "hex")

/** Compares two signatures in constant time. */
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)

/** Compares two strings of any length in constant time. */
export const sameSecret = (a: string, b: string): boolean => timingSafeEqual(hashToken(a), hashToken(b))

export class Secrets extends Context.Service<
  Secrets,
  {
    /** Encrypts with AES-256-GCM under the newest key, whose id the value carries; `context` must be the same when decrypting. */
    readonly encrypt: (plain: string, context: SealContext) => Uint8Array
    readonly decrypt: (sealed: Uint8Array, context: SealContext) => Effect.Effect<string, SecretUnreadable>
    /** Signs `text` with HMAC-SHA-256, in base64url, under a key of its own for `purpose`, derived from the newest. */
    readonly sign: (purpose: string, text: string) => string
    /** True if any key of the ring made the signature. */
    readonly verify: (purpose: string, text: string, signature: string) => boolean
    /** Ring without its keys, newest first. */
    readonly ring: readonly [Omit<RingKey, "bytes">, ...ReadonlyArray<Omit<RingKey, "bytes">>]
  }
>()("millrace/Secrets") {
  static readonly layer = Layer.effect(
    Secrets,
    Effect.map(AppConfig, ({ secretKey }) => makeRing(Redacted.value(secretKey)))
  )
}

/** Operations of one key. */
const makeKey = ({ bytes, fingerprint, id }: RingKey) => {
  const sealing = subkey(bytes, "encrypt")
  const signingKeys = new Map<string, KeyObject>()
  const signingKey = (purpose: string) => {
    const existingKey = signingKeys.get(purpose)
    if (existingKey !== undefined) return existingKey
    const derivedKey = createSecretKey(subkey(bytes, `sign/${purpose}`))
    signingKeys.set(purpose, derivedKey)
    return derivedKey
  }
  return {
    id,
    fingerprint,
    sign: (purpose: string, text: string) => createHmac("sha256", signingKey(purpose)).update(text).digest("base64url"),
    seal: (plain: string, context: string) => {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv("aes-256-gcm", sealing, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()])
    },
    /** Decrypts; `undefined` for a value of another key. */
    open: (sealed: Buffer, context: string) => {
      try {
        const decipher = createDecipheriv("aes-256-gcm", sealing, sealed.subarray(0, NONCE))
        decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(-TAG))
        return Buffer.concat([decipher.update(sealed.subarray(NONCE, -TAG)), decipher.final()]).toString("utf8")
      } catch {
        return undefined
      }
    }
  }
}

export const makeRing = (ring: KeyRing): Secrets["Service"] => {
  const keys = ring.map(makeKey) as [ReturnType<typeof makeKey>, ...ReadonlyArray<ReturnType<typeof makeKey>>]
  const [newest] = keys
  const openAny = (value: Uint8Array, context: string): string | undefined => {
    const bytes = Buffer.from(value)
    const marked = unwrap(bytes)
    const named = keys.find(({ id }) => id === marked?.id)
    const plainText = marked === undefined ? undefined : named?.open(marked.sealed, context)
    if (plainText !== undefined) return plainText
    for (const key of keys) {
      const unmarked = key.open(bytes, context)
      if (unmarked !== undefined) return unmarked
    }
    return undefined
  }
  return Secrets.of({
    encrypt: (plain, context) => wrap(newest.id, newest.seal(plain, context)),
    decrypt: (sealed, context) =>
      Effect.suspend(() => {
        const plainText = openAny(sealed, context)
        return plainText === undefined ? Effect.fail(new SecretUnreadable()) : Effect.succeed(plainText)
      }),
    sign: newest.sign,
    verify: (purpose, text, signature) => keys.some((key) => sameSecret(key.sign(purpose, text), signature)),
    ring: keys.map(({ fingerprint, id }) => ({ id, fingerprint })) as unknown as Secrets["Service"]["ring"]
  })
}

/** Makes the service with a ring of one key. */
export const make = (key: Uint8Array): Secrets["Service"] => makeRing([ringKey(key)])
