// Config types for environment variables that are more than a number or a word.
import { Config, ConfigProvider, Effect, Redacted, Result, Schema } from "effect"
import { IpNetwork, NetAddress } from "effect/net"
import { readRing } from "./KeyRing.ts"

const checked = (name: string, expected: string, ok: (s: string) => boolean) =>
  Config.schema(Schema.String.check(Schema.makeFilter((s: string) => ok(s) || `${name}: expected ${expected}`)), name)

const parseUrl = (s: string) => (URL.canParse(s) ? new URL(s) : undefined)
const loopbackHosts = new Set(["localhost", "127.0.0.1", "[::1]"])

/** An origin (decisions P5): `https`, or `http` on a loopback host; no path, query or user info. */
export const origin = (name: string) =>
  checked(name, "an origin such as https://records.example.com (plain http only for localhost)", (s) => {
    const url = parseUrl(s)
    if (url === undefined || url.origin !== s.replace(/\/$/, "")) return false
    return url.protocol === "https:" || (url.protocol === "http:" && loopbackHosts.has(url.hostname))
  }).pipe(Config.map((s) => s.replace(/\/$/, "")))

const items = (s: string) =>
  s
    .split(",")
    .map((x) => x.trim())
    .filter((x) => x !== "")

const network = (s: string): Result.Result<IpNetwork.IpNetwork, unknown> => {
  if (s.includes("/")) return IpNetwork.fromString(s)
  const address = NetAddress.ipFromString(s)
  return Result.isFailure(address)
    ? Result.fail(address.failure)
    : IpNetwork.fromAddress(address.success, NetAddress.width(address.success))
}

/** Largest number that timers and the database's integers hold. */
const INT_MAX = 2_147_483_647

/** A whole number from `min` to `max`. */
export const int = (name: string, fallback: number, min = 1, max = INT_MAX) =>
  Config.schema(Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max })), name).pipe(
    Config.withDefault(fallback)
  )

/** Combines several variables that may be valid one by one and not together. `mistake` names the one that is wrong. */
export const validTogether = <A>(config: Config.Config<A>, mistake: (values: A) => string | false) =>
  config.pipe(
    Config.mapEffect((values) => {
      const message = mistake(values)
      if (message === false) return Effect.succeed(values)
      return Effect.fail(new Config.ConfigError(new ConfigProvider.SourceError({ message })))
    })
  )

/** Comma list of ports. */
export const ports = (name: string) =>
  checked(name, "a comma list of ports", (s) => items(s).every((x) => /^\d{1,5}$/.test(x) && Number(x) <= 65_535)).pipe(
    Config.map((s): ReadonlyArray<number> => items(s).map(Number)),
    Config.withDefault([])
  )

/** Comma list of whole numbers, kept as it is written. */
export const numbers = (name: string, fallback: string) =>
  checked(name, "a comma list of whole numbers", (s) => /^\d{1,9}(,\d{1,9})*$/.test(s)).pipe(
    Config.withDefault(fallback)
  )

/** Comma list of address ranges (`10.0.0.0/8, 2001:db8::1`). */
export const addressRanges = (name: string) =>
  checked(name, "a comma list of addresses or ranges", (s) => items(s).every((x) => Result.isSuccess(network(x)))).pipe(
    Config.map((s): ReadonlyArray<IpNetwork.IpNetwork> => items(s).map((x) => Result.getOrThrow(network(x)))),
    Config.withDefault([])
  )

/** Comma list of `host:port`, the host as it is written in URLs (decisions W9). */
export const hostPorts = (name: string) =>
  checked(name, "a comma list of host:port", (s) => items(s).every((x) => /^(\[[^\]]+\]|[^:]+):\d{1,5}$/.test(x))).pipe(
    Config.map((s): ReadonlyArray<string> => items(s).map((x) => x.toLowerCase())),
    Config.withDefault([])
  )

const pair = (s: string): readonly [string, string] | undefined => {
  const equalsIndex = s.indexOf("=")
  if (equalsIndex < 1) return undefined
  try {
    return [decodeURIComponent(s.slice(0, equalsIndex).trim()), decodeURIComponent(s.slice(equalsIndex + 1).trim())]
  } catch {
    return undefined
  }
}

/** Comma list of `name=value`, percent-encoded where need be, as OpenTelemetry writes it. */
export const pairs = (name: string) =>
  checked(name, "a comma list of name=value", (s) => items(s).every((x) => pair(x) !== undefined)).pipe(
    Config.map((s): Readonly<Record<string, string>> => Object.fromEntries(items(s).map((x) => pair(x)!)))
  )

/** A ring of keys, newest first (decisions P4, P11). */
export const secretKey = (name: string) =>
  checked(
    name,
    "32 bytes in base64, or several of them separated by commas, the newest first, no two alike",
    (s) => readRing(s) !== undefined
  ).pipe(Config.map((s) => Redacted.make(readRing(s)!)))

/** Secret that a client sends as a bearer token: visible ASCII, long enough not to be guessed. */
export const token = (name: string) =>
  checked(name, "16 to 200 visible ASCII characters", (s) => /^[!-~]{16,200}$/.test(s)).pipe(
    Config.map((s): Redacted.Redacted | undefined => Redacted.make(s)),
    Config.withDefault(undefined)
  )
