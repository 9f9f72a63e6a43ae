// Answers are compressed for who asks (RFC 9110 8.4, 12.5.3): JSON, scripts, styles and plain text of some length. Not pages, which hold
// a form's token beside what came with the address (BREACH), not streams of events, and not files, which are given in parts.
import { Effect } from "effect"
import { type HttpBody, HttpPlatform, type HttpServerRequest, HttpServerResponse } from "effect/http"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Coding = HttpPlatform.CompressionAlgorithm

/** Codings in our order of preference, with levels that cost about as much as writing the JSON did: 400 kB in 3 ms. */
const levels = { br: 4, zstd: 3, gzip: 6 } as const satisfies Partial<Record<Coding, number>>
const ours = Object.keys(levels) as ReadonlyArray<keyof typeof levels>

const compressible = /^(?:application\/(?:[\w.-]+\+)?json|text\/(?:css|javascript|plain)|image\/svg\+xml) *(?:;|$)/i
/** Below it headers and packets are most of an answer. */
const SHORTEST = 1024
/** Compressions at a time, in the threads that hash passwords too. Further answers go out uncompressed: they have waited long enough. */
const PLACES = 8

const member = /^[ \t]*([^\s;,]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i

/** Coding that the client prefers among those available. Equal preferences are decided by our order; undefined if it prefers `identity`. */
export const codingFor = (
  accepted: string | undefined,
  available: ReadonlySet<string>
): keyof typeof levels | undefined => {
  if (accepted === undefined) return undefined
  const weights = new Map<string, number>()
  for (const part of accepted.split(",")) {
    const [, coding, weight = "1"] = member.exec(part) ?? []
    if (coding !== undefined) weights.set(coding.toLowerCase(), Number(weight))
  }
  const weightOf = (coding: string) => weights.get(coding) ?? weights.get("*") ?? 0
  let best: keyof typeof levels | undefined
  let most = weights.get("identity") ?? 0
  for (const coding of ours.filter((one) => available.has(one))) {
    const weight = weightOf(coding)
    if (weight > 0 && (best === undefined ? weight >= most : weight > most)) {
      best = coding
      most = weight
    }
  }
  return best
}

const vary = (response: Response) => {
  const ownVary = response.headers["vary"]
  return ownVary === undefined ? "Accept-Encoding" : `${ownVary}, Accept-Encoding`
}

/** The bytes are others, the content is the same: a strong tag becomes a weak one. */
const encoded = (response: Response, body: HttpBody.HttpBody, coding: Coding) => {
  const { etag } = response.headers
  return HttpServerResponse.setHeaders(HttpServerResponse.setBody(response, body), {
    "content-encoding": coding,
    vary: vary(response),
    ...(etag === undefined || etag.startsWith("W/") ? {} : { etag: `W/${etag}` })
  })
}

export const makeCompression = Effect.map(HttpPlatform.HttpPlatform, ({ compression }) => {
  /**
   * Compressed bodies by their bytes. Bodies that are the same for everybody (description, catalogues, scripts) are compressed once; all
   * others are forgotten with their answer.
   */
  const compressedBodies = new WeakMap<Uint8Array, Map<Coding, HttpBody.HttpBody>>()
  let activeCount = 0

  const compress = (response: Response, bytes: Uint8Array, coding: keyof typeof levels) =>
    Effect.suspend(() => {
      activeCount++
      return Effect.ensuring(
        compression.compressResponse(response, coding, { level: levels[coding] }),
        Effect.sync(() => void activeCount--)
      )
    }).pipe(
      Effect.map(({ body }) => {
        const bodyByCoding = compressedBodies.get(bytes) ?? new Map<Coding, HttpBody.HttpBody>()
        compressedBodies.set(bytes, bodyByCoding.set(coding, body))
        return encoded(response, body, coding)
      })
    )

  return (request: Request, response: Response): Effect.Effect<Response> => {
    const { body, headers, status } = response
    // A 304 stands for an answer that depends on the header too.
    if (status === 304) return Effect.succeed(HttpServerResponse.setHeader(response, "vary", vary(response)))
    if (body._tag !== "Uint8Array" || body.contentLength < SHORTEST) return Effect.succeed(response)
    if (headers["content-encoding"] !== undefined || !compressible.test(headers["content-type"] ?? ""))
      return Effect.succeed(response)
    const coding = codingFor(request.headers["accept-encoding"], compression.algorithms)
    const cachedBody = coding === undefined ? undefined : compressedBodies.get(body.body)?.get(coding)
    if (coding !== undefined && cachedBody !== undefined) return Effect.succeed(encoded(response, cachedBody, coding))
    if (coding !== undefined && activeCount < PLACES) return compress(response, body.body, coding)
    return Effect.succeed(HttpServerResponse.setHeader(response, "vary", vary(response)))
  }
})
