// Sends one request of an HTTP step through the guarded client (developer-api.md 7.6 `http_call` runtime; decisions W9, A19): with its
// time-out, its login and certificate, and one more try if no connection was established.
import { Duration, Effect } from "effect"
import { DigestLogin } from "../../../../platform/outbound/DigestLogin.ts"
import { Outbound } from "../../../../platform/outbound/Outbound.ts"
import type { OutboundError } from "../../../../platform/outbound/OutboundError.ts"
import { type Policy, policies } from "../../../../platform/outbound/policies.ts"
import { keptHeaders } from "../../../../platform/outbound/requestHeaders.ts"
import type { OutboundResponse } from "../../../../platform/outbound/requests.ts"
import { type Step, StepFailed } from "../../model/Step.ts"
import { type RequestConfig, TIMEOUT_SECONDS } from "./httpConfig.ts"
import type { StepLogin } from "./httpLogin.ts"

export interface StepHttpRequest {
  readonly method: string
  readonly url: string
  /** URL as the log shows it. */
  readonly shown: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
  /** True if the body holds a secret, which must not go to another origin. */
  readonly bodyStays: boolean
  readonly login: StepLogin
  /** Login by digest at the request's origin, shared by all of its pages. */
  readonly digest: DigestLogin | undefined
  /** True for a page at another origin, where no credentials go. */
  readonly elsewhere: boolean
}

export const digestLogin = ({ digest }: StepLogin, url: string): DigestLogin | undefined => {
  const origin = URL.parse(url)?.origin
  return digest === undefined || origin === undefined ? undefined : new DigestLogin({ ...digest, origin })
}

/** The request for an address that the receiver names: at another origin without credentials (decisions W9). */
export const requestAt = (request: StepHttpRequest, url: URL): StepHttpRequest => {
  if (request.elsewhere || URL.parse(request.url)?.origin === url.origin) return { ...request, url: url.href }
  const headers = keptHeaders(request.headers, { bodiless: false, elsewhere: true })
  return { ...request, url: url.href, headers, login: {}, digest: undefined, elsewhere: true }
}

const policyOf = (config: RequestConfig, ports: ReadonlySet<number>): Policy => {
  const seconds = config.http_call_timeout_seconds ?? TIMEOUT_SECONDS
  const base = config.http_call_response_as_file === true ? policies.httpFile : policies.httpCall
  const redirects = config.http_call_follow_redirects ? policies.httpCallRedirects.redirects : 0
  const time = Duration.seconds(seconds)
  return { ...base, redirects, ports, whole: time, headers: time, body: time }
}

export const makeHttpSend = Effect.fnUntraced(function* (ports: ReadonlySet<number>) {
  const outbound = yield* Outbound

  return Effect.fnUntraced(function* (
    step: Step<RequestConfig>,
    { bodyStays, digest, login, shown: _, elsewhere: __, ...request }: StepHttpRequest
  ): Effect.fn.Return<OutboundResponse, StepFailed> {
    const policy = policyOf(step.config, ports)
    const mayRetry = (error: OutboundError) => request.method === "GET" && error.unsent
    // A second try, and a request with the answer to a challenge, have only the time that the first one left.
    const until = performance.now() + Duration.toMillis(policy.whole!)
    const { identity } = login
    type Sent = Pick<StepHttpRequest, "method" | "url" | "headers" | "body">
    const send = ({ body, headers, method, url }: Sent, authorization: string | undefined) => {
      if (authorization !== undefined) step.log.secret(authorization)
      return Effect.suspend(() =>
        outbound.request({
          ...{ method, url, bodyStays },
          headers: authorization === undefined ? headers : { ...headers, authorization },
          ...(body === undefined ? {} : { body }),
          ...(identity === undefined ? {} : { identity }),
          policy: { ...policy, whole: Duration.millis(Math.max(0, until - performance.now())) }
        })
      ).pipe(
        Effect.retry({ while: mayRetry, times: step.retried ? 0 : 1 }),
        Effect.mapError(
          (error) => new StepFailed({ message: `${error.label}: ${error.message}`, passing: error.mayPass })
        )
      )
    }
    const digestFor = ({ body, method, url }: Sent) => {
      const parsedUrl = digest === undefined ? null : URL.parse(url)
      return parsedUrl === null ? undefined : digest!.authorization({ method, url: parsedUrl, body })
    }
    const answer = yield* send(request, login.authorization ?? digestFor(request))
    const isChallenged =
      answer.status === 401 && digest?.accept(new URL(answer.url), answer.headers["www-authenticate"]) === true
    if (!isChallenged) return answer
    // The hash covers method and path, so it is made for what was answered after redirects.
    const becameGet = answer.method !== request.method
    const challenged = {
      method: answer.method,
      url: answer.url,
      headers: becameGet ? keptHeaders(request.headers, { bodiless: true, elsewhere: false }) : request.headers,
      body: becameGet ? undefined : request.body
    }
    return yield* send(challenged, digestFor(challenged))
  })
})
