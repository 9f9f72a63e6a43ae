// developer-api.md 7.11: log and ledger of a run are kept 30 days behind its end and go by weeks, each as a whole once none of its runs is left.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { pruneRuns } from "../../../../src/domain/automations/run/pruneRuns.ts"
import { OWNER } from "../../../../src/platform/sql/roles.ts"
import { configLayer } from "../../../support/app.ts"
import { asOwner, layerDatabase } from "../../../support/database.ts"
import { besideReader } from "../../../support/locks.ts"

const TABLES = ["run_logs", "run_ledger"] as const
const BILLION = 1_000_000_000

/** An installation that has had weeks for as long; the ids of that many weeks ago begin with the first billion. */
const agedBy = (weeks: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(`SET ROLE ${OWNER}`)
    for (const table of TABLES) {
      const parts = yield* sql<{ part: string }>`
        SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = ${table}::regclass`
      for (const { part } of parts) if (!part.endsWith("_default")) yield* sql.unsafe(`DROP TABLE ${part}`)
      for (let ago = weeks; ago >= 0; ago--)
        yield* sql.unsafe(`SELECT id_weeks_make('${table}', '${table}' || to_char(
          date_trunc('week', now() AT TIME ZONE 'UTC') - interval '${ago} weeks', '_YYYY_MM_DD'),
          'FOR VALUES FROM (${(weeks - ago + 1) * BILLION}) TO (${(weeks - ago + 2) * BILLION})')`)
    }
    yield* sql`SELECT setval('runs_run_id_seq', ${(weeks + 1) * BILLION}::bigint)`
    yield* sql`RESET ROLE`
  }).pipe(asOwner)

let event = 0
/** A run that ended so many days ago, or has not, with two entries and two steps. */
const lay = (id: number, endedDaysAgo: number | null) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO runs (run_id, org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on, completed_on)
      OVERRIDING SYSTEM VALUE VALUES (${id}, 1, 1, 1, 1, ${++event}, 'regular', ${endedDaysAgo === null ? "running" : "completed"}, false, 1, '{}',
        now() - interval '90 days', now() - ${endedDaysAgo}::int * interval '1 day')`
    yield* sql`INSERT INTO run_logs (run_id, seq, type, status, label, messages, logged_on)
      SELECT ${id}, n, 'action', 'success', 'Step', '[]', now() FROM generate_series(1, 2) n`
    yield* sql`INSERT INTO run_ledger (run_id, path, iteration, action_id, state, started_on)
      SELECT ${id}, n::text, '', 'a', 'done', now() FROM generate_series(1, 2) n`
  })

/** Of which runs something is left. */
const remainingRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ids = (table: string) =>
    Effect.map(sql<{ run_id: number }>`SELECT DISTINCT run_id FROM ${sql(table)} ORDER BY 1`, (rows) =>
      rows.map(({ run_id }) => run_id)
    )
  return { runs: yield* ids("runs"), logs: yield* ids("run_logs"), ledger: yield* ids("run_ledger") }
})

const remainderOf = (runs: ReadonlyArray<number>, kept: ReadonlyArray<number> = runs) => ({
  runs,
  logs: kept,
  ledger: kept
})

const parts = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ parts: number }>`
        SELECT count(*)::int AS parts FROM pg_inherits WHERE inhparent = ${table}::regclass`,
      ([row]) => row!.parts
    )
  )

layer(Layer.mergeAll(layerDatabase, configLayer()), { excludeTestServices: true })(
  "weeks of logs and ledgers",
  (it) => {
    it.effect(
      "a week goes with its last run; what others of its week leave behind does not wait for a run that waits",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* agedBy(8)
          const [first, second, recent, last, present] = [1, 2, 7, 8, 9].map((week) => week * BILLION)
          // Eight weeks ago: all is over. Seven weeks ago: one still waits. Two weeks ago one ended in its debounce, long before the others.
          yield* lay(first! + 1, 50)
          yield* lay(first! + 2, 31)
          yield* lay(second! + 1, 40)
          yield* lay(second! + 2, null)
          yield* lay(second! + 3, 29)
          yield* lay(recent! + 1, 31)
          yield* lay(recent! + 2, 12)
          yield* lay(last! + 1, 5)
          yield* lay(present! + 1, 0)
          const partsBefore = yield* parts("run_logs")

          const pruning = yield* pruneRuns
          assert.strictEqual(pruning.runs, 4)
          const runs = [second! + 2, second! + 3, recent! + 2, last! + 1, present! + 1]
          // The week before last has not had its time: what is left of its run goes with it.
          const kept = [second! + 2, second! + 3, recent! + 1, recent! + 2, last! + 1, present! + 1]
          assert.deepStrictEqual(yield* remainingRuns, remainderOf(runs, kept))
          // Of each table the first week, and four in which nothing ever was.
          assert.strictEqual(pruning.weeks, 2 * 5)
          // Next week's has come.
          assert.strictEqual(yield* parts("run_logs"), partsBefore - 5 + 1)
          assert.deepInclude(yield* pruneRuns, { runs: 0, weeks: 0 })

          yield* sql`UPDATE runs SET completed_on = now() - interval '31 days' WHERE run_id IN (${second! + 2}, ${second! + 3})`
          assert.deepInclude(yield* pruneRuns, { runs: 2, weeks: 2 })
          assert.deepStrictEqual(yield* remainingRuns, remainderOf(runs.slice(2), kept.slice(2)))
        })
    )

    for (const [what, held] of [
      ["a log", () => "run_logs"],
      ["that week alone", (part: string) => part],
      ["what has no week", () => "run_logs_default"]
    ] as const)
      it.effect(
        `while somebody reads ${what} for long a week stays for another hour, and no step waits behind that`,
        () =>
          Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            yield* sql`DELETE FROM runs`
            yield* agedBy(8)
            yield* lay(BILLION + 1, 50)
            const [oldest] = yield* sql<{ part: string }>`
              SELECT tableoid::regclass::text AS part FROM run_logs WHERE run_id = ${BILLION + 1} LIMIT 1`
            const { kept, written } = yield* besideReader(held(oldest!.part), pruneRuns, (n) => lay(9 * BILLION + n, 0))
            assert.strictEqual(kept.weeks, 0)
            assert.isAbove(written, 3)
            const partsBefore = yield* parts("run_logs")
            assert.isAbove((yield* pruneRuns).weeks, 0)
            assert.isBelow(yield* parts("run_logs"), partsBefore)
            assert.lengthOf((yield* remainingRuns).logs, written)
          })
      )
  }
)
