// Checks a target before and while connecting: URL form, port, every resolved address (decisions W9).
import { isIP, isIPv6 } from "node:net"
import { Effect, Result } from "effect"
import { ALLOWED_PORTS, ALLOWED_SCHEMES, MAX_URL_LENGTH, refusalOf, refusalOfName } from "./connectionRules.ts"
import { fromCause, OutboundError } from "./OutboundError.ts"
import type { Resolve, ResolvedAddress } from "./resolveHost.ts"

/** `OUTBOUND_ALLOW`: `host:port` pairs, the host as written in the URL. */
export type Allow = ReadonlySet<string>

const portOf = (url: URL): number => (url.port !== "" ? Number(url.port) : url.protocol === "https:" ? 443 : 80)

const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, "")

/** Restores the brackets of an IPv6 address for the comparison: a URL has them, the connector does not. */
const isAllowed = (hostname: string, port: number, allow: Allow) =>
  allow.has(`${isIPv6(hostname) ? `[${hostname}]` : hostname.toLowerCase()}:${port}`)

const refuse = (reason: OutboundError["reason"], message: string) => Result.fail(new OutboundError({ reason, message }))

/** Checks everything that the text alone shows. The URL parser has already turned odd spellings of IPv4 into one. */
export const parseTarget = (
  input: string,
  allow: Allow,
  ports: ReadonlySet<number> = ALLOWED_PORTS
): Result.Result<URL, OutboundError> => {
  if (input.length > MAX_URL_LENGTH)
    return refuse("invalid_url", `The URL is longer than ${MAX_URL_LENGTH} characters.`)
  const url = URL.parse(input)
  if (url === null) return refuse("invalid_url", "This is no valid URL.")
  if (!ALLOWED_SCHEMES.has(url.protocol)) return refuse("invalid_url", "The URL must be http or https.")
  if (url.hostname === "") return refuse("invalid_url", "The URL has no host.")
  if (url.username !== "" || url.password !== "")
    return refuse("invalid_url", "The URL must not hold a user name or password.")
  if (isAllowed(url.hostname, portOf(url), allow)) return Result.succeed(url)
  if (!ports.has(portOf(url)))
    return refuse("port_refused", `Only ports ${[...ports].join(" and ")} are allowed, not ${portOf(url)}.`)
  const literal = bare(url.hostname)
  const kind = isIP(literal) === 0 ? refusalOfName(literal) : refusalOf(literal)
  return kind === null ? Result.succeed(url) : refuse("address_refused", `The address is refused: ${kind}.`)
}

/**
 * Addresses that may be connected to, all of them checked: one refused address refuses the name, because the receiver chooses what its name
 * server answers. `hostname` as in `URL.hostname`.
 */
export const vettedAddresses = async (
  hostname: string,
  port: number,
  allow: Allow,
  resolve: Resolve
): Promise<ReadonlyArray<ResolvedAddress>> => {
  const host = bare(hostname)
  const literal = isIP(host)
  const excepted = isAllowed(hostname, port, allow)
  const named = literal === 0 && !excepted ? refusalOfName(host) : null
  if (named !== null)
    throw new OutboundError({ reason: "address_refused", message: `The address of ${host} is refused: ${named}.` })
  const addresses = literal !== 0 ? [{ address: host, family: literal }] : await resolve(host, excepted)
  if (addresses.length === 0) throw new OutboundError({ reason: "dns_failed", message: `${host} has no address.` })
  if (excepted) return addresses
  for (const { address } of addresses) {
    const kind = refusalOf(address.split("%")[0]!)
    if (kind !== null)
      throw new OutboundError({ reason: "address_refused", message: `The address of ${host} is refused: ${kind}.` })
  }
  return addresses
}

/** Checks a URL that is stored now and called later. `dns_failed`: the name has no address; `dns_unavailable`: no name server answered. */
export const checkTarget = (input: string, allow: Allow, resolve: Resolve) =>
  Effect.gen(function* () {
    const url = yield* Effect.fromResult(parseTarget(input, allow))
    yield* Effect.tryPromise({
      try: () => vettedAddresses(url.hostname, portOf(url), allow, resolve),
      catch: (cause) => fromCause(cause, url.hostname)
    })
    return url
  })
