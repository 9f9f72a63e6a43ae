// Resolves host names to addresses (decisions W9). The process itself asks name servers for receivers' names. The system's resolver works
// on two threads for the whole process: two receivers whose name servers hang would block every other name for as long as it waits, 20 s by
// default.
import { promises as dns } from "node:dns"

/** Resolved address of a host name, as `dns.lookup` gives it. */
export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/**
 * Resolves a host name to all of its addresses. `excepted`: the operator named it in `OUTBOUND_ALLOW`, so the hosts file and the system's
 * other sources count too.
 */
export type Resolve = (hostname: string, excepted?: boolean) => Promise<ReadonlyArray<ResolvedAddress>>

export interface NameServers {
  /** Name servers as `address:port`; the system's unless given. */
  readonly servers?: ReadonlyArray<string>
  /** Time until the first repetition; each one waits twice as long. */
  readonly timeoutMillis?: number
}

const TIMEOUT_MILLIS = 1_500
const TRIES = 2
/** Interval at which the system's list of name servers is read again. */
const RENEW_MILLIS = 60_000

/** Error codes of names that have no such address, or cannot have one. */
const NOWHERE: ReadonlySet<unknown> = new Set(["ENOTFOUND", "ENODATA", "EBADNAME"])

export const lookUpFailure = (code: "ENOTFOUND" | "EAI_AGAIN", hostname: string) =>
  Object.assign(new Error(`${code} ${hostname}`), { code })

/** False for names of one label, which belong to the machine or its network. */
export const isDotted = (hostname: string) => hostname.replace(/\.$/, "").includes(".")

export const makeResolve = ({ servers, timeoutMillis = TIMEOUT_MILLIS }: NameServers = {}): Resolve => {
  let resolver: dns.Resolver | undefined
  let renewAt = 0

  const resolverNow = () => {
    const nowMillis = performance.now()
    if (resolver === undefined || nowMillis >= renewAt) {
      resolver = new dns.Resolver({ timeout: timeoutMillis, tries: TRIES })
      if (servers !== undefined) resolver.setServers(servers)
      renewAt = nowMillis + RENEW_MILLIS
    }
    return resolver
  }

  const query = async (hostname: string): Promise<ReadonlyArray<ResolvedAddress>> => {
    const names = resolverNow()
    const [v4, v6] = await Promise.allSettled([names.resolve4(hostname), names.resolve6(hostname)])
    const resolvedAddresses = [
      ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 })) : [])
    ]
    if (resolvedAddresses.length > 0) return resolvedAddresses
    const nowhere = [v4, v6].every((one) => one.status === "rejected" && NOWHERE.has(one.reason?.code))
    throw lookUpFailure(nowhere ? "ENOTFOUND" : "EAI_AGAIN", hostname)
  }

  return (hostname, excepted = false) =>
    excepted || !isDotted(hostname) ? dns.lookup(hostname, { all: true, order: "verbatim" }) : query(hostname)
}
