// Verifies signatures on the receiver's side, for listening during development (decisions W7). Pure.
import { createHmac, type KeyObject } from "node:crypto"
import { sameBytes } from "../../platform/sealing/Secrets.ts"

/** Maximum distance of the timestamp from now, either way. */
const TOLERANCE_SECONDS = 300

export interface SignedRequest {
  readonly id: string | undefined
  readonly timestamp: string | undefined
  readonly signature: string | undefined
  readonly body: string
}

/** Reason that a request is not ours, or null. @param keys in force */
export const signatureProblem = (
  { body, id, signature, timestamp }: SignedRequest,
  keys: ReadonlyArray<KeyObject>,
  now: number
): string | null => {
  if (id === undefined || timestamp === undefined || signature === undefined)
    return "a header of the signature is missing"
  if (!(Math.abs(now / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) return "the timestamp is too old or too new"
  const signatures = signature.split(" ").map((one) => Buffer.from(one.replace(/^v1,/, ""), "base64"))
  const right = keys.some((key) => {
    const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest()
    return signatures.some((one) => sameBytes(one, expected))
  })
  return right ? null : "no signature matches a secret of the hook"
}
