// Opens sockets to checked addresses only. The name is resolved once per connection and the checked answer is the one connected to, so a
// name server that changes its answer gains nothing (decisions W9).
import { buildConnector } from "undici"
import { type Allow, vettedAddresses } from "./addressGuard.ts"
import { metered } from "./meter.ts"
import type { Resolve, ResolvedAddress } from "./resolveHost.ts"

/** Longest wait for a receiver to accept a connection; the time-outs of a policy are usually shorter. */
const CONNECT_MS = 10_000

type LookupCallback = (error: Error | null, address: string | ReadonlyArray<ResolvedAddress>, family?: number) => void

/** Makes a `lookup` for `net.connect` that returns one fixed answer. */
export const pinned =
  (addresses: ReadonlyArray<ResolvedAddress>) =>
  (_hostname: string, options: { all?: boolean }, callback: LookupCallback) =>
    options.all === true ? callback(null, addresses) : callback(null, addresses[0]!.address, addresses[0]!.family)

export const guardedConnector =
  (
    allow: Allow,
    resolve: Resolve,
    {
      mostBytes,
      ...tls
    }: { readonly ca?: string; readonly cert?: string; readonly key?: string; readonly mostBytes: number }
  ): buildConnector.connector =>
  (options, callback) => {
    const port = options.port !== "" ? Number(options.port) : options.protocol === "https:" ? 443 : 80
    vettedAddresses(options.hostname, port, allow, resolve).then(
      (addresses) =>
        buildConnector({
          ...tls,
          allowH2: false,
          maxCachedSessions: 0,
          timeout: CONNECT_MS,
          lookup: pinned(addresses) as never
        })(options, (...result) =>
          result[0] === null ? callback(null, metered(result[1], mostBytes)) : callback(...result)
        ),
      (cause) => callback(cause as Error, null)
    )
  }
