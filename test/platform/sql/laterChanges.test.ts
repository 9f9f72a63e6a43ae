// Changes of large tables beside the service (CONTRIBUTING.md, "Change a large table"): writes go on, what is broken off goes on.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { type LaterChange, laterPending, runLater } from "../../../src/platform/sql/laterChanges.ts"
import { layerPool } from "../../../src/platform/sql/Pool.ts"
import { emptyDatabaseUrl } from "../../support/database.ts"
import { eventually } from "../../support/eventually.ts"

const database = Layer.unwrap(
  Effect.map(emptyDatabaseUrl, (url) =>
    layerPool({ url: Redacted.make(url), maxConnections: 6, applicationName: "later", statementsAtOnce: 1 })
  )
)

const ROWS = 1_000

const table = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP TABLE IF EXISTS things, installation`
  yield* sql`CREATE TABLE installation (name text PRIMARY KEY, value text NOT NULL)`
  yield* sql`CREATE TABLE things (id integer PRIMARY KEY, old integer NOT NULL, new integer)`
  yield* sql`INSERT INTO things SELECT n, n, NULL FROM generate_series(1, ${ROWS}::int) AS n`
  return sql
})

const doubled = (batches: { n: number; until: number }): LaterChange => ({
  kind: "backfill",
  name: "things.new",
  batch: (after) =>
    Effect.gen(function* () {
      if (batches.n++ >= batches.until) return yield* Effect.die("broken off")
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ id: number }>`
        UPDATE things SET new = old * 2 WHERE id IN (
          SELECT id FROM things WHERE id > ${after} ORDER BY id LIMIT 100) RETURNING id`
      return rows.length === 0 ? null : { last: Math.max(...rows.map(({ id }) => id)), rows: rows.length }
    })
})

const collected = () => {
  const lines: Array<string> = []
  return { lines, tell: (line: string) => Effect.sync(() => void lines.push(line)) }
}

layer(database, { excludeTestServices: true })("changes of large tables", (it) => {
  it.effect("a back-fill goes in batches, and on where it was broken off; done, it is not begun again", () =>
    Effect.gen(function* () {
      const sql = yield* table
      const broken = doubled({ n: 0, until: 3 })
      assert.isTrue((yield* Effect.exit(runLater([broken], () => Effect.void)))._tag === "Failure")
      const filled = sql<{ n: number }>`SELECT count(*)::int AS n FROM things WHERE new = old * 2`
      assert.deepStrictEqual(yield* filled, [{ n: 300 }])
      assert.deepStrictEqual(yield* laterPending([broken]), ["things.new"])
      const batches = { n: 0, until: 100 }
      const { lines, tell } = collected()
      assert.isTrue(yield* runLater([doubled(batches)], tell))
      assert.deepStrictEqual(yield* filled, [{ n: ROWS }])
      // The rest, and the one that found nothing.
      assert.strictEqual(batches.n, 8)
      assert.deepStrictEqual(lines, [`things.new: done, ${ROWS} rows`])
      assert.deepStrictEqual(yield* laterPending([broken]), [])
      yield* runLater([doubled(batches)], tell)
      assert.strictEqual(batches.n, 8)
    })
  )

  it.effect("an index is built while others write, and anew where a former build was broken off", () =>
    Effect.gen(function* () {
      const sql = yield* table
      const unique: LaterChange = { kind: "index", name: "things_old", on: "ON things (old)", unique: true }
      yield* sql`INSERT INTO things VALUES (0, 1, NULL)`
      assert.isTrue(yield* Effect.isFailure(runLater([unique], () => Effect.void)))
      const valid = sql`SELECT indisvalid FROM pg_index WHERE indexrelid = to_regclass('things_old')`
      assert.deepStrictEqual(yield* valid, [{ indisvalid: false }])
      yield* sql`DELETE FROM things WHERE id = 0`
      // A transaction that has written and is still open: the build waits for it, other writes do not wait for the build.
      const writeSignal = yield* Deferred.make<void>()
      const commitGate = yield* Deferred.make<void>()
      const writer = yield* Effect.forkChild(
        sql.withTransaction(
          sql`INSERT INTO things VALUES (2001, 2001, NULL)`.pipe(
            Effect.andThen(Deferred.succeed(writeSignal, undefined)),
            Effect.andThen(Deferred.await(commitGate))
          )
        )
      )
      yield* Deferred.await(writeSignal)
      const { lines, tell } = collected()
      const build = yield* Effect.forkChild(runLater([unique], tell))
      const blockedBuilds = sql`
        SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '% INDEX CONCURRENTLY %' AND wait_event_type = 'Lock'`
      yield* eventually("the build waits", blockedBuilds, (rows) => rows.length === 1)
      assert.isFalse(yield* runLater([unique], tell))
      yield* sql`INSERT INTO things VALUES (2002, 2002, NULL)`
      yield* Deferred.succeed(commitGate, undefined)
      yield* Fiber.join(writer)
      assert.isTrue(yield* Fiber.join(build))
      assert.deepStrictEqual(yield* valid, [{ indisvalid: true }])
      assert.deepStrictEqual(lines, ["things_old: done"])
      assert.deepStrictEqual(yield* laterPending([unique]), [])
    })
  )
})
