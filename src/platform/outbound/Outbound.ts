// Only HTTP client for addresses that users choose: webhooks, metadata documents, HTTP actions, scripts, images in PDFs (decisions W9).
// Nothing else in the service may open a connection to such an address.
import { Context, Effect, Layer, Result } from "effect"
import { Agent } from "undici"
import { AppConfig } from "../config/Config.ts"
import { methodLabel } from "../metrics/httpMethod.ts"
import { histogram } from "../metrics/instruments.ts"
import { type Allow, checkTarget } from "./addressGuard.ts"
import { guardedConnector } from "./connector.ts"
import type { Done } from "./exchange.ts"
import { type ClientIdentity, makeIdentityPools } from "./identities.ts"
import { resolveFromLookup, withLookupAhead } from "./lookupAhead.ts"
import { makeMailServers } from "./mailServer.ts"
import { HEADER_BYTES, wireBytes } from "./meter.ts"
import type { OutboundError } from "./OutboundError.ts"
import type { Policy } from "./policies.ts"
import { type DispatcherFor, type OutboundRequest, type OutboundResponse, startRequest } from "./requests.ts"
import { makeResolve, type Resolve } from "./resolveHost.ts"

/**
 * Number of pools, over which URLs are spread by their path. A pool looks through all of its sockets to an origin when one is wanted and
 * when one closes: with hundreds of receivers that hang behind one origin, one pool took a tenth of the process's time.
 */
const POOLS = 64
/** Sockets that a pool keeps open to one origin. Callers bound how many requests are in flight; this bounds the idle ones. */
const MAX_SOCKETS_PER_ORIGIN = 1024
/** Idle time after which a socket is closed. Shorter than common servers' 5 s, so that a POST rarely meets a closing one. */
const IDLE_MS = 2_000
const MAX_IDLE_MS = 10_000

export interface OutboundOptions {
  readonly allow: Allow
  /** Resolver and root certificate for tests. */
  readonly resolve?: Resolve
  readonly ca?: string
}

export class Outbound extends Context.Service<
  Outbound,
  {
    readonly request: (request: OutboundRequest) => Effect.Effect<OutboundResponse, OutboundError>
    /** Sends a request without a trace and calls back once, for thousands of requests. @returns a function that gives it up */
    readonly requestUntraced: (request: Omit<OutboundRequest, "identity">, done: Done<OutboundResponse>) => () => void
    /** Checks that a URL may be called now, name look-up included; returns it parsed. */
    readonly check: (url: string) => Effect.Effect<URL, OutboundError>
    readonly mailServers: ReturnType<typeof makeMailServers>
    /** Looks a name up, so that `check` in the given effect does not wait for it. */
    readonly lookedUp: ReturnType<typeof withLookupAhead>
  }
>()("millrace/outbound/Outbound") {
  static readonly layerWith = (options: OutboundOptions) => Layer.effect(Outbound, make(options))
  static readonly layer = Layer.unwrap(
    Effect.map(AppConfig, ({ outboundAllow }) => Outbound.layerWith({ allow: new Set(outboundAllow) }))
  )
}

const calls = histogram("http.client.request.duration")

const poolOf = ({ pathname }: URL) => {
  let hash = 0
  for (let i = 0; i < pathname.length; i++) hash = (Math.imul(hash, 31) + pathname.charCodeAt(i)) | 0
  return (hash >>> 0) % POOLS
}

const make = Effect.fnUntraced(function* (options: OutboundOptions) {
  const resolve = options.resolve ?? makeResolve()
  /** Pools by the size of the answers that their sockets may receive. */
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
      // Disabled: exchange.ts applies the policy's time-outs.
      headersTimeout: 0,
      bodyTimeout: 0
    })
  const poolFor = yield* makeIdentityPools((identity, maxBytes) => pool(maxBytes, identity))
  const openPools = (maxBytes: number): ReadonlyArray<Agent> => Array.from({ length: POOLS }, () => pool(maxBytes))
  yield* Effect.addFinalizer(() =>
    Effect.promise(() => Promise.all([...agents.values()].flat().map((agent) => agent.destroy())))
  )
  const agentFor = (url: URL, { maxBytes }: Policy): Agent => {
    const agentPools = agents.get(maxBytes) ?? openPools(maxBytes)
    agents.set(maxBytes, agentPools)
    return agentPools[poolOf(url)]!
  }

  const ordinaryDispatcher: DispatcherFor = ({ policy }, url) => agentFor(url, policy)

  const request = (first: OutboundRequest): Effect.Effect<OutboundResponse, OutboundError> => {
    const requestVia = (dispatcherFor: DispatcherFor) =>
      Effect.callback<OutboundResponse, OutboundError>((resume) =>
        Effect.sync(startRequest(first, options.allow, dispatcherFor, (result) => resume(Effect.fromResult(result))))
      )
    const { identity, policy } = first
    if (identity === undefined) return requestVia(ordinaryDispatcher)
    return Effect.scoped(
      Effect.flatMap(poolFor(identity, policy.maxBytes), (agent) =>
        requestVia((current, url) => (current.identity === undefined ? ordinaryDispatcher(current, url) : agent))
      )
    )
  }

  /**
   * Counts a request by method and status or failure, never by host. The span has the host, and no more of the address: paths and queries
   * hold tokens. The receiver is not sent our trace.
   */
  const measureRequest = (first: OutboundRequest) =>
    Effect.useSpan(methodLabel(first.method), { kind: "client" }, (span) => {
      const startedAt = performance.now()
      span.attribute("http.request.method", methodLabel(first.method))
      span.attribute("server.address", URL.parse(first.url)?.hostname ?? "")
      const recordOutcome = (status: string, error: string) =>
        Effect.sync(() => {
          calls.observe((performance.now() - startedAt) / 1000, methodLabel(first.method), status, error)
          if (status !== "") span.attribute("http.response.status_code", Number(status))
          if (error !== "") span.attribute("error.type", error)
        })
      return request(first).pipe(
        Effect.tap(({ status }) => recordOutcome(String(status), status < 400 ? "" : String(status))),
        Effect.tapError(({ reason }) => recordOutcome("", reason))
      )
    })

  const requestUntraced: Outbound["Service"]["requestUntraced"] = (first, done) => {
    const startedAt = performance.now()
    return startRequest(first, options.allow, ordinaryDispatcher, (result) => {
      const seconds = (performance.now() - startedAt) / 1000
      const method = methodLabel(first.method)
      if (Result.isFailure(result)) calls.observe(seconds, method, "", result.failure.reason)
      else {
        const { status } = result.success
        calls.observe(seconds, method, String(status), status < 400 ? "" : String(status))
      }
      done(result)
    })
  }

  return Outbound.of({
    request: measureRequest,
    requestUntraced,
    check: (url) => Effect.flatMap(resolveFromLookup(resolve), (known) => checkTarget(url, options.allow, known)),
    mailServers: makeMailServers(options.allow, resolve),
    lookedUp: withLookupAhead(resolve)
  })
})
