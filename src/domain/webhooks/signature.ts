// Standard Webhooks signatures (decisions W7): HMAC-SHA-256 over `id.timestamp.body`, one per secret in force.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto"

const PREFIX = "whsec_"
/** Seconds that a former secret also signs after its rotation. */
export const ROTATION_OVERLAP_SECONDS = 86_400
/** Former secrets that sign side by side; with more rotations than these in a day the oldest ends early. */
export const FORMER_SECRETS_MOST = 10

export const newSecret = (): string => PREFIX + randomBytes(32).toString("base64")

/** Key of a secret in the form that its owner sees. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(PREFIX.length), "base64"))

const sign = (key: KeyObject, text: string) => `v1,${createHmac("sha256", key).update(text).digest("base64")}`

/** The headers of every POST to a hook. `keys`: the one in force first, then the former ones that overlap. */
export const signedHeaders = (
  id: string,
  at: Date,
  body: string,
  keys: ReadonlyArray<KeyObject>
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  return {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": keys.map((key) => sign(key, `${id}.${timestamp}.${body}`)).join(" ")
  }
}
