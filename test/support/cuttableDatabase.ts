// A database that can be away: a TCP port of one's own in front of Postgres, which refuses connections, or loses one at its COMMIT, or at a
// statement that commits by itself: before Postgres hears of it, or after it has committed and before the client hears of that.
import { createServer, connect as dial, type Socket } from "node:net"
import { Context, Effect, Layer, Redacted } from "effect"
import { layerPool } from "../../src/platform/sql/Pool.ts"
import { freshDatabaseUrl } from "./database.ts"

type Cut = "before" | "after"

export class Cuttable extends Context.Service<
  Cuttable,
  {
    /** Cuts every connection and refuses new ones. */
    readonly down: Effect.Effect<void>
    readonly up: Effect.Effect<void>
    /** Cuts the connection of the next COMMIT. @param statement words of the statement that is meant instead */
    readonly cutNextCommit: (when: Cut, statement?: string) => Effect.Effect<void>
    /** Runs an effect; the texts of the statements that went by meanwhile, whoever sent them, in their order. */
    readonly executedDuring: <A, E, R>(
      self: Effect.Effect<A, E, R>
    ) => Effect.Effect<{ readonly answer: A; readonly statements: ReadonlyArray<string> }, E, R>
  }
>()("test/Cuttable") {}

/** What a frontend sends: the texts of the statements that are executed, as they were prepared or in the query. */
const executedIn = () => {
  const statements = new Map<string, string>()
  let started = false
  let unreadBytes = Buffer.alloc(0)
  const text = (message: Buffer, at: number) => message.toString("utf8", at, message.indexOf(0, at))
  return (chunk: Buffer): ReadonlyArray<string> => {
    unreadBytes = Buffer.concat([unreadBytes, chunk])
    const executedTexts: Array<string> = []
    for (;;) {
      const head = started ? 1 : 0
      if (unreadBytes.length < head + 4) return executedTexts
      const end = head + unreadBytes.readUInt32BE(head)
      if (unreadBytes.length < end) return executedTexts
      const kind = started ? String.fromCharCode(unreadBytes[0]!) : ""
      const body = unreadBytes.subarray(head + 4, end)
      if (kind === "P") {
        const name = text(body, 0)
        statements.set(name, text(body, Buffer.byteLength(name) + 1))
      }
      if (kind === "B") {
        const portal = text(body, 0)
        executedTexts.push(statements.get(text(body, Buffer.byteLength(portal) + 1)) ?? "")
      }
      if (kind === "Q") executedTexts.push(text(body, 0))
      started = true
      unreadBytes = unreadBytes.subarray(end)
    }
  }
}

const proxyTo = Effect.fnUntraced(function* (host: string, targetPort: number) {
  const sockets = new Set<Socket>()
  let isOpen = true
  const listeners = new Set<(statements: ReadonlyArray<string>) => void>()
  let next: { readonly when: Cut; readonly isMeant: (statement: string) => boolean } | undefined
  const server = createServer((near) => {
    if (!isOpen) return void near.destroy()
    const far = dial(targetPort, host)
    const pair = [near, far]
    const end = () => {
      for (const socket of pair) socket.destroy()
    }
    for (const socket of pair) {
      sockets.add(socket)
      socket.on("error", end).on("close", () => {
        sockets.delete(socket)
        end()
      })
    }
    const executed = executedIn()
    let deaf = false
    near.on("data", (chunk) => {
      const statements = executed(chunk)
      for (const listener of listeners) listener(statements)
      if (next !== undefined && statements.some(next.isMeant)) {
        const { when } = next
        next = undefined
        if (when === "before") return end()
        deaf = true
      }
      far.write(chunk)
    })
    // Postgres answers a COMMIT when it is done.
    far.on("data", (chunk) => (deaf ? end() : near.write(chunk)))
  })
  yield* Effect.callback<void>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.void))
  })
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      cutAll()
      server.close(() => resume(Effect.void))
    })
  )
  const { port } = server.address() as { port: number }
  const service = Cuttable.of({
    down: Effect.sync(() => {
      isOpen = false
      cutAll()
    }),
    up: Effect.sync(() => {
      isOpen = true
    }),
    cutNextCommit: (when, statement) =>
      Effect.sync(() => {
        next = { when, isMeant: (text) => (statement === undefined ? text === "COMMIT" : text.includes(statement)) }
      }),
    executedDuring: (self) =>
      Effect.suspend(() => {
        const statements: Array<string> = []
        const listener = (texts: ReadonlyArray<string>) => void statements.push(...texts)
        listeners.add(listener)
        return self.pipe(
          Effect.map((answer) => ({ answer, statements })),
          Effect.ensuring(Effect.sync(() => void listeners.delete(listener)))
        )
      })
  })
  return { port, service }
})

/** A fresh, migrated database behind it. */
export const layerCuttable = Layer.unwrap(
  Effect.gen(function* () {
    const url = new URL(yield* freshDatabaseUrl)
    const { port, service } = yield* proxyTo(url.hostname, Number(url.port))
    url.host = `127.0.0.1:${port}`
    return Layer.merge(
      Layer.succeed(Cuttable, service),
      layerPool({ url: Redacted.make(url.href), maxConnections: 10, applicationName: "cuttable" })
    )
  })
)
