// developer-api.md 7.11: logs and ledgers of runs that are there already get their weeks without losing a row, an id or a right, small or
// large; new runs begin with the next billion of ids, whatever their ids began with.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgMigrator } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { laterPending, runLater } from "../../../src/platform/sql/laterChanges.ts"
import { laterList } from "../../../src/platform/sql/laterList.ts"
import { migrate } from "../../../src/platform/sql/Migrator.ts"
import { migrations } from "../../../src/platform/sql/migrations/index.ts"
import { layerPool } from "../../../src/platform/sql/Pool.ts"
import { emptyDatabaseUrl } from "../../support/database.ts"

const until46 = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0047"))
const TABLES = ["run_logs", "run_ledger"] as const
const BILLION = 1_000_000_000

/** A database of the release before, with so many runs whose log has so many bytes, and ids behind `from`. */
const former = (rows: number, bytes: number, from = 0) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* PgMigrator.run({ loader: PgMigrator.fromRecord(until46) })
    yield* sql`
      INSERT INTO run_logs (run_id, seq, type, status, label, messages, logged_on)
      SELECT ${from}::bigint + n, 1, 'trigger', 'success', rpad('Began', ${bytes}), '[]', now() FROM generate_series(1, ${rows}::int) n`
    yield* sql`
      INSERT INTO run_ledger (run_id, path, iteration, action_id, state, result, started_on)
      SELECT ${from}::bigint + n, '0', '', 'a', 'done', to_jsonb(rpad('ok', ${bytes})), now() FROM generate_series(1, ${rows}::int) n`
    yield* sql`SELECT setval('runs_run_id_seq', ${from}::bigint + ${rows}::int)`
    return sql
  })

const onEmptyDatabase = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const url = yield* emptyDatabaseUrl
    const pool = layerPool({
      url: Redacted.make(url),
      maxConnections: 4,
      applicationName: "weeks",
      statementsAtOnce: 1
    })
    return yield* Effect.provide(effect, [pool, NodeServices.layer])
  }).pipe(Effect.scoped)

const allRows = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(TABLES, (table) => sql.unsafe(`SELECT * FROM ${table} ORDER BY run_id`))
)

const parts = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ part: string }>`
        SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = ${table}::regclass ORDER BY 1`,
      (found) => found.map(({ part }) => part)
    )
  )

/** As a step commits it: again for the same place it changes what is there. */
const step = (runId: number, state: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ state: string; part: string }>`
      INSERT INTO run_ledger (run_id, path, iteration, action_id, state, started_on)
      VALUES (${runId}::bigint, '0', '', 'a', ${state}, now())
      ON CONFLICT (run_id, path, iteration) DO UPDATE SET state = excluded.state
      RETURNING state, tableoid::regclass::text AS part`
  )

/** Until nothing is left to do, as housekeeping calls it. */
const keep = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.gen(function* () {
    const steps: Array<string> = []
    while (steps.length < 10) {
      const [row] = yield* sql<{ step: string | null }>`SELECT run_log_keep() AS step`
      if (row!.step === null) break
      steps.push(row!.step)
    }
    return steps
  })
)

const draw = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ id: number }>`SELECT nextval('runs_run_id_seq') AS id`, ([row]) => row!.id)
)

const thisWeek = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ part: string }>`
        SELECT ${table} || to_char(date_trunc('week', now() AT TIME ZONE 'UTC'), '_YYYY_MM_DD') AS part`,
      ([row]) => row!.part
    )
  )

