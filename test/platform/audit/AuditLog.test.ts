// decisions O23: refusals are counted in one row a minute; the log is by month, append-only for the service, and kept two years.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Housekeeping } from "../../../src/domain/housekeeping/Housekeeping.ts"
import { CurrentActor, operator } from "../../../src/platform/audit/AuditActor.ts"
import { AuditLog, SourceAddress } from "../../../src/platform/audit/AuditLog.ts"
import { appLayer, seedOrganization } from "../../support/app.ts"
import { asOwner, ddl } from "../../support/database.ts"
import { besideReader } from "../../support/locks.ts"
import { registerClient } from "../../support/oauth.ts"

const virtual = Effect.provide(TestClock.layer())
const from = (address: string) => Effect.provideService(SourceAddress, address)

const partitions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`
    SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'audit_log'::regclass ORDER BY 1`
  return rows.map(({ name }) => name)
})
/** `audit_log_YYYY_MM` of the database's month, `ahead` months on. */
const partAt = (ahead: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ name: string }>`
      SELECT to_char(date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => ${ahead}),
        '"audit_log_"YYYY_MM') AS name`
    return row!.name
  })
const partsOf = (event: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{
      part: string
    }>`SELECT tableoid::regclass::text AS part FROM audit_log WHERE event = ${event}`
    return rows.map(({ part }) => part)
  })
