// The one HTTP client for addresses that users choose: webhooks, metadata documents, HTTP actions, scripts, images in PDFs
// (decisions W9). Nothing else in the service may open a connection to such an address.
import { Context, Duration, Effect, Layer } from "effect"
import { Agent } from "undici"
import { AppConfig } from "../config/Config.ts"
import { methodLabel } from "../metrics/httpMethod.ts"
import { histogram } from "../metrics/instruments.ts"
import { type Allow, checkTarget, parseTarget } from "./addressGuard.ts"
import { guardedConnector } from "./connector.ts"
import { type Exchange, exchange } from "./exchange.ts"
import { type ClientIdentity, makeIdentityPools } from "./identities.ts"
import { makeMailServers } from "./mailServer.ts"
import { HEADER_BYTES, wireBytes } from "./meter.ts"
import { OutboundError } from "./OutboundError.ts"
import type { Policy } from "./policies.ts"
import { keptHeaders, lowerCased, refusedHeader } from "./requestHeaders.ts"
import { makeResolve, type Resolve } from "./resolveHost.ts"

/**
 * A pool looks through all of its sockets to an origin when one is wanted and when one closes: with hundreds of receivers that hang
 * behind one origin, one pool took a tenth of the process's time. URLs are spread by their path.
 */
const POOLS = 16
/** Sockets that a pool keeps open to one origin. Callers bound how many requests are in the air; this bounds what stays behind. */
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
  /** Presented to the first address; never to another one that it redirects to. */
  readonly identity?: ClientIdentity
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
    readonly mailServers: ReturnType<typeof makeMailServers>
  }
>()("millrace/outbound/Outbound") {
  static readonly layerWith = (options: OutboundOptions) => Layer.effect(Outbound, make(options))
  static readonly layer = Layer.unwrap(
    Effect.map(AppConfig, ({ outboundAllow }) => Outbound.layerWith({ allow: new Set(outboundAllow) }))
  )
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** The request that a redirect asks for, or `null` when the answer is no redirect (RFC 9110 15.4). */
const redirected = (request: OutboundRequest, url: URL, status: number, location: string | undefined) => {
  const target = REDIRECTS.has(status) && location !== undefined ? URL.parse(location, url.href) : null
  if (target === null) return null
  const toGet = status === 303 ? request.method !== "HEAD" : status <= 302 && request.method === "POST"
  const { body, identity, ...rest } = request
  const elsewhere = target.origin !== url.origin
  return {
    ...rest,
    ...(elsewhere || identity === undefined ? {} : { identity }),
    method: toGet ? "GET" : request.method,
    url: target.href,
    headers: keptHeaders(request.headers, { bodiless: toGet, elsewhere }),
    ...(toGet || body === undefined ? {} : { body })
  }
}

const calls = histogram("http.client.request.duration")

const poolOf = ({ pathname }: URL) => {
  let hash = 0
  for (let i = 0; i < pathname.length; i++) hash = (Math.imul(hash, 31) + pathname.charCodeAt(i)) | 0
  return (hash >>> 0) % POOLS
}

const make = Effect.fnUntraced(function* (options: OutboundOptions) {
  const resolve = options.resolve ?? makeResolve()
  /** Pools by the size of the answers that may come over their sockets. */
  const agents = new Map<number, ReadonlyArray<Agent>>()
  const pool = (maxBytes: number, identity?: ClientIdentity) =>
    new Agent({
      connect: guardedConnector(options.allow, resolve, {
        mostBytes: wireBytes(maxBytes),
        ...(options.ca === undefined ? {} : { ca: options.ca }),
        ...identity
      }),
      connections: MAX_SOCKETS_PER_ORIGIN,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: MAX_IDLE_MS,
      // Deadlines are the policy's, in exchange.ts.
      headersTimeout: 0,
      bodyTimeout: 0
    })
  const poolFor = yield* makeIdentityPools((identity, maxBytes) => pool(maxBytes, identity))
  const open = (maxBytes: number): ReadonlyArray<Agent> => Array.from({ length: POOLS }, () => pool(maxBytes))
  yield* Effect.addFinalizer(() =>
    Effect.promise(() => Promise.all([...agents.values()].flat().map((agent) => agent.destroy())))
  )
  const agentFor = (url: URL, { maxBytes }: Policy): Agent => {
    const known = agents.get(maxBytes) ?? open(maxBytes)
    agents.set(maxBytes, known)
    return known[poolOf(url)]!
  }

  const over = ({ identity, policy }: OutboundRequest, url: URL, one: Exchange) =>
    identity === undefined
      ? exchange(agentFor(url, policy), one)
      : Effect.scoped(Effect.flatMap(poolFor(identity, policy.maxBytes), (agent) => exchange(agent, one)))

  /** Follows at most `policy.redirects` redirects, each checked like the first address; their bodies are thrown away. */
  const request = Effect.fnUntraced(function* (first: OutboundRequest) {
    const { policy } = first
    const refused = refusedHeader(first.headers)
    if (refused !== undefined)
      return yield* new OutboundError({
        reason: "invalid_request",
        message: `The header ${refused.slice(0, 100)} cannot be set.`
      })
    const begun = performance.now()
    const until = begun + Duration.toMillis(policy.headers)
    const wholeUntil = policy.whole === undefined ? Number.POSITIVE_INFINITY : begun + Duration.toMillis(policy.whole)
    let next = first
    for (let hop = 0; ; hop++) {
      const current = next
      const url = yield* Effect.fromResult(parseTarget(current.url, options.allow, policy.ports))
      if (policy.secure === true && url.protocol !== "https:")
        return yield* new OutboundError({ reason: "invalid_url", message: "The URL must be https." })
      const after = (status: number, location: string | undefined) =>
        policy.redirects === 0 ? null : redirected(current, url, status, location)
      const { body, headers, status, truncated } = yield* over(current, url, {
        method: current.method,
        url,
        headers: { "user-agent": USER_AGENT, ...lowerCased(current.headers) },
        body: current.body ?? null,
        policy,
        until,
        wholeUntil,
        wantsBody: (code, { location }) => after(code, location) === null
      })
      const target = after(status, headers["location"])
      if (target === null) return { status, headers, body, truncated, url: url.href }
      if (hop === policy.redirects)
        return yield* new OutboundError({
          reason: "too_many_redirects",
          message: `${url.hostname}: too many redirects`
        })
      next = target
    }
  })

  /**
   * Counted by method and answer, or why there was none; never by whose host it is. The span knows the host, and no more of the
   * address: paths and queries hold tokens. The trace is ours: the other side is not told of it.
   */
  const counted = (first: OutboundRequest) =>
    Effect.useSpan(methodLabel(first.method), { kind: "client" }, (span) => {
      const begun = performance.now()
      span.attribute("http.request.method", methodLabel(first.method))
      span.attribute("server.address", URL.parse(first.url)?.hostname ?? "")
      const told = (status: string, error: string) =>
        Effect.sync(() => {
          calls.observe((performance.now() - begun) / 1000, methodLabel(first.method), status, error)
          if (status !== "") span.attribute("http.response.status_code", Number(status))
          if (error !== "") span.attribute("error.type", error)
        })
      return request(first).pipe(
        Effect.tap(({ status }) => told(String(status), status < 400 ? "" : String(status))),
        Effect.tapError(({ reason }) => told("", reason))
      )
    })

  return Outbound.of({
    request: counted,
    check: (url) => checkTarget(url, options.allow, resolve),
    mailServers: makeMailServers(options.allow, resolve)
  })
})
