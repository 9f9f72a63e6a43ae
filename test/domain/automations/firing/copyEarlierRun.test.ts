// What a run that is retried from its failed step has from the start (developer-api.md 7.8).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeCopyEarlierRun } from "../../../../src/domain/automations/firing/copyEarlierRun.ts"
import { Sql } from "../../../../src/platform/sql/Sql.ts"
import { layerDatabase } from "../../../support/database.ts"

let event = 1
/** A run, of another one where that is said. */
const run = Effect.fnUntraced(function* (retryOf: string | null = null) {
  const sql = yield* SqlClient.SqlClient
  const [made] = yield* sql<{ run_id: string }>`
    INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on, retry_of_run_id)
    VALUES (1, 1, 1, 1, ${event++}, 'regular', 'failed', true, 1, '{}', now(), ${retryOf}::bigint) RETURNING run_id::text`
  return made!.run_id
})

const step = (runId: string, path: string, state: string, result: object | null) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      WITH items AS (
        INSERT INTO run_items (run_id, path, iteration, chunk, items) VALUES (${runId}::bigint, ${path}, '', 0, '[1, 2, 3]'))
      INSERT INTO run_ledger (run_id, path, iteration, action_id, state, attempts, result, started_on)
      VALUES (${runId}::bigint, ${path}, '', ${path}, ${state}, 1, ${JSON.stringify(result)}::jsonb, now())`
  )

const retried = Effect.fnUntraced(function* (old: string) {
  const sql = yield* SqlClient.SqlClient
  const newRunId = yield* run(old)
  yield* makeCopyEarlierRun(yield* Sql).takeOver(newRunId)
  const paths = (table: "run_ledger" | "run_items") =>
    Effect.map(
      sql<{ path: string }>`SELECT path FROM ${sql(table)} WHERE run_id = ${newRunId}::bigint ORDER BY path`,
      (rows) => rows.map(({ path }) => path)
    )
  return { fresh: newRunId, ledger: yield* paths("run_ledger"), items: yield* paths("run_items") }
})

layer(layerDatabase, { excludeTestServices: true })("a retry from the failed step (7.8)", (it) => {
  it.effect("has the items of loops and of what goes on; a step that failed is begun anew, on what it has then", () =>
    Effect.gen(function* () {
      const old = yield* run()
      yield* step(old, "0", "done", { size: 3 })
      yield* step(old, "1", "failed", { type: "values", size: 3 })
      yield* step(old, "2", "started", { done: 1, size: 3 })
      yield* step(old, "3", "failed", { done: 3, size: 3 })
      const { items, ledger } = yield* retried(old)
      assert.deepStrictEqual(ledger, ["0", "1", "2"])
      assert.deepStrictEqual(items, ledger)
    })
  )

  it.effect("begins a step anew that waited for runs it had called: the new run has none of them (7.13)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const old = yield* run()
      yield* step(old, "0", "done", { done: 3, size: 3 })
      yield* step(old, "1", "started", { done: 2, size: 3 })
      yield* sql`INSERT INTO run_calls (run_id, path, iteration, record_id)
        SELECT ${old}::bigint, path, '', record_id FROM unnest(ARRAY['0', '1']) AS path, generate_series(1, 2) AS record_id`
      const { items, ledger } = yield* retried(old)
      assert.deepStrictEqual([ledger, items], [["0"], ["0"]])
    })
  )

  it.effect("holds the files that it had been handed before, once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const old = yield* run()
      const newRunId = yield* run(old)
      for (const id of [old, newRunId]) yield* sql`INSERT INTO file_holds (file_id, holder) VALUES (7, ${`run/${id}`})`
      yield* makeCopyEarlierRun(yield* Sql).takeOver(newRunId)
      const runHolds = yield* sql`SELECT 1 FROM file_holds WHERE holder = ${`run/${newRunId}`}`
      assert.strictEqual(runHolds.length, 1)
    })
  )

  it.effect("keeps the order in which outputs came: the last one is the one that is meant (7.6)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const old = yield* run()
      for (const [app_id, seq] of [
        [9, 1000],
        [4, 2000],
        [7, 1001]
      ])
        yield* sql`INSERT INTO run_outputs (run_id, type, app_id, seq, output)
          VALUES (${old}::bigint, 'record_collection', ${app_id}, ${seq}, '{}')`
      const { fresh } = yield* retried(old)
      const order = yield* sql<{ app_id: number; seq: number }>`
        SELECT app_id::int, seq FROM run_outputs WHERE run_id = ${fresh}::bigint ORDER BY seq`
      assert.deepStrictEqual(
        order.map(({ app_id }) => app_id),
        [9, 7, 4]
      )
      assert.isTrue(new Set(order.map(({ seq }) => seq)).size === 3 && order.every(({ seq }) => seq < 0))
    })
  )
})
