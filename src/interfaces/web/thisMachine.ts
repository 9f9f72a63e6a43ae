// Requests of this machine (decisions P10): from a loopback source (P5), to a loopback name, forwarded by nobody. Behind a proxy every sender
// comes from the proxy's address, and a page that rebound its name (DNS) calls by that name.
import { Option } from "effect"
import type { Headers, HttpServerRequest } from "effect/http"
import { NetAddress } from "effect/net"

/** Names of what proxies add; none is sent by who calls directly. */
const forwarding = /^(?:(?:x-)?(?:original-)?forwarded(?:-.+)?|via|(?:x-|true-|.+-)?(?:real|client|connecting)-ip)$/

export const isForwarded = (headers: Headers.Headers) => Object.keys(headers).some((name) => forwarding.test(name))

const loopbackName = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

const isLoopback = (address: string) => {
  const parsedAddress = NetAddress.ipFromString(address)
  return parsedAddress._tag === "Success" && NetAddress.isLoopback(NetAddress.toCanonical(parsedAddress.success))
}

export const isThisMachine = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest) =>
  Option.exists(remoteAddress, isLoopback) && loopbackName.test(headers["host"] ?? "") && !isForwarded(headers)
