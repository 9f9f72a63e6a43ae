// The one HTTP client for addresses that users choose: webhooks, metadata documents, HTTP actions, scripts, images in PDFs
// (decisions W9). Nothing else in the service may open a connection to such an address.
import { Context, Duration, Effect, Layer } from "effect"
import { Agent, type Dispatcher } from "undici"
import { AppConfig } from "../Config.ts"
import { guardedConnector } from "./connector.ts"
import { type Allow, checkTarget, parseTarget, type Resolve, systemResolve } from "./guard.ts"
import { fromCause, OutboundError } from "./OutboundError.ts"
import type { Policy } from "./policies.ts"

/** Sockets kept open to one origin. Callers bound how many requests are in the air; this bounds what stays behind. */
const MAX_SOCKETS_PER_ORIGIN = 1024
/** Idle time after which a socket is closed. Shorter than common servers' 5 s, so that a POST rarely meets a closing one. */
const IDLE_MS = 2_000
const MAX_IDLE_MS = 10_000
const USER_AGENT = "Millrace/1.0"

export interface OutboundRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly policy: Policy
}

export interface OutboundResponse {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** True when the body was longer or slower than the policy reads. */
  readonly truncated: boolean
  /** Where the answer came from, after redirects. */
  readonly url: string
}

export interface OutboundOptions {
  readonly allow: Allow
  /** For tests: another resolver, another root certificate. */
  readonly resolve?: Resolve
  readonly ca?: string
}

export class Outbound extends Context.Service<
  Outbound,
  {
    readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, OutboundError>
    /** Whether a URL may be called as things are now, name look-up included; answers it parsed. */
    readonly check: (url: string) => Effect.Effect<URL, OutboundError>
  }
>()("millrace/outbound/Outbound") {
  static readonly layerWith = (options: OutboundOptions) => Layer.effect(Outbound, make(options))
  static readonly layer = Layer.unwrap(
    Effect.map(AppConfig, ({ outboundAllow }) => Outbound.layerWith({ allow: new Set(outboundAllow) }))
  )
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const SENSITIVE_HEADERS: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization"])

const lowerCased = (headers: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const flat = (headers: Dispatcher.ResponseData["headers"]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : String(value)]]
    )
  )

/** The request that a redirect asks for, or `null` when the answer is no redirect (RFC 9110 15.4). */
const redirected = (request: OutboundRequest, url: URL, status: number, location: string | undefined) => {
  const target = REDIRECTS.has(status) && location !== undefined ? URL.parse(location, url.href) : null
  if (target === null) return null
  const toGet = status === 303 ? request.method !== "HEAD" : status <= 302 && request.method === "POST"
  const headers = Object.entries(lowerCased(request.headers)).filter(
    ([name]) =>
      !(target.origin !== url.origin && SENSITIVE_HEADERS.has(name)) && !(toGet && name.startsWith("content-"))
  )
  const { body, ...rest } = request
  return {
    ...rest,
    method: toGet ? "GET" : request.method,
    url: target.href,
    headers: Object.fromEntries(headers),
    ...(toGet || body === undefined ? {} : { body })
  }
}

const make = Effect.fnUntraced(function* (options: OutboundOptions) {
  const resolve = options.resolve ?? systemResolve
  const agent = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Agent({
          connect: guardedConnector(options.allow, resolve, options.ca === undefined ? {} : { ca: options.ca }),
          connections: MAX_SOCKETS_PER_ORIGIN,
          pipelining: 1,
          allowH2: false,
          keepAliveTimeout: IDLE_MS,
          keepAliveMaxTimeout: MAX_IDLE_MS,
          // Deadlines are the policy's, in `answerOf` and `bodyOf`.
          headersTimeout: 0,
          bodyTimeout: 0
        })
    ),
    (agent) => Effect.promise(() => agent.destroy())
  )

  const answerOf = (request: OutboundRequest, url: URL) =>
    Effect.tryPromise({
      try: (signal) =>
        agent.request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: request.method as Dispatcher.HttpMethod,
          headers: { "user-agent": USER_AGENT, ...lowerCased(request.headers) },
          body: request.body === undefined ? null : request.body,
          signal
        }),
      catch: (cause) => fromCause(cause, url.hostname)
    })

  /** Follows at most `policy.redirects` redirects; the body of a redirect is thrown away. */
  const follow = Effect.fnUntraced(function* (first: OutboundRequest) {
    let request = first
    for (let hop = 0; ; hop++) {
      const url = yield* Effect.fromResult(parseTarget(request.url, options.allow, first.policy.ports))
      const answer = yield* answerOf(request, url)
      const headers = flat(answer.headers)
      const next = first.policy.redirects === 0 ? null : redirected(request, url, answer.statusCode, headers.location)
      if (next === null) return { answer, headers, url }
      answer.body.on("error", () => {}).destroy()
      if (hop === first.policy.redirects)
        return yield* new OutboundError({
          reason: "too_many_redirects",
          message: `${url.hostname}: too many redirects`
        })
      request = next
    }
  })

  const bodyOf = (body: Dispatcher.ResponseData["body"], policy: Policy, host: string) => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    const cut = () => ({ body: Buffer.concat(chunks).subarray(0, policy.maxBytes), truncated: true })
    const overrun = (reason: "too_large" | "timeout", message: string) =>
      policy.overrun === "truncate"
        ? Effect.sync(cut)
        : Effect.fail(new OutboundError({ reason, message: `${host}: ${message}` }))
    return Effect.tryPromise({
      try: async () => {
        for await (const chunk of body as AsyncIterable<Uint8Array>) {
          chunks.push(chunk)
          size += chunk.byteLength
          if (size > policy.maxBytes) return null
        }
        return { body: Buffer.concat(chunks), truncated: false }
      },
      catch: (cause) => fromCause(cause, host)
    }).pipe(
      Effect.flatMap((whole) =>
        whole === null
          ? overrun("too_large", `the answer is longer than ${policy.maxBytes} bytes`)
          : Effect.succeed(whole)
      ),
      Effect.timeoutOrElse({
        duration: policy.body,
        orElse: () => overrun("timeout", "the answer's body did not end in time")
      }),
      Effect.ensuring(Effect.sync(() => body.on("error", () => {}).destroy()))
    )
  }

  const request = Effect.fnUntraced(function* (first: OutboundRequest) {
    const host = URL.parse(first.url)?.hostname ?? "the address"
    const { answer, headers, url } = yield* follow(first).pipe(
      Effect.timeoutOrElse({
        duration: first.policy.headers,
        orElse: () =>
          Effect.fail(
            new OutboundError({
              reason: "timeout",
              message: `${host}: no answer within ${Duration.format(first.policy.headers)}`
            })
          )
      })
    )
    const { body, truncated } = yield* bodyOf(answer.body, first.policy, url.hostname)
    return { status: answer.statusCode, headers, body, truncated, url: url.href }
  })

  return Outbound.of({ request, check: (url) => checkTarget(url, options.allow, resolve) })
})
