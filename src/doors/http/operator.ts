// Who may see metrics and the details of health (decisions P10): this machine, or who sends METRICS_TOKEN. This machine is a
// loopback source (P5) that calls a loopback name and was forwarded by nobody: behind a proxy every sender comes from the proxy's
// address, and a page that rebound its name (DNS) calls by that name.
import { Effect, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"
import { presented } from "../../api/door/credential.ts"
import { AppConfig } from "../../ground/config/Config.ts"
import { sameSecret } from "../../ground/sealing/Secrets.ts"

/** What proxies add; none is sent by who calls directly. */
const forwarding = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip"
] as const

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

const isLoopback = (address: string) => {
  const parsed = NetAddress.ipFromString(address)
  return parsed._tag === "Success" && NetAddress.isLoopback(NetAddress.toCanonical(parsed.success))
}

const isThisMachine = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest) =>
  Option.exists(remoteAddress, isLoopback) &&
  loopbackName.test(headers["host"] ?? "") &&
  forwarding.every((name) => headers[name] === undefined)

/** Whether the request at hand is an operator's. */
export const makeIsOperator = Effect.map(AppConfig, ({ metricsToken }) => {
  const holdsToken = ({ headers }: HttpServerRequest.HttpServerRequest) => {
    const given = presented(headers)
    if (metricsToken === undefined || given._tag !== "Token" || given.scheme !== "bearer") return false
    return sameSecret(given.token, Redacted.value(metricsToken))
  }
  return Effect.map(HttpServerRequest.HttpServerRequest, (request) => isThisMachine(request) || holdsToken(request))
})
