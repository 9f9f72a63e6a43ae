// Challenges that senders send to an address before they use it (developer-api.md 7.9): Slack wants its text back, Zoom its text signed,
// Meta its text if the token is right. None of them starts a run. Pure.
import { createHmac } from "node:crypto"
import { sameSecret } from "../../../platform/sealing/Secrets.ts"
import type { SenderProof } from "../schema/SenderProof.ts"
import { isPlainObject } from "../schema/walk.ts"

/** Returns the answer to a challenge in a body that the sender has signed. */
export const challengeIn = ({ type }: SenderProof, secret: string, payload: unknown): object | undefined => {
  if (!isPlainObject(payload)) return undefined
  if (type === "slack" && payload["type"] === "url_verification" && typeof payload["challenge"] === "string")
    return { challenge: payload["challenge"] }
  if (type !== "zoom" || payload["event"] !== "endpoint.url_validation" || !isPlainObject(payload["payload"]))
    return undefined
  const plainToken = payload["payload"]["plainToken"]
  if (typeof plainToken !== "string") return undefined
  return { plainToken, encryptedToken: createHmac("sha256", secret).update(plainToken).digest("hex") }
}

/** Handles Meta's challenge in a query: the text to answer, or null for a wrong token; undefined: no challenge. */
export const challengeOfQuery = (query: URLSearchParams, token: string): string | null | undefined => {
  if (query.get("hub.mode") !== "subscribe") return undefined
  const [given, challenge] = [query.get("hub.verify_token"), query.get("hub.challenge")]
  return given !== null && challenge !== null && sameSecret(given, token) ? challenge : null
}
