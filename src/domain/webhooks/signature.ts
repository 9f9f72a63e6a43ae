// Standard Webhooks signatures (decisions W7): HMAC-SHA-256 over `id.timestamp.body`, one per secret in force. Pure, but for new secrets.
import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto"
import { sameSecret } from "../../platform/sealing/Secrets.ts"

const PREFIX = "whsec_"
/** Seconds that a former secret also signs after its rotation. */
export const ROTATION_OVERLAP_SECONDS = 86_400
/** Former secrets that sign side by side; with more rotations than these in a day the oldest ends early. */
export const FORMER_SECRETS_MOST = 10

export const newSecret = (): string => PREFIX + randomBytes(32).toString("base64")

/** Key of a secret in the form that its owner sees. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(PREFIX.length), "base64"))

/** Most seconds between the timestamp of a request and its arrival, either way. */
const TOLERANCE_SECONDS = 300

/** Signatures of a request, one per key. */
const signatures = (keys: ReadonlyArray<KeyObject>, id: string, timestamp: string, body: string) =>
  keys.map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`)

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
    "webhook-signature": signatures(keys, id, timestamp, body).join(" ")
  }
}

/** Reason that a request is not ours, or null: for a receiver during development. @param keys in force */
export const signatureProblem = (
  { body, id, signature, timestamp }: Record<"id" | "timestamp" | "signature", string | undefined> & { body: string },
  keys: ReadonlyArray<KeyObject>,
  now: number
): string | null => {
  if (id === undefined || timestamp === undefined || signature === undefined)
    return "a header of the signature is missing"
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return "the timestamp is too old or too new"
  const candidates = signature.split(" ")
  const isOurs = signatures(keys, id, timestamp, body).some((ownSignature) =>
    candidates.some((candidate) => sameSecret(candidate, ownSignature))
  )
  return isOurs ? null : "no signature matches a secret of the hook"
}
