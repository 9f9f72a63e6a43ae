// The harness itself: every test file has a migrated database of its own on the run's Postgres.
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { emptyDatabaseUrl, freshDatabaseUrl, layerDatabase } from "./database.ts"

layer(layerDatabase, { excludeTestServices: true })("the test database", (it) => {
  it.effect("is Postgres 18 and migrated", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ version: number }>`
        SELECT current_setting('server_version_num')::int / 10000 AS version
        FROM effect_sql_migrations LIMIT 1`
      assert.deepStrictEqual(rows, [{ version: 18 }])
    })
  )

  it.effect("folds the case of letters beyond ASCII", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      assert.deepStrictEqual(yield* sql`SELECT lower('ÄÉ') AS low, 'Straße' ILIKE 'STRAßE' AS same`, [
        { low: "äé", same: true }
      ])
    })
  )
})

describe("test database URLs", () => {
  it.live("name another database each time", () =>
    Effect.gen(function* () {
      const urls = yield* Effect.all([freshDatabaseUrl, freshDatabaseUrl, emptyDatabaseUrl], { concurrency: 3 })
      assert.strictEqual(new Set(urls).size, 3)
    })
  )
})
