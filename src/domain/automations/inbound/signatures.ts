// Verifies signatures of senders over their bodies (developer-api.md 7.9), as each sender documents them: the signed text beside the body,
// the algorithm, and the header. Pure.
import { createHmac } from "node:crypto"
import { sameBytes } from "../../../platform/sealing/Secrets.ts"
import type { ProofType, SenderProof } from "../schema/SenderProof.ts"

export type SignedType = Exclude<ProofType, "basic" | "bearer">
type Headers = Readonly<Record<string, string | undefined>>

export interface SignedBody {
  readonly headers: Headers
  readonly body: Uint8Array
  /** Epoch milliseconds. */
  readonly now: number
}

/** Signature data of a request. */
interface Claim {
  readonly algorithm: string
  /** Candidates, any of which may match: keys are rotated. */
  readonly signatures: ReadonlyArray<Buffer>
  /** Text that is signed before the body. */
  readonly before?: string
  /** Epoch seconds, as written; signed with the body. */
  readonly timestamp?: string
  /** Derives the key from the secret's text, if that is not the key itself. */
  readonly keyOf?: (secret: string) => Buffer
}

const TOLERANCE_SECONDS = 300

const hex = (text: string) => Buffer.from(text, "hex")
const withoutPrefix = (prefix: string, text: string | undefined): string | undefined =>
  text?.startsWith(prefix) === true ? text.slice(prefix.length) : undefined

const hub = (headers: Headers): Claim | undefined => {
  const signature = withoutPrefix("sha256=", headers["x-hub-signature-256"])
  return signature === undefined ? undefined : { algorithm: "sha256", signatures: [hex(signature)] }
}

/** `v0=` over `v0:time:body`. */
const versionZero = (name: string, time: string) => (headers: Headers) => {
  const [signature, timestamp] = [withoutPrefix("v0=", headers[name]), headers[time]]
  if (signature === undefined || timestamp === undefined) return undefined
  return { algorithm: "sha256", signatures: [hex(signature)], before: `v0:${timestamp}:`, timestamp }
}

/** Key of the specification: base64 after `whsec_`. */
const standardKey = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ""), "base64")

const claims: { readonly [T in SignedType]: (headers: Headers, verification: SenderProof) => Claim | undefined } = {
  standard_webhooks: (headers) => {
    const named = (part: string) => headers[`webhook-${part}`] ?? headers[`svix-${part}`]
    const [id, timestamp, signature] = [named("id"), named("timestamp"), named("signature")]
    if (id === undefined || timestamp === undefined || signature === undefined) return undefined
    const signatures = signature.split(" ").flatMap((one) => withoutPrefix("v1,", one) ?? [])
    return {
      ...{ algorithm: "sha256", before: `${id}.${timestamp}.`, timestamp, keyOf: standardKey },
      signatures: signatures.map((one) => Buffer.from(one, "base64"))
    }
  },
  github: hub,
  meta: hub,
  stripe: (headers) => {
    const parts = headers["stripe-signature"]?.split(",") ?? []
    const timestamp = parts.flatMap((part) => withoutPrefix("t=", part.trim()) ?? [])[0]
    const signatures = parts.flatMap((part) => withoutPrefix("v1=", part.trim()) ?? [])
    if (timestamp === undefined) return undefined
    return { algorithm: "sha256", signatures: signatures.map(hex), before: `${timestamp}.`, timestamp }
  },
  shopify: (headers) => {
    const signature = headers["x-shopify-hmac-sha256"]
    return signature === undefined ? undefined : { algorithm: "sha256", signatures: [Buffer.from(signature, "base64")] }
  },
  slack: versionZero("x-slack-signature", "x-slack-request-timestamp"),
  zoom: versionZero("x-zm-signature", "x-zm-request-timestamp"),
  hmac: (headers, { algorithm = "sha256", encoding = "hex", header = "", prefix = "" }) => {
    const signature = withoutPrefix(prefix, headers[header.toLowerCase()])
    return signature === undefined ? undefined : { algorithm, signatures: [Buffer.from(signature, encoding)] }
  }
}

/** Returns the reason why the sender's signature does not cover the body, or null. */
export const unsigned = (
  verification: SenderProof & { readonly type: SignedType },
  secret: string,
  { body, headers, now }: SignedBody
): "missing" | "stale" | "wrong" | null => {
  const claim = claims[verification.type](headers, verification)
  if (claim === undefined) return "missing"
  const { algorithm, before = "", keyOf, signatures, timestamp } = claim
  if (timestamp !== undefined) {
    const secondsApart = Math.abs(now / 1_000 - (/^\d{1,15}$/.test(timestamp) ? Number(timestamp) : Number.NaN))
    if (!(secondsApart <= (verification.tolerance_seconds ?? TOLERANCE_SECONDS))) return "stale"
  }
  const key = keyOf?.(secret) ?? Buffer.from(secret)
  // Anybody can sign with an empty key.
  if (key.length === 0) return "wrong"
  const expected = createHmac(algorithm, key).update(before).update(body).digest()
  return signatures.some((one) => sameBytes(one, expected)) ? null : "wrong"
}
