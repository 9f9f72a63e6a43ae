// Verifies that a delivery came from the service (decisions W7): Standard Webhooks, HMAC-SHA-256 over `id.timestamp.body`. For receivers.
import type { Api } from "./generated/types.ts"

type Events = Api["events"]
/** Body that a hook receives, discriminated by `type`. */
export type WebhookEvent = Events[keyof Events]

export interface Delivery {
  /** Headers as they arrived; case does not matter. */
  readonly headers: Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The bytes or the text of the body, untouched: another spelling of the same JSON has another signature. */
  readonly body: string | Uint8Array
}

export interface VerifyOptions {
  /** The hook's `whsec_…`; while it is rotated both are signed with, so that one is enough. */
  readonly secret: string
  /** Allowed difference of the clocks, in seconds. Default 300. */
  readonly toleranceSeconds?: number
  /** Default now. */
  readonly at?: Date
}

/** A delivery that is not the service's, was changed, or is too old. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused"
}

export interface VerifiedDelivery {
  /** Id of the event for this hook, the same for retries and replays: skip a delivery whose id you have already handled. */
  readonly id: string
  readonly sentAt: Date
  readonly event: WebhookEvent
}

const headerOf = (headers: Delivery["headers"], name: string): string => {
  const headerValue =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const value =
    typeof headerValue === "string" || headerValue === null || headerValue === undefined ? headerValue : headerValue[0]
  if (!value) throw new WebhookRefused(`The header ${name} is missing`)
  return value
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** @throws WebhookRefused */
export const verifyWebhook = async ({ body, headers }: Delivery, options: VerifyOptions): Promise<VerifiedDelivery> => {
  const { at = new Date(), secret, toleranceSeconds = 300 } = options
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    headerOf(headers, name)
  ) as [string, string, string]
  const seconds = Number(timestamp)
  if (!Number.isInteger(seconds)) throw new WebhookRefused("The time of the delivery is no number of seconds")
  if (Math.abs(at.getTime() / 1000 - seconds) > toleranceSeconds)
    throw new WebhookRefused(`The delivery was sent at ${new Date(seconds * 1000).toISOString()}, too far from now`)
  const secretBytes = bytesOf(secret.replace(/^whsec_/, ""))
  if (secretBytes === undefined) throw new TypeError("The secret is no whsec_ secret")
  const key = await crypto.subtle.importKey("raw", secretBytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"])
  const text = typeof body === "string" ? body : new TextDecoder().decode(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const signaturePart of signatures.split(" ")) {
    const [version, given = ""] = signaturePart.split(",")
    const signature = version === "v1" ? bytesOf(given) : undefined
    if (signature !== undefined && (await crypto.subtle.verify("HMAC", key, signature, signed)))
      return { id, sentAt: new Date(seconds * 1000), event: JSON.parse(text) as WebhookEvent }
  }
  throw new WebhookRefused("No signature of the delivery fits the secret")
}
