// Sends one request over as many hops as its policy follows, each checked like the first address (RFC 9110 15.4; decisions W9).
import { Duration, Result } from "effect"
import type { Dispatcher } from "undici"
import { type Allow, parseTarget } from "./addressGuard.ts"
import { type Answer, type Done, exchange } from "./exchange.ts"
import type { ClientIdentity } from "./identities.ts"
import { OutboundError } from "./OutboundError.ts"
import type { Policy } from "./policies.ts"
import { keptHeaders, lowerCased, refusedHeader } from "./requestHeaders.ts"
import { codingsIn, unpackAnswer } from "./unpackAnswer.ts"

export interface OutboundRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  readonly policy: Policy
  /** Client identity, presented to the first address; never to another one that it redirects to. */
  readonly identity?: ClientIdentity
  /** True if the body holds a secret: a redirect to another origin that asks for the body again fails. */
  readonly bodyStays?: boolean
}

/** Answer whose body has no content codings. */
export interface OutboundResponse extends Answer {
  /** Address that answered, after redirects. */
  readonly url: string
  /** Method of the request that was answered: a redirect may have made it a GET. */
  readonly method: string
}

/** Headers as users see them: several `Set-Cookie` are a list, everything else one text. */
export const shownHeaders = ({ cookies, headers }: Pick<Answer, "cookies" | "headers">): ShownHeaders =>
  cookies.length > 1 ? { ...headers, "set-cookie": cookies } : headers

type ShownHeaders = Readonly<Record<string, string | ReadonlyArray<string>>>

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Request that a redirect leads to, or `null` when the answer is no redirect (RFC 9110 15.4). */
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

const OWN = { "user-agent": "Millrace/1.0" }
const always = () => true
const nothing = () => undefined

/** Chooses the sockets of a hop. */
export type DispatcherFor = (request: OutboundRequest, url: URL) => Dispatcher

/**
 * Sends a request and follows redirects, `policy.redirects` at most; their bodies are discarded.
 * @returns a function that gives it up: the callback is not called any more
 */
export const startRequest = (
  first: OutboundRequest,
  allow: Allow,
  dispatcherFor: DispatcherFor,
  done: Done<OutboundResponse>
): (() => void) => {
  const { policy } = first
  const fail = (reason: OutboundError["reason"], message: string) => {
    done(Result.fail(new OutboundError({ reason, message })))
    return nothing
  }
  const forbiddenHeader = refusedHeader(first.headers)
  if (forbiddenHeader !== undefined)
    return fail("invalid_request", `The header ${forbiddenHeader.slice(0, 100)} cannot be set.`)
  const startedAt = performance.now()
  const until = startedAt + Duration.toMillis(policy.headers)
  const wholeUntil = policy.whole === undefined ? Number.POSITIVE_INFINITY : startedAt + Duration.toMillis(policy.whole)
  let giveUp: () => void = nothing
  const deliverAnswer = (answer: Answer, url: URL, method: string) => {
    const succeedWith = (whole: Answer) => done(Result.succeed({ ...whole, url: url.href, method }))
    const codings = codingsIn(answer)
    if (codings.length === 0) return succeedWith(answer)
    let isGivenUp = false
    giveUp = () => {
      isGivenUp = true
    }
    void unpackAnswer(answer, codings, policy, url.hostname).then((result) => {
      if (isGivenUp) return
      if (Result.isFailure(result)) done(Result.fail(result.failure))
      else succeedWith(result.success)
    })
  }
  const hop = (current: OutboundRequest, followed: number): (() => void) => {
    const parsedTarget = parseTarget(current.url, allow, policy.ports)
    if (Result.isFailure(parsedTarget)) {
      done(Result.fail(parsedTarget.failure))
      return nothing
    }
    const url = parsedTarget.success
    if (policy.secure === true && url.protocol !== "https:") return fail("invalid_url", "The URL must be https.")
    const nextRequest = (status: number, location: string | undefined) =>
      policy.redirects === 0 ? null : redirected(current, url, status, location)
    const { method } = current
    const headers = lowerCased(current.headers, OWN)
    const wantsBody =
      policy.redirects === 0
        ? always
        : (status: number, { location }: Readonly<Record<string, string>>) => nextRequest(status, location) === null
    return exchange(
      dispatcherFor(current, url),
      { method, url, headers, body: current.body ?? null, policy, until, wholeUntil, wantsBody },
      (result) => {
        if (Result.isFailure(result)) return done(Result.fail(result.failure))
        const { headers, status } = result.success
        const target = nextRequest(status, headers["location"])
        if (target === null) return deliverAnswer(result.success, url, method)
        if (target.body !== undefined && first.bodyStays === true && URL.parse(target.url)?.origin !== url.origin)
          return fail("invalid_request", `${url.hostname}: a redirect to another origin asks for a body with a secret`)
        if (followed === policy.redirects) fail("too_many_redirects", `${url.hostname}: too many redirects`)
        else giveUp = hop(target, followed + 1)
      }
    )
  }
  giveUp = hop(first, 0)
  return () => giveUp()
}
