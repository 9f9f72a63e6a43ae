// Opens connections to mail servers that users choose, by the rules of every other outbound connection, with the ports of mail (decisions
// W9, P3).
import { connect, type Socket } from "node:net"
import { Effect, Result } from "effect"
import { type Allow, parseTarget, vettedAddresses } from "./addressGuard.ts"
import { pinned } from "./connector.ts"
import { resolveFromLookup } from "./lookupAhead.ts"
import { fromCause, OutboundError } from "./OutboundError.ts"
import type { Resolve } from "./resolveHost.ts"

/** Ports for relay, submission with TLS from the first byte, submission, and the one that hosters offer where 25 is closed. */
const MAIL_PORTS: ReadonlySet<number> = new Set([25, 465, 587, 2525])
const CONNECT_MS = 10_000

export interface MailServer {
  /** Host name or IPv4 address. */
  readonly host: string
  readonly port: number
}

const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?\.?$/i

/** Vets the address by way of a URL: the parser turns odd spellings into one, so the checked address is the one connected to. */
const vetted = ({ host, port }: MailServer, allow: Allow, resolve: Resolve) =>
  Effect.gen(function* () {
    if (!NAME.test(host))
      return yield* new OutboundError({ reason: "invalid_url", message: "This is no name of a server." })
    const { hostname } = yield* Effect.fromResult(
      Result.mapError(parseTarget(`http://${host}:${port}/`, allow, MAIL_PORTS), ({ message, reason }) =>
        reason === "port_refused"
          ? new OutboundError({ reason, message: `Only the ports ${[...MAIL_PORTS].join(", ")} are allowed.` })
          : new OutboundError({ reason, message })
      )
    )
    const addresses = yield* Effect.tryPromise({
      try: () => vettedAddresses(hostname, port, allow, resolve),
      catch: (cause) => fromCause(cause, hostname)
    })
    return { addresses, hostname }
  })

export const makeMailServers = (allow: Allow, resolve: Resolve) => ({
  check: (server: MailServer) =>
    Effect.flatMap(resolveFromLookup(resolve), (known) => Effect.asVoid(vetted(server, allow, known))),
  /** Connects to a vetted address; the caller ends the connection. */
  open: (server: MailServer) =>
    Effect.flatMap(vetted(server, allow, resolve), ({ addresses, hostname }) =>
      Effect.callback<Socket, OutboundError>((resume) => {
        const socket = connect({
          host: hostname,
          port: server.port,
          lookup: pinned(addresses) as never,
          timeout: CONNECT_MS
        })
        const failed = (cause: unknown) => {
          socket.destroy()
          resume(Effect.fail(fromCause(cause, hostname)))
        }
        const failLate = () => failed({ code: "ETIMEDOUT" })
        socket.once("error", failed)
        socket.once("timeout", failLate)
        socket.once("connect", () => {
          // Ignores a reset that comes before the caller listens, which would end the process; the caller finds the connection closed.
          socket.on("error", () => undefined)
          socket.off("error", failed)
          socket.off("timeout", failLate)
          socket.setTimeout(0)
          resume(Effect.succeed(socket))
        })
        return Effect.sync(() => socket.destroy())
      })
    )
})
