// decisions W8: the log goes by weeks, each as a whole, once all of it is older than 30 days and nothing of it waits.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { housekeeping } from "../../../src/domain/webhooks/hookHousekeeping.ts"
import { WebhookSettings } from "../../../src/domain/webhooks/WebhookSettings.ts"
import { OWNER } from "../../../src/platform/sql/roles.ts"
import { asOwner, ddl, layerDatabase } from "../../support/database.ts"
import { besideReader } from "../../support/locks.ts"
import { quickSettings, seedHook, seedOrgWithApp } from "./support/harness.ts"

const Setting = Layer.mergeAll(layerDatabase, Layer.succeed(WebhookSettings, quickSettings))

/** So many weeks ago: the first id, and the name of its partitions behind that of the table. */
const week = (ago: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ id: number; name: string }>`
      SELECT id_week_first(id_week(now()) - ${ago}::int) AS id,
        to_char(date_trunc('week', now() AT TIME ZONE 'UTC') - ${ago}::int * interval '1 week', 'YYYY_MM_DD') AS name`
    return row!
  }).pipe(asOwner)

/** An installation that has had weeks for as long, without what was before them. */
const agedBy = (weeks: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(`SET ROLE ${OWNER}`)
    for (const table of ["webhook_deliveries", "webhook_attempts"]) {
      yield* sql.unsafe(`DROP TABLE IF EXISTS ${table}_before`)
      for (let ago = weeks; ago > 0; ago--)
        yield* sql`SELECT id_weeks_add(${table}::regclass, id_week(now()) - ${ago}::int)`
    }
    yield* sql`RESET ROLE`
  }).pipe(asOwner)

