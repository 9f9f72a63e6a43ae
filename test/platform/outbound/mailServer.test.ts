// decisions W9, P3: connections to mail servers that organizations choose, by the rules of every other one, against real sockets.
import { createServer, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeMailServers } from "../../../src/platform/outbound/mailServer.ts"
import type { Resolve } from "../../../src/platform/outbound/resolveHost.ts"

const resolvesTo =
  (address: string): Resolve =>
  async () => [{ address, family: 4 }]

/** One that resets a connection when it is told to. */
const resetting = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly reset: Effect.Effect<void>; readonly close: () => void }>(
    (resume) => {
      const acceptedSocket = Promise.withResolvers<Socket>()
      const server = createServer(acceptedSocket.resolve)
      const reset = Effect.promise(async () => void (await acceptedSocket.promise).resetAndDestroy())
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as { port: number }
        resume(Effect.succeed({ port, reset, close: () => server.close() }))
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)

describe("mail servers (W9)", () => {
  it.effect.each([
    { server: { host: "mail.example.com", port: 587 }, address: "10.0.0.5", reason: "address_refused" },
    { server: { host: "0x7f.1", port: 587 }, address: "127.0.0.1", reason: "address_refused" },
    { server: { host: "mail.example.com", port: 22 }, address: "192.0.2.1", reason: "port_refused" },
    { server: { host: "user@mail.example.com", port: 587 }, address: "192.0.2.1", reason: "invalid_url" },
    { server: { host: "mail.example.com/x", port: 587 }, address: "192.0.2.1", reason: "invalid_url" },
    { server: { host: "mail.example.com\r\nQUIT", port: 587 }, address: "192.0.2.1", reason: "invalid_url" }
  ])("refuses %s", ({ server, address, reason }) =>
    Effect.gen(function* () {
      const servers = makeMailServers(new Set(), resolvesTo(address))
      assert.strictEqual((yield* Effect.flip(servers.check(server))).reason, reason)
      assert.strictEqual((yield* Effect.flip(servers.open(server))).reason, reason)
    })
  )

  it.effect(
    "opens a connection to one that the operator has excepted, and outlives one that resets it before anybody listens",
    () =>
      Effect.gen(function* () {
        const { port, reset } = yield* resetting
        const servers = makeMailServers(new Set([`mail.example.com:${port}`]), resolvesTo("127.0.0.1"))
        const socket = yield* servers.open({ host: "mail.example.com", port })
        yield* reset
        yield* Effect.callback<void>((resume) => {
          if (socket.destroyed) resume(Effect.void)
          else socket.once("close", () => resume(Effect.void))
        })
        assert.isTrue(socket.destroyed)
      }).pipe(Effect.scoped)
  )
})
