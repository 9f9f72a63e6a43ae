// The headers of answers, in the description: what names a request, and what is left of its caller's credits (developer-api.md 1.6), which
// every answer tells once it is known who asks.
type Json = Record<string, any>

const text = { type: "string" }
const integerSchema = { type: "integer" }

/** Rate limit headers by name. */
export const rateHeaders: Json = {
  "X-RateLimit-Limit": { description: "Credits per window", schema: integerSchema },
  "X-Retry-Remaining": { description: "Credits left in this window", schema: integerSchema },
  "X-Retry-Cost": { description: "Credits this request cost", schema: integerSchema },
  "X-Retry-Reset": { description: "When the budget refills, UTC", schema: text },
  "Retry-After": {
    description: "Seconds until then; of a 503, seconds after which to try again",
    schema: integerSchema
  }
}

const named = (name: string) => name.replaceAll("-", "")

/** Components that answers refer to. */
export const sharedHeaders: Json = {
  XRequestId: { description: "Names the request: by it the operator finds it in the logs", schema: text },
  ...Object.fromEntries(Object.entries(rateHeaders).map(([name, header]) => [named(name), header])),
  IdempotencyReplayed: {
    description: "`true` where the answer is the stored one of an earlier call with this `Idempotency-Key`",
    schema: { ...text, enum: ["true"] }
  },
  ETag: { description: "Changes with the answer; of what has a version, what `If-Match` takes", schema: text },
  Location: { description: "Where what was asked for is found", schema: text },
  PreferenceApplied: { description: "The preference that was followed: `return=minimal`", schema: text },
  CacheControl: { description: "For how long it may be kept", schema: text }
}

/** The components, by the names of their headers. */
export const headersOf = (...names: ReadonlyArray<string>): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${named(name)}` }]))

/** Headers of answers to an authenticated caller; other answers tell nothing of credits. */
export const callerHeaders: Json = headersOf("X-Request-Id", ...Object.keys(rateHeaders))