const deliver = (hookId: number, eventId: number, daysAgo: number, status = "delivered") =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      WITH a AS (INSERT INTO webhook_attempts (hook_id, event_id, attempt, attempted_on, latency_ms)
        VALUES (${hookId}, ${eventId}, 1, now() - ${daysAgo}::int * interval '1 day', 5))
      INSERT INTO webhook_deliveries (hook_id, event_id, type, status, payload, created_on)
      VALUES (${hookId}, ${eventId}, 'record.create', ${status}, '{}', now() - ${daysAgo}::int * interval '1 day')`
  )

const idsOf = (hookId: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const ids = (table: string) =>
      Effect.map(
        sql<{ event_id: number }>`SELECT event_id FROM ${sql(table)} WHERE hook_id = ${hookId} ORDER BY event_id`,
        (rows) => rows.map(({ event_id }) => event_id)
      )
    return { deliveries: yield* ids("webhook_deliveries"), attempts: yield* ids("webhook_attempts") }
  })

const parts = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ part: string }>`
        SELECT inhrelid::regclass::text AS part FROM pg_inherits WHERE inhparent = ${table}::regclass ORDER BY 1`,
      (rows) => rows.map(({ part }) => part.slice(table.length + 1))
    )
  )

layer(Setting, { excludeTestServices: true })("weeks of the log (W8)", (it) => {
  it.effect("one goes with its deliveries and attempts; one that is younger, or of which something waits, stays", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* agedBy(10)
      const app = yield* seedOrgWithApp()
      const { hookId } = yield* seedHook(app, "record.create", "https://hooks.example.com")
      const [ten, nine, eight, three, present, next] = yield* Effect.all([10, 9, 8, 3, 0, -1].map(week))
      yield* deliver(hookId, ten!.id, 70)
      yield* deliver(hookId, ten!.id + 9_999_999_999, 63)
      // Its event waits for a retry.
      yield* deliver(hookId, nine!.id, 63, "retrying")
      yield* sql`
        INSERT INTO webhook_queue (hook_id, event_id, app_id, ordered, blocked, due_at)
        VALUES (${hookId}, ${nine!.id}, ${app.appId}, false, false, now())`
      // The jump of the ids came late, so that a later event is among them.
      yield* deliver(hookId, eight!.id, 56)
      yield* deliver(hookId, eight!.id + 1, 29)
      yield* deliver(hookId, three!.id, 21)
      yield* deliver(hookId, present!.id, 0)
      const idsBefore = yield* idsOf(hookId)
      assert.lengthOf(idsBefore.deliveries, 7)

      const deletedRows = yield* housekeeping
      assert.deepInclude(deletedRows, { deliveries: 0, attempts: 0 })
      const keptIds = idsBefore.deliveries.slice(2)
      assert.deepStrictEqual(yield* idsOf(hookId), { deliveries: keptIds, attempts: keptIds })
      const kept = [nine!, eight!, ...(yield* Effect.all([4, 3, 2, 1].map(week))), present!, next!].map(
        ({ name }) => name
      )
      for (const table of ["webhook_deliveries", "webhook_attempts"]) {
        const names = yield* parts(table)
        assert.includeMembers(names, [...kept, "default"], table)
        for (const weeksAgo of [10, 7, 6]) assert.notInclude(names, (yield* week(weeksAgo)).name, table)
      }
      assert.strictEqual((yield* housekeeping).weeks, 0)

      yield* sql`DELETE FROM webhook_queue WHERE hook_id = ${hookId}`
      assert.strictEqual((yield* housekeeping).weeks, 2)
      assert.deepStrictEqual(yield* idsOf(hookId), { deliveries: keptIds.slice(1), attempts: keptIds.slice(1) })
    })
  )

  for (const [what, held] of [
    ["the log", () => "webhook_deliveries"],
    ["that week alone", (name: string) => `webhook_deliveries_${name}`],
    ["what has no week", () => "webhook_deliveries_default"]
  ] as const)
    it.effect(`while somebody reads ${what} for long a week stays for another hour, and nobody waits behind that`, () =>
      Effect.gen(function* () {
        yield* agedBy(10)
        const { hookId } = yield* seedHook(yield* seedOrgWithApp(), "record.create", "https://hooks.example.com")
        const [ten, present, next] = yield* Effect.all([week(10), week(0), week(-1)])
        yield* deliver(hookId, ten.id, 70)
        yield* ddl(`DROP TABLE webhook_deliveries_${next.name}`)
        // It tries several times for an instant each, and gives way in between.
        const { kept, written } = yield* besideReader(held(ten.name), housekeeping, (n) =>
          deliver(hookId, present.id + n, 0)
        )
        assert.strictEqual(kept.weeks, 0)
        assert.isAbove(written, 3)
        assert.isAbove((yield* housekeeping).weeks, 0)
        assert.includeMembers(yield* parts("webhook_deliveries"), [next.name])
        assert.notInclude((yield* idsOf(hookId)).deliveries, ten.id)
        assert.lengthOf((yield* idsOf(hookId)).deliveries, written)
      })
    )

  it.effect(
    "what was withheld late has its seven days all the same; of a hook that is gone it goes with its week",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* agedBy(10)
        const app = yield* seedOrgWithApp()
        const [{ hookId }, gone] = [
          yield* seedHook(app, "record.create", "https://hooks.example.com"),
          yield* seedHook(app, "record.create", "https://hooks.example.com")
        ]
        const [ten, nine, astray] = yield* Effect.all([10, 9, -20].map(week))
        for (const [hook, id, daysAgo] of [
          [hookId, ten!.id, 63],
          [hookId, astray!.id, 63],
          [gone.hookId, nine!.id, 56],
          [gone.hookId, astray!.id, 56]
        ] as const)
          yield* deliver(hook, id, daysAgo, "withheld")
        yield* sql`UPDATE webhook_deliveries SET withheld_on = now() - interval '6 days'`
        yield* sql`UPDATE hooks SET lost_on = now() - interval '6 days' WHERE app_id = ${app.appId}`
        yield* sql`DELETE FROM hooks WHERE hook_id = ${gone.hookId}`

        yield* housekeeping
        assert.deepStrictEqual((yield* idsOf(hookId)).deliveries, [ten!.id, astray!.id])
        assert.deepStrictEqual((yield* idsOf(gone.hookId)).deliveries, [])

        yield* sql`UPDATE webhook_deliveries SET withheld_on = now() - interval '8 days'`
        assert.deepInclude(yield* housekeeping, { expired: 2, deliveries: 1 })
        assert.deepStrictEqual((yield* idsOf(hookId)).deliveries, [])
      })
  )

  it.effect("an event for which there is no week is kept and found, and goes by itself", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const app = yield* seedOrgWithApp()
      const { hookId } = yield* seedHook(app, "record.create", "https://hooks.example.com")
      const { id } = yield* week(-20)
      yield* deliver(hookId, id, 31)
      yield* deliver(hookId, id + 1, 29)
      yield* deliver(hookId, id + 2, 31, "retrying")
      yield* sql`
        INSERT INTO webhook_queue (hook_id, event_id, app_id, ordered, blocked, due_at)
        VALUES (${hookId}, ${id + 2}, ${app.appId}, false, false, now())`
      assert.deepStrictEqual((yield* idsOf(hookId)).deliveries, [id, id + 1, id + 2])
      assert.deepInclude(yield* housekeeping, { deliveries: 1, attempts: 2 })
      assert.deepStrictEqual(yield* idsOf(hookId), { deliveries: [id + 1, id + 2], attempts: [id + 1] })
    })
  )
})
