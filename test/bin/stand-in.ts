// What the launcher needs of a service, and no more: it is ready when its Postgres answers, keeps a row per start,
// answers a slow request, and drains on SIGTERM like the real one.
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { setTimeout as delay } from "node:timers/promises"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerPool } from "../../src/platform/sql/Pool.ts"

const url = Redacted.make(process.env["DATABASE_URL"] ?? "")
const pool = { url, maxConnections: 2, applicationName: "stand-in" }

const program = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO installation (name, value) VALUES (${`start/${randomUUID()}`}, ${process.pid}::text)`
  const run = Effect.runPromiseWith(yield* Effect.context<SqlClient.SqlClient>())
  const count = sql<{ n: number }>`SELECT count(*)::int AS n FROM installation WHERE name LIKE 'start/%'`.pipe(
    Effect.timeout("2 seconds")
  )
  const server = createServer(async (request, response) => {
    if (request.url === "/slow") {
      console.log("slow request in flight")
      await delay(1500)
    }
    const rows = await run(count).catch(() => undefined)
    response.writeHead(rows === undefined ? 503 : 200, { connection: "close" })
    response.end(JSON.stringify({ pid: process.pid, starts: rows?.[0]?.n, temporal: process.env["TEMPORAL_ADDRESS"] }))
  })
  server.listen(Number(process.env["PORT"]), "127.0.0.1")
  yield* Effect.callback<void>((resume) => {
    process.once("SIGTERM", () => server.close(() => resume(Effect.void)))
  })
})

await Effect.runPromise(program.pipe(Effect.provide(layerPool(pool))))
process.exit(0)