/** An entry of some months ago. */
const entry = (event: string, months: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      INSERT INTO audit_log (happened_on, event)
      VALUES (date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC' - make_interval(months => ${months})
        + interval '1 day', ${event})`
  })

layer(Housekeeping.layer.pipe(Layer.provideMerge(appLayer())), { excludeTestServices: true })(
  "decisions O23: the audit log",
  (it) => {
    it.effect(
      "says by whom, with which credential and from where: of whoever acts, unless the entry names somebody",
      () =>
        Effect.gen(function* () {
          const audit = yield* AuditLog
          const { orgId, owner } = yield* seedOrganization()
          const actor = {
            ...{ userId: owner.userId, credential: "oauth_access_token", credentialId: 7 },
            ...{ clientId: "tide", connectionId: 7 }
          }
          const acting = <A, E, R>(self: Effect.Effect<A, E, R>) =>
            self.pipe(Effect.provideService(CurrentActor, actor), from("198.51.100.7"))
          yield* acting(audit.record({ event: "app.created", orgId }))
          yield* acting(audit.recordAll([{ event: "field.added", orgId }]))
          yield* acting(audit.record({ event: "user.added", orgId, userId: 99 }))
          yield* Effect.provideService(audit.record({ event: "app.deleted", orgId }), CurrentActor, operator)
          yield* audit.record({ event: "automation.paused", orgId })
          const rows = (yield* audit.read({ orgId })).toReversed()
          assert.deepStrictEqual(
            rows.map(({ client_id, connection_id, credential, credential_id, source_address, user_id }) => [
              ...[user_id, credential, credential_id, client_id, connection_id, source_address]
            ]),
            [
              [owner.userId, "oauth_access_token", 7, "tide", 7, "198.51.100.7"],
              [owner.userId, "oauth_access_token", 7, "tide", 7, "198.51.100.7"],
              [99, "oauth_access_token", 7, "tide", 7, "198.51.100.7"],
              [null, "operator", null, null, null, null],
              [null, null, null, null, null, null]
            ]
          )
        })
    )

    it.effect(
      "counted by event, reason, source, known client and minute; the admins see what was tried at their people",
      () =>
        Effect.gen(function* () {
          const audit = yield* AuditLog
          const { orgId, owner } = yield* seedOrganization()
          const clientId = yield* registerClient()
          yield* TestClock.setTime(Date.parse("2026-03-01T10:00:30Z"))
          const limited = { event: "token.refused", reasonId: "RATE_LIMITED" } as const
          for (let i = 0; i < 500; i++)
            yield* from(`2001:db8::${i}`)(audit.count({ ...limited, clientId: `svc_oc_${i}` }))
          for (let i = 0; i < 3; i++) yield* from("203.0.113.1")(audit.count({ ...limited, clientId }))
          yield* from("203.0.113.1")(audit.count({ event: "person.sign_in_throttled", personId: owner.personId }))
          yield* audit.flush
          yield* from("203.0.113.1")(audit.count({ event: "person.sign_in_throttled", personId: owner.personId }))
          yield* TestClock.adjust("30 seconds")
          yield* from("203.0.113.1")(audit.count({ ...limited, clientId }))
          const rows = yield* audit.read({ reasonId: "RATE_LIMITED" })
          const visibleRows = rows.map((row) => [
            row.happened_on.toISOString(),
            row.source_address,
            row.client_id,
            row.count
          ])
          assert.sameDeepMembers(visibleRows, [
            ["2026-03-01T10:01:00.000Z", "203.0.113.1", clientId, 1],
            ["2026-03-01T10:00:00.000Z", "203.0.113.1", clientId, 3],
            ["2026-03-01T10:00:00.000Z", "2001:db8::/64", null, 500]
          ])
          const auditRows = yield* audit.read({ orgId })
          assert.deepStrictEqual(
            auditRows.map((row) => [row.event, row.user_id, row.person_id, row.count]),
            [["person.sign_in_throttled", owner.userId, owner.personId, 2]]
          )
        }).pipe(virtual)
    )

    it.effect("a flood from everywhere stays bounded in memory and in rows, and none goes uncounted", () =>
      Effect.gen(function* () {
        const audit = yield* AuditLog
        const sql = yield* SqlClient.SqlClient
        const refusal = { event: "register.refused", reasonId: "RATE_LIMITED" } as const
        for (let i = 0; i < 5000; i++) yield* from(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)(audit.count(refusal))
        yield* audit.flush
        const [grown] = yield* sql<{ rows: number; total: number }>`
          SELECT count(*)::int AS rows, sum(count)::int AS total FROM audit_log WHERE event = 'register.refused'`
        assert.strictEqual(grown!.total, 5000)
        assert.isAtMost(grown!.rows, 2001)
      }).pipe(virtual)
    )

    it.effect("what cannot be written waits, and is written with what came meanwhile", () =>
      Effect.gen(function* () {
        const audit = yield* AuditLog
        const refusal = { event: "revoke.refused", reasonId: "REQUEST_INVALID" } as const
        yield* audit.count(refusal)
        yield* ddl("ALTER TABLE audit_log RENAME TO audit_log_away")
        yield* audit.flush
        yield* audit.flush
        yield* ddl("ALTER TABLE audit_log_away RENAME TO audit_log")
        yield* audit.count(refusal)
        assert.deepStrictEqual(
          (yield* audit.read({ event: "revoke.refused" })).map((row) => row.count),
          [2]
        )
      }).pipe(virtual)
    )

    it.effect(
      "a client id that Postgres cannot hold, or that is cut within a character, keeps no refusal from being written",
      () =>
        Effect.gen(function* () {
          const audit = yield* AuditLog
          yield* TestClock.setTime(Date.parse("2026-03-03T10:00:30Z"))
          yield* audit.count({ event: "introspect.refused", clientId: `${"a".repeat(499)}\u{1f600}` })
          yield* audit.count({ event: "introspect.refused", clientId: "nobody" })
          yield* audit.count({ event: "introspect.refused", clientId: "no\u0000body" })
          assert.deepStrictEqual(
            (yield* audit.read({ event: "introspect.refused" })).map((row) => row.count),
            [3]
          )
        }).pipe(virtual)
    )

    it.effect("the service's role changes nothing but counts, and those only upwards; it removes nothing", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const role = `service_${process.pid}`
        yield* entry("kept.entry", 0)
        yield* sql`INSERT INTO audit_log (happened_on, event, count) VALUES (now(), 'kept.count', 7)`
        const part = (yield* partsOf("kept.entry"))[0]!
        yield* sql.unsafe(`CREATE ROLE ${role}`)
        yield* Effect.gen(function* () {
          yield* sql.unsafe(`GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON audit_log, ${part} TO ${role}`)
          const as = (statement: string) =>
            sql.withTransaction(Effect.andThen(sql.unsafe(`SET LOCAL ROLE ${role}`), sql.unsafe(statement)))
          yield* as("UPDATE audit_log SET count = count + 1 WHERE event = 'kept.count'")
          yield* as("INSERT INTO audit_log (happened_on, event) VALUES (now(), 'kept.entry')")
          assert.deepStrictEqual(yield* as("SELECT audit_log_keep(0) AS n"), [{ n: 0 }])
          const forbidden: ReadonlyArray<readonly [string, RegExp]> = [
            ["UPDATE audit_log SET count = count - 1 WHERE event = 'kept.count'", /append-only/],
            ["UPDATE audit_log SET count = NULL WHERE event = 'kept.count'", /append-only/],
            ["UPDATE audit_log SET count = 9, event = 'x' WHERE event = 'kept.count'", /append-only/],
            [
              "UPDATE audit_log SET count = 9, happened_on = now() - interval '2 months' WHERE event = 'kept.count'",
              /append-only/
            ],
            ["UPDATE audit_log SET count = 1 WHERE event = 'kept.entry'", /append-only/],
            ["UPDATE audit_log SET event = 'x' WHERE event = 'kept.entry'", /append-only/],
            [`UPDATE ${part} SET event = 'x' WHERE event = 'kept.entry'`, /append-only/],
            [`DELETE FROM ${part} WHERE event = 'kept.entry'`, /append-only/],
            ["DELETE FROM audit_log WHERE event = 'kept.entry'", /append-only/],
            ["TRUNCATE audit_log", /append-only|permission denied/],
            [`TRUNCATE ${part}`, /append-only/],
            [`DROP TABLE ${part}`, /must be owner/],
            [`ALTER TABLE audit_log DETACH PARTITION ${part}`, /must be owner/],
            ["ALTER TABLE audit_log DISABLE TRIGGER ALL", /must be owner/],
            ["SELECT audit_log_add_month('2040-01-01')", /permission denied/],
            ["SELECT audit_log_add_default()", /permission denied/],
            ["SELECT audit_log_guard('people')", /permission denied/]
          ]
          for (const [statement, why] of forbidden) {
            const error = yield* Effect.flip(as(statement))
            assert.match(String((error as any).cause?.cause ?? error.cause), why, statement)
          }
          assert.strictEqual((yield* partsOf("kept.entry")).length, 2)
        }).pipe(
          Effect.ensuring(
            Effect.orDie(Effect.andThen(sql.unsafe(`DROP OWNED BY ${role}`), sql.unsafe(`DROP ROLE ${role}`)))
          )
        )
      }).pipe(asOwner)
    )

    it.effect("months are made ahead; what found none moves into its own; what is older than the retention goes", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const housekeeping = yield* Housekeeping
        const futureParts = yield* Effect.forEach([0, 1, 2, 3], partAt)
        assert.includeMembers(yield* partitions, [...futureParts, "audit_log_default"])
        // A database that was made in a former month has that month's partition, too.
        for (const months of [3, 23, 24, 25, 40]) yield* entry(`aged.${months}`, months)
        yield* sql`INSERT INTO audit_log (happened_on, event) VALUES (now() + interval '10 years', 'aged.future')`
        for (const months of [3, 40]) assert.deepStrictEqual(yield* partsOf(`aged.${months}`), ["audit_log_default"])
        const ids = sql<{ audit_id: number }>`SELECT audit_id FROM audit_log WHERE event LIKE 'aged.%' ORDER BY 1`
        const initialIds = yield* ids
        assert.deepStrictEqual(yield* housekeeping.run("audit"), { audit_months: 0 })
        for (const months of [3, 23, 24])
          assert.deepStrictEqual(yield* partsOf(`aged.${months}`), [yield* partAt(-months)], String(months))
        for (const months of [25, 40]) assert.deepStrictEqual(yield* partsOf(`aged.${months}`), [])
        assert.deepStrictEqual(yield* partsOf("aged.future"), ["audit_log_default"])
        assert.deepStrictEqual(
          yield* ids,
          initialIds.filter((_, at) => at !== 3 && at !== 4)
        )
        assert.deepStrictEqual(yield* housekeeping.run("audit"), { audit_months: 0 })
        // A shorter retention, as the operator sets it: never below three months, whoever asks.
        assert.deepStrictEqual(yield* sql`SELECT audit_log_keep(23) AS n`, [{ n: 1 }])
        assert.deepStrictEqual(yield* partsOf("aged.24"), [])
        assert.deepStrictEqual(yield* sql`SELECT audit_log_keep(-5) AS n`, [{ n: 1 }])
        assert.deepStrictEqual(yield* partsOf("aged.23"), [])
        assert.deepStrictEqual(yield* partsOf("aged.3"), [yield* partAt(-3)])
        // A new default partition is guarded like the former.
        assert.isTrue(yield* Effect.isFailure(sql`TRUNCATE audit_log_default`))
        assert.isTrue(yield* Effect.isFailure(sql`DELETE FROM audit_log_default`))
      })
    )

    for (const [what, held] of [
      ["the log", () => "audit_log"],
      ["a month that lapsed", (part: string) => part],
      ["what has no month", () => "audit_log_default"]
    ] as const)
      it.effect(`while somebody reads ${what} for long, nobody who writes an entry waits behind the months`, () =>
        Effect.gen(function* () {
          const housekeeping = yield* Housekeeping
          yield* entry("held", 23)
          yield* housekeeping.run("audit")
          const [lapsed, next] = [yield* partAt(-30), yield* partAt(3)]
          yield* ddl(`ALTER TABLE ${yield* partAt(-23)} RENAME TO ${lapsed}`, `DROP TABLE ${next}`)
          const { kept, written } = yield* besideReader(held(lapsed), housekeeping.run("audit"), () =>
            entry("beside", 0)
          )
          assert.deepStrictEqual(kept, { audit_months: 0 })
          assert.isAbove(written, 3)
          assert.deepStrictEqual(yield* housekeeping.run("audit"), { audit_months: 1 })
          const partitionNames = yield* partitions
          assert.include(partitionNames, next)
          assert.notInclude(partitionNames, lapsed)
        })
      )

    it.effect("a page is read from the end of an index in each month, however long the log", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          INSERT INTO audit_log (happened_on, event, org_id)
          SELECT now() - interval '1 month' * (n % 2), 'long.log', 1 + n % 50 FROM generate_series(1, 20000) n`
        yield* sql`ANALYZE audit_log`
        for (const where of ["org_id = 7 AND audit_id < 1000000", "audit_id < 1000000"]) {
          const plan = yield* sql.unsafe<{ "QUERY PLAN": string }>(
            `EXPLAIN SELECT * FROM audit_log WHERE ${where} ORDER BY audit_id DESC LIMIT 51`
          )
          const text = plan.map((row) => row["QUERY PLAN"]).join("\n")
          assert.include(text, "Merge Append", text)
          assert.notInclude(text, "Sort  (", text)
        }
      })
    )
  }
)
