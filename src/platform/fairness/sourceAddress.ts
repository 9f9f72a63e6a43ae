// Key that an anonymous request counts for: its source address, IPv6 by the /64 that one subscriber has (decisions O21, O22). Every
// spelling of an address is the same source, and IPv4 within IPv6 is IPv4.
import { Result } from "effect"
import { NetAddress } from "effect/net"

/** Canonical IPv4, as nearly all addresses come: it has no other spelling. */
const canonicalIpv4 = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/

/** `203.0.113.7`, `2001:db8:1:2::/64`, or `unknown`: short, whatever a sender or a proxy wrote. */
export const sourceKey = (address: string | null): string => {
  if (address !== null && canonicalIpv4.test(address)) return address
  // Drops the zone, which names an interface of this machine, not the sender.
  const parsedIp = NetAddress.ipFromString((address ?? "").split("%", 1)[0]!)
  if (Result.isFailure(parsedIp)) return "unknown"
  const ip = NetAddress.toCanonical(parsedIp.success)
  if (NetAddress.isIpv4Address(ip)) return NetAddress.formatIp(ip)
  const [a, b, c, d] = NetAddress.ipv6ToSegments(ip)
  return `${NetAddress.formatIp(Result.getOrThrow(NetAddress.ipv6FromSegments([a, b, c, d, 0, 0, 0, 0])))}/64`
}
