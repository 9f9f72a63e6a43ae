// `webhook listen`: a receiver for the developer's own machine. It verifies and prints what a hook is sent; its address has to be
// excepted from the guard on private ones (decisions W9, W14, P2).
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Clock, Console, Effect, Queue, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { FormerSecret } from "../../domain/webhooks/mailboxRows.ts"
import { signatureProblem } from "../../domain/webhooks/signature.ts"
import { makeKeyring } from "../../domain/webhooks/signingKeys.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { jsonb } from "../../platform/sql/columns.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { failWith } from "./output.ts"

const BODY_MOST = 16 * 1024 * 1024

const Hook = Schema.Struct({
  hook_id: Schema.Int,
  url: Schema.String,
  status: Schema.String,
  secret: Schema.Uint8Array,
  former_secrets: jsonb<ReadonlyArray<FormerSecret>>()
})

interface Came {
  readonly headers: IncomingMessage["headers"]
  readonly body: string
  readonly response: ServerResponse
}

/** Requests as they come, for as long as the scope is open. */
const requests = Effect.fnUntraced(function* (port: number) {
  const came = yield* Queue.unbounded<Came>()
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    request.on("data", (chunk: Uint8Array) => {
      size += chunk.byteLength
      if (size > BODY_MOST) request.destroy()
      else chunks.push(chunk)
    })
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8")
      Queue.offerUnsafe(came, { headers: request.headers, body, response })
    })
  }
  yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>, Error>((resume) => {
      const server = createServer(listener)
      server.on("error", (cause) => resume(Effect.fail(cause)))
      server.listen(port, "localhost", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  return came
})

const singleValue = (value: string | ReadonlyArray<string> | undefined) =>
  typeof value === "string" ? value : undefined

const findHook = Effect.fnUntraced(function* (hookId: number) {
  const sql = yield* Sql
  const hook = yield* rowOf(Hook)(sql`
    SELECT hook_id, url, status, secret, former_secrets FROM hooks WHERE hook_id = ${String(hookId)}::numeric`)
  return hook ?? (yield* failWith({ message: `No hook with id ${hookId}.` }))
})

/** The first lines: where the hook points, and what keeps its POSTs from coming. */
const introduced = Effect.fnUntraced(function* (hookId: number, port: number) {
  const { outboundAllow } = yield* AppConfig
  const { status, url } = yield* findHook(hookId)
  const { hostname, host, protocol } = new URL(url)
  const address = host === hostname ? `${hostname}:${protocol === "https:" ? 443 : 80}` : host
  yield* Console.log(
    `Listening on http://localhost:${port} for hook ${hookId} (${status}), which is sent to ${address}.`
  )
  const excepted: ReadonlyArray<string> = outboundAllow
  if (!excepted.includes(`localhost:${port}`))
    yield* Console.log(`The service reaches this address only with OUTBOUND_ALLOW=localhost:${port}.`)
  if (address !== `localhost:${port}`)
    yield* Console.log(`The hook is sent elsewhere: PUT /v1/hook/${hookId} { "url": "http://localhost:${port}/" }.`)
})

export const webhookListen = Command.make(
  "listen",
  {
    hookId: Argument.Int("hook_id"),
    port: Flag.Int("port").pipe(Flag.withDefault(4400)),
    count: Flag.Int("count").pipe(Flag.withDescription("End after so many; 0 for never"), Flag.withDefault(0))
  },
  Effect.fnUntraced(function* ({ count, hookId, port }) {
    const { keysOf } = yield* makeKeyring
    yield* introduced(hookId, port)
    const came = yield* requests(port).pipe(
      Effect.catch((cause) => failWith({ message: `Port ${port}: ${cause.message}` }))
    )
    for (let receivedCount = 1; ; receivedCount++) {
      const { body, headers, response } = yield* Queue.take(came)
      const nowMillis = yield* Clock.currentTimeMillis
      // Each time anew: secrets may have been rotated.
      const keys = yield* keysOf(yield* findHook(hookId), nowMillis)
      const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
        singleValue(headers[name])
      )
      const why = signatureProblem({ id, timestamp, signature, body }, keys, nowMillis)
      const sample = headers["webhook-test"] === undefined ? "" : " test"
      yield* Console.log(
        `${new Date(nowMillis).toISOString()} ${why === null ? "verified" : `refused (${why})`}${sample} ${id ?? ""} ${body}`
      )
      yield* Effect.sync(() => response.writeHead(why === null ? 204 : 401).end())
      if (receivedCount === count) return
    }
  }, Effect.scoped)
).pipe(Command.withDescription("Receive, verify and print what a hook is sent, on this machine during development"))