describe("logs and ledgers of runs get their weeks", () => {
  it.live("small ones by the migration: rows, ids and rights as they were", () =>
    onEmptyDatabase(
      Effect.gen(function* () {
        const sql = yield* former(100, 10)
        const role = `runner_${process.pid}`
        yield* sql.unsafe(`CREATE ROLE ${role}`)
        yield* Effect.gen(function* () {
          yield* sql.unsafe(`GRANT SELECT, INSERT ON run_ledger TO ${role}`)
          const rowsBefore = yield* allRows
          yield* migrate
          assert.deepStrictEqual(yield* allRows, rowsBefore)
          assert.deepStrictEqual(yield* laterPending(laterList), [])
          const rights = yield* sql`
            SELECT has_table_privilege(${role}, 'run_ledger', 'SELECT, INSERT') AS had,
              has_table_privilege(${role}, 'run_ledger', 'DELETE') AS more`
          assert.deepStrictEqual(rights, [{ had: true, more: false }])
        }).pipe(
          Effect.ensuring(
            Effect.orDie(Effect.andThen(sql.unsafe(`DROP OWNED BY ${role}`), sql.unsafe(`DROP ROLE ${role}`)))
          )
        )
        assert.deepStrictEqual(yield* step(7, "failed"), [{ state: "failed", part: "run_ledger_before" }])
        for (const table of TABLES) {
          const partNames = yield* parts(table)
          assert.lengthOf(partNames, 4, table)
          assert.includeMembers(partNames, [`${table}_before`, `${table}_default`, yield* thisWeek(table)])
        }
      })
    )
  )

  for (const cell of [0, 7e12])
    it.live(`new ids are this week's once its parts are there, with ids that began at ${cell}`, () =>
      onEmptyDatabase(
        Effect.gen(function* () {
          const sql = yield* former(3, 10, cell)
          yield* migrate
          assert.strictEqual(yield* draw, cell + 4)
          assert.deepStrictEqual(yield* keep, ["jumped", "analyzed", "analyzed"])
          const id = cell + BILLION
          assert.strictEqual(yield* draw, id + 1)
          const part = yield* thisWeek("run_ledger")
          assert.deepStrictEqual(yield* step(id + 1, "started"), [{ state: "started", part }])
          assert.deepStrictEqual(yield* step(id + 1, "done"), [{ state: "done", part }])
          assert.deepStrictEqual(yield* keep, [])
          assert.strictEqual(yield* draw, id + 2)
          // The last id of next week, and the first that nobody has made room for: it is kept and found all the same.
          assert.match((yield* step(id + 2 * BILLION - 1, "done"))[0]!.part, /_\d{4}_\d\d_\d\d$/)
          const astray = id + 2 * BILLION
          assert.deepStrictEqual(yield* step(astray, "started"), [{ state: "started", part: "run_ledger_default" }])
          assert.deepStrictEqual(yield* step(astray, "done"), [{ state: "done", part: "run_ledger_default" }])
          yield* sql`SELECT run_log_forget(ARRAY[${astray}::bigint, ${id + 1}::bigint])`
          const remainingRows =
            yield* sql`SELECT run_id FROM run_ledger WHERE run_id > ${cell + 3}::bigint ORDER BY run_id`
          assert.deepStrictEqual(remainingRows, [{ run_id: id + 1 }, { run_id: id + 2 * BILLION - 1 }])
        })
      )
    )

  it.live("large ones beside the service: without weeks until then, and what is written meanwhile stays", () =>
    onEmptyDatabase(
      Effect.gen(function* () {
        const sql = yield* former(40_000, 1_900)
        yield* migrate
        assert.deepStrictEqual(yield* laterPending(laterList), [...TABLES])
        for (const table of TABLES) assert.deepStrictEqual(yield* parts(table), [`${table}_before`])
        assert.deepStrictEqual(yield* keep, [])
        assert.deepStrictEqual(yield* step(40_001, "done"), [{ state: "done", part: "run_ledger_before" }])
        // Its runs go by the row until then.
        yield* sql`SELECT run_log_forget(ARRAY[1, 2, 3]::bigint[])`
        const counts = sql`SELECT (SELECT count(*)::int FROM run_logs) AS logs, (SELECT count(*)::int FROM run_ledger) AS ledger`
        assert.deepStrictEqual(yield* counts, [{ logs: 39_997, ledger: 39_998 }])
        assert.isTrue(yield* runLater(laterList, () => Effect.void))
        assert.deepStrictEqual(yield* counts, [{ logs: 39_997, ledger: 39_998 }])
        assert.deepStrictEqual(yield* laterPending(laterList), [])
        for (const table of TABLES) {
          const partNames = yield* parts(table)
          assert.lengthOf(partNames, 4, table)
          assert.includeMembers(partNames, [`${table}_before`, `${table}_default`])
        }
        assert.strictEqual((yield* keep)[0], "jumped")
        assert.deepStrictEqual(yield* step(yield* draw, "done"), [
          { state: "done", part: yield* thisWeek("run_ledger") }
        ])
      })
    )
  )
})
