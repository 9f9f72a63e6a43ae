// Random credentials, their hashes, encryption at rest and signatures, all under one key (decisions O9, P4).
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { AppConfig } from "./Config.ts"

/** The stored value was not made with this key, or was changed. */
export class SecretUnreadable extends Schema.TaggedError<SecretUnreadable>()("SecretUnreadable", {}) {}

/** `prefix` plus 32 random bytes in base64url: 256 bits, so a plain SHA-256 is a safe fingerprint. */
export const randomToken = (prefix: string): string => prefix + randomBytes(32).toString("base64url")

/** The SHA-256 of a high-entropy credential: what the database holds instead of it. */
export const hashToken = (token: string): Uint8Array => hash("sha256", token, "buffer")

/** Constant-time comparison of two strings of any length. */
export const sameSecret = (a: string, b: string): boolean => timingSafeEqual(hashToken(a), hashToken(b))

const subkey = (key: Uint8Array, purpose: string) => Buffer.from(hkdfSync("sha256", key, "", `millrace/${purpose}`, 32))

export class Secrets extends Context.Service<
  Secrets,
  {
    /** AES-256-GCM; `context` (table and row, say) must be the same when decrypting. */
    readonly encrypt: (plain: string, context: string) => Uint8Array
    readonly decrypt: (sealed: Uint8Array, context: string) => Effect.Effect<string, SecretUnreadable>
    /** base64url HMAC-SHA-256 of `text` under a key of its own for `purpose`. */
    readonly sign: (purpose: string, text: string) => string
    readonly verify: (purpose: string, text: string, signature: string) => boolean
    /** Identifies the key without revealing it; compared with the database at start. */
    readonly fingerprint: string
  }
>()("millrace/Secrets") {
  static readonly layer = Layer.effect(
    Secrets,
    Effect.map(AppConfig, ({ secretKey }) => make(Redacted.value(secretKey)))
  )
}

export const make = (key: Uint8Array): Secrets["Service"] => {
  const sealing = subkey(key, "encrypt")
  const signingKeys = new Map<string, Buffer>()
  const signingKey = (purpose: string) => {
    const known = signingKeys.get(purpose)
    if (known !== undefined) return known
    const made = subkey(key, `sign/${purpose}`)
    signingKeys.set(purpose, made)
    return made
  }
  const sign = (purpose: string, text: string) =>
    createHmac("sha256", signingKey(purpose)).update(text).digest("base64url")
  return Secrets.of({
    encrypt: (plain, context) => {
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", sealing, nonce).setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()])
    },
    decrypt: (sealed, context) =>
      Effect.try({
        try: () => {
          const bytes = Buffer.from(sealed)
          const decipher = createDecipheriv("aes-256-gcm", sealing, bytes.subarray(0, 12))
          decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-16))
          return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString("utf8")
        },
        catch: () => new SecretUnreadable()
      }),
    sign,
    verify: (purpose, text, signature) => sameSecret(sign(purpose, text), signature),
    fingerprint: createHmac("sha256", subkey(key, "fingerprint")).update("millrace").digest("base64url")
  })
}
