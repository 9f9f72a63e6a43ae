// Rules of every outbound connection, as tables (decisions W9, service.md 8, developer-api.md 7.6).
import { BlockList, isIPv4 } from "node:net"

export const ALLOWED_SCHEMES: ReadonlySet<string> = new Set(["http:", "https:"])
export const ALLOWED_PORTS: ReadonlySet<number> = new Set([80, 443])
export const MAX_URL_LENGTH = 2000

/** Address ranges that nothing may connect to. Names of the IANA special-purpose registries. */
const REFUSED_RANGES: ReadonlyArray<readonly [range: string, kind: string]> = [
  ["0.0.0.0/8", "unspecified"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "shared (carrier-grade NAT)"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link-local (cloud metadata)"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.31.196.0/24", "AS112"],
  ["192.52.193.0/24", "AMT"],
  ["192.88.99.0/24", "6to4 relay"],
  ["192.168.0.0/16", "private"],
  ["192.175.48.0/24", "AS112"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["168.63.129.16/32", "cloud metadata"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved and broadcast"],
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::/96", "IPv4-compatible"],
  ["::ffff:0:0/96", "IPv4-mapped"],
  ["::ffff:0:0:0/96", "IPv4-translated"],
  ["64:ff9b::/96", "NAT64"],
  ["64:ff9b:1::/48", "local NAT64"],
  ["100::/64", "discard only"],
  ["100:0:0:1::/64", "dummy"],
  ["2001::/32", "Teredo"],
  ["2001::/23", "protocol assignments"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4"],
  ["2620:4f:8000::/48", "AS112"],
  ["3fff::/20", "documentation"],
  ["5f00::/16", "segment routing"],
  ["fc00::/7", "unique-local (cloud metadata)"],
  ["fe80::/10", "link-local"],
  ["fec0::/10", "site-local"],
  ["ff00::/8", "multicast"]
]

/**
 * Names that do not exist on the internet, and all below them, whatever name servers answer (RFC 6761, 6762, 8375, 9476): the machine's
 * own, its network's, and those of clouds' metadata.
 */
const REFUSED_NAMES: ReadonlyArray<readonly [name: string, kind: string]> = [
  ["localhost", "loopback"],
  ["localdomain", "loopback"],
  ["local", "link-local"],
  ["home.arpa", "private"],
  ["internal", "private (cloud metadata)"]
]

/**
 * Reason why this name may not be called, or `null`. `hostname` as in `URL.hostname`; a dot at its end only says that the name is fully
 * qualified.
 */
export const refusalOfName = (hostname: string): string | null => {
  const name = `.${hostname.replace(/\.$/, "")}`.toLowerCase()
  return REFUSED_NAMES.find(([refused]) => name.endsWith(`.${refused}`))?.[1] ?? null
}

/** Range that is routed on the internet at all: the rest of IPv6 is unassigned. */
const GLOBAL_IPV6 = "2000::/3"

const listOf = (range: string): BlockList => {
  const [network, bits] = range.split("/") as [string, string]
  const list = new BlockList()
  list.addSubnet(network, Number(bits), isIPv4(network) ? "ipv4" : "ipv6")
  return list
}

const refusedRanges = REFUSED_RANGES.map(([range, kind]) => ({ list: listOf(range), v4: !range.includes(":"), kind }))
const globalIpv6 = listOf(GLOBAL_IPV6)

/** Reason why this address may not be connected to, or `null`. `address` is an IP literal without brackets or zone. */
export const refusalOf = (address: string): string | null => {
  const v4 = isIPv4(address)
  const family = v4 ? "ipv4" : "ipv6"
  // Keeps the families apart: BlockList also compares a mapped IPv6 address with IPv4 ranges, and the kind named has to be its own.
  for (const rule of refusedRanges) if (rule.v4 === v4 && rule.list.check(address, family)) return rule.kind
  return v4 || globalIpv6.check(address, family) ? null : "not global unicast"
}
