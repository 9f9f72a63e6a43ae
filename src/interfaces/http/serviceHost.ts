// A service on a loopback address has one name (decisions P5). What names another one of the machine (`localhost` for `127.0.0.1`) is told the
// right address with a 421: tokens, metadata and cookies are bound to the configured one, so that it would fail later and for no visible reason.
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { devApiError } from "../../api/middleware/errorBodies.ts"
import { queryOf } from "../web/formBody.ts"
import { html } from "../web/html.ts"
import { messagePage } from "../web/layout.ts"

const loopback: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Paths that an operator's probes request under any host name. */
const operated = /^\/(?:health(?:\/|$)|metrics$)/

const hostIn = (header: string, protocol: string): URL | undefined => {
  const text = `${protocol}//${header}`
  return /^[^\s/?#@\\]+$/.test(header) && URL.canParse(text) ? new URL(text) : undefined
}

/**
 * Answers, by `Host` header, the origin that a request was meant for, if it names this service by another name. @param own the origins that
 * this process serves
 */
export const makeRightOrigin = (own: ReadonlyArray<string>) => {
  const origins = own.map((one) => new URL(one))
  const named = new Set(origins.map(({ host }) => host))
  const local = origins.filter(({ hostname }) => loopback.has(hostname))
  return (header: string | undefined): string | undefined => {
    // Every request passes here: most name the service as it is called.
    if (header === undefined || local.length === 0 || named.has(header)) return undefined
    const requestedHost = hostIn(header, local[0]!.protocol)
    if (
      requestedHost === undefined ||
      named.has(requestedHost.host) ||
      !loopback.has(requestedHost.hostname.replace(/\.$/, ""))
    )
      return undefined
    return local.find(({ port }) => port === requestedHost.port)?.origin
  }
}

const asPage = (address: string) =>
  messagePage(
    "This service has another address",
    "Sign-in, tokens and forms are bound to the address that the service is configured with.",
    421,
    html`<p><a href="${address}">${address}</a></p>`
  )

const asOAuthError = (error_description: string) =>
  HttpServerResponse.jsonUnsafe({ error: "invalid_request", error_description }, { status: 421 })

/** @param own as for `makeRightOrigin` */
export const makeMisdirected = (own: ReadonlyArray<string>) => {
  const rightOrigin = makeRightOrigin(own)
  /** The answer to a request that was sent to another name of this service; undefined where it was not. */
  return (
    { headers, method, originalUrl }: HttpServerRequest.HttpServerRequest,
    path: string
  ): HttpServerResponse.HttpServerResponse | undefined => {
    const origin = operated.test(path) ? undefined : rightOrigin(headers["host"])
    if (origin === undefined) return undefined
    const query = queryOf(originalUrl)
    if (method === "GET" && headers["accept"]?.includes("text/html") === true)
      return asPage(`${origin}${path}${query === "" ? "" : `?${query}`}`)
    const message = `This service is at ${origin}, not at ${headers["host"]}: send the request to ${origin}${path}.`
    if (path.startsWith("/oauth/")) return asOAuthError(message)
    return HttpServerResponse.jsonUnsafe(devApiError(421, "invalid_request", message, path), { status: 421 })
  }
}
