// decisions W7, W8: a log that is there already gets its weeks without losing a delivery, an id or a right, small or large.
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

const until36 = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "0037"))
const TABLES = ["webhook_deliveries", "webhook_attempts"] as const

/** A database of the release before, with so many deliveries of which each has a payload of so many bytes. */
const former = (rows: number, bytes: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* PgMigrator.run({ loader: PgMigrator.fromRecord(until36) })
    yield* sql`
      INSERT INTO webhook_deliveries (hook_id, event_id, record_id, type, status, payload, num_attempts, created_on)
      SELECT n % 3, n, n, 'record.create', 'delivered', rpad('{}', ${bytes}), 1, now() FROM generate_series(1, ${rows}::int) n`
    yield* sql`
      INSERT INTO webhook_attempts (hook_id, event_id, attempt, attempted_on, latency_ms, response_body)
      SELECT n % 3, n, 1, now(), 5, rpad('ok', ${bytes}) FROM generate_series(1, ${rows}::int) n`
    yield* sql`SELECT setval('outbox_event_id_seq', ${rows}::int)`
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
  Effect.forEach(TABLES, (table) => sql.unsafe(`SELECT * FROM ${table} ORDER BY event_id`))
)

const parts = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ part: string }>`
        SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = ${table}::regclass ORDER BY 1`,
      (found) => found.map(({ part }) => part)
    )
  )

const insert = (hookId: number, eventId: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ event_id: number; part: string }>`
      INSERT INTO webhook_deliveries (hook_id, event_id, type, status, payload, created_on)
      VALUES (${hookId}, ${eventId}, 'record.create', 'queued', '{}', now()) ON CONFLICT DO NOTHING
      RETURNING event_id, tableoid::regclass::text AS part`
  )

/** Until nothing is left to do, as housekeeping calls it. */
const keep = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.gen(function* () {
    const steps: Array<string> = []
    while (steps.length < 10) {
      const [row] = yield* sql<{ step: string | null }>`SELECT webhook_log_keep(30) AS step`
      if (row!.step === null) break
      steps.push(row!.step)
    }
    return steps
  })
)

const draw = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(sql<{ id: number }>`SELECT nextval('outbox_event_id_seq') AS id`, ([row]) => row!.id)
)

describe("the log of webhooks gets its weeks", () => {
  it.live("a small one by the migration: rows, ids and rights as they were, each event once for a hook", () =>
    onEmptyDatabase(
      Effect.gen(function* () {
        const sql = yield* former(100, 10)
        const role = `worker_${process.pid}`
        yield* sql.unsafe(`CREATE ROLE ${role}`)
        yield* Effect.gen(function* () {
          yield* sql.unsafe(`GRANT SELECT, INSERT ON webhook_deliveries TO ${role}`)
          const rowsBefore = yield* allRows
          yield* migrate
          assert.deepStrictEqual(yield* allRows, rowsBefore)
          assert.deepStrictEqual(yield* laterPending(laterList), [])
          // Before anybody grants them anew.
          const rights = yield* sql`
            SELECT has_table_privilege(${role}, 'webhook_deliveries', 'SELECT, INSERT') AS had,
              has_table_privilege(${role}, 'webhook_deliveries', 'DELETE') AS more`
          assert.deepStrictEqual(rights, [{ had: true, more: false }])
        }).pipe(
          Effect.ensuring(
            Effect.orDie(Effect.andThen(sql.unsafe(`DROP OWNED BY ${role}`), sql.unsafe(`DROP ROLE ${role}`)))
          )
        )
        assert.deepStrictEqual(yield* insert(7 % 3, 7), [])
        assert.deepStrictEqual(yield* insert(50, 7), [{ event_id: 7, part: "webhook_deliveries_before" }])
        for (const table of TABLES) {
          const partNames = yield* parts(table)
          assert.lengthOf(partNames, 4, table)
          assert.includeMembers(partNames, [`${table}_before`, `${table}_default`])
        }
      })
    )
  )

  it.live("new ids begin with the week, once its partitions are there; the same event stays one", () =>
    onEmptyDatabase(
      Effect.gen(function* () {
        const sql = yield* former(3, 10)
        yield* migrate
        assert.strictEqual(yield* draw, 4)
        assert.deepStrictEqual(yield* keep, ["jumped", "analyzed", "analyzed"])
        const [first] = yield* sql<{ id: number; part: string }>`
          SELECT id_week_first(id_week(now())) AS id, to_char(date_trunc('week', now() AT TIME ZONE 'UTC'), '"webhook_deliveries_"YYYY_MM_DD') AS part`
        const { id, part } = first!
        assert.strictEqual(yield* draw, id + 1)
        assert.deepStrictEqual(yield* insert(1, id), [{ event_id: id, part }])
        assert.deepStrictEqual(yield* insert(1, id), [])
        assert.deepStrictEqual(yield* keep, [])
        assert.strictEqual(yield* draw, id + 2)
        // The last id of next week, and the first that nobody has made room for.
        const beyond = id + 2 * 10_000_000_000
        assert.match((yield* insert(1, beyond - 1))[0]!.part, /_\d{4}_\d\d_\d\d$/)
        assert.deepStrictEqual(yield* insert(1, beyond), [{ event_id: beyond, part: "webhook_deliveries_default" }])
        assert.deepStrictEqual(yield* insert(1, beyond), [])
      })
    )
  )

  it.live(
    "a large one beside the service: it stays a log without weeks until then, and what is written meanwhile stays",
    () =>
      onEmptyDatabase(
        Effect.gen(function* () {
          const sql = yield* former(40_000, 1_900)
          yield* migrate
          assert.deepStrictEqual(yield* laterPending(laterList), [...TABLES])
          for (const table of TABLES) assert.deepStrictEqual(yield* parts(table), [`${table}_before`])
          // It is a log like any other until then, by the row.
          assert.deepStrictEqual(yield* keep, [])
          assert.deepStrictEqual(yield* insert(1, 40_001), [{ event_id: 40_001, part: "webhook_deliveries_before" }])
          yield* sql`UPDATE webhook_deliveries SET created_on = now() - interval '31 days' WHERE event_id <= 10`
          assert.deepStrictEqual(yield* sql`SELECT * FROM webhook_log_astray(30, 7)`, [{ deliveries: 7, attempts: 0 }])
          assert.deepStrictEqual(yield* sql`SELECT * FROM webhook_log_astray(30, 7)`, [{ deliveries: 3, attempts: 0 }])
          const counts = sql`SELECT (SELECT count(*)::int FROM webhook_deliveries) AS d, (SELECT count(*)::int FROM webhook_attempts) AS a`
          assert.deepStrictEqual(yield* counts, [{ d: 39_991, a: 40_000 }])
          assert.isTrue(yield* runLater(laterList, () => Effect.void))
          assert.deepStrictEqual(yield* counts, [{ d: 39_991, a: 40_000 }])
          assert.deepStrictEqual(yield* laterPending(laterList), [])
          for (const table of TABLES) {
            const partNames = yield* parts(table)
            assert.lengthOf(partNames, 4, table)
            assert.includeMembers(partNames, [`${table}_before`, `${table}_default`])
          }
          assert.deepStrictEqual((yield* keep)[0], "jumped")
          assert.notStrictEqual((yield* insert(1, yield* draw))[0]!.part, "webhook_deliveries_before")
        })
      )
  )
})
