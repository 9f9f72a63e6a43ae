// The actor mechanism alone, on a real Postgres and a real Temporal (design: actors; issue "must hold").
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerPool } from "../../src/sql/Client.ts"
import { freshDatabaseUrl } from "../support/database.ts"
import { freshName, temporalAddress } from "../support/temporal.ts"
import { countWhere, eventually, layerWorker } from "./support/harness.ts"
import { append, createTables, makeTestKind } from "./support/testKind.ts"

const pool = (url: string) => layerPool({ url: Redacted.make(url), maxConnections: 4, applicationName: "test" })

const setting = Effect.gen(function* () {
  const databaseUrl = yield* freshDatabaseUrl
  yield* createTables.pipe(Effect.provide(pool(databaseUrl)))
  return { databaseUrl, temporalAddress: temporalAddress(), namespace: freshName("namespace") }
})

const eventCount = 50
describe("actors", () => {
  it.live("work on every row once, in order per record", () =>
    Effect.gen(function* () {
      const s = yield* setting
      const kind = makeTestKind({ work: () => Effect.sleep("2 millis") })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* append(Array.from({ length: eventCount }, (_, i) => ({ app: (i % 3) + 1, record: i % 7 })))
        yield* eventually("rows done", countWhere("test_done", "true"), (n) => n === eventCount)
        const wrong = yield* sql`SELECT 1 FROM test_done a JOIN test_done b ON a.lane = b.lane AND a.app_id = b.app_id
          AND a.done_id < b.done_id AND a.row_id > b.row_id`
        assert.strictEqual(wrong.length, 0)
      }).pipe(Effect.provide(layerWorker(s, kind)))
    }).pipe(Effect.scoped)
  )
})
