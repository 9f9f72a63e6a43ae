// docs/architecture/flow.md, "Bundles"; docs/architecture/database.md: the bundles of an app are read once for all of its hooks.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { dueDeliveries } from "../../../../src/domain/webhooks/bundles/allDeliveries.ts"
import { makeOverview } from "../../../../src/domain/webhooks/hookDetails.ts"
import { HookStatistics } from "../../../../src/domain/webhooks/statistics/HookStatistics.ts"
import { countOf } from "../../../../src/platform/sql/rows.ts"
import { Sql } from "../../../../src/platform/sql/Sql.ts"
import { type PlanNode, planOf, sumOver } from "../../../support/plans.ts"
import { askedBy } from "../../../support/statements.ts"
import { bareActor, layerBare } from "../support/bareActor.ts"
import { seedHook } from "../support/harness.ts"

const HOOKS = 12
const BUNDLES = 300
const OTHER_APPS = 4

/** Rows that a node of a plan has brought. */
const rowsBrought = (node: PlanNode): number => node["Actual Loops"] * node["Actual Rows"]

/** Bundles that a node of a plan has read. */
const bundlesRead = (node: PlanNode): number =>
  node["Relation Name"] === "webhook_bundles"
    ? node["Actual Loops"] * (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0))
    : 0

layer(layerBare(), { excludeTestServices: true })("deliveries of bundles, counted", (it) => {
  const setup = Effect.gen(function* () {
    const { app, hookId, sql } = yield* bareActor
    const hookIds = [hookId]
    while (hookIds.length < HOOKS)
      hookIds.push((yield* seedHook(app, "record.update", "https://93.184.215.14/in")).hookId)
    yield* sql`
      INSERT INTO webhook_bundles (event_id, app_id, fence, record_id, type, rest, created_on, due_at, hooks)
      SELECT ${app.appId}::bigint * 1000000 + i, ${app.appId}::bigint, 1, i, 'record.update', '', '2020-01-01'::timestamptz + i * interval '1 s', now(),
        ${hookIds.map(String)}::bigint[] FROM generate_series(1, ${BUNDLES}::int) AS i`
    return { app, hookIds }
  })

  /** Bundles that an effect reads, with plans that hold for any values. */
  const readBy = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
    const sql = yield* Sql
    const { answer, asked } = yield* askedBy(effect)
    const counting = asked.filter(({ statement }) => statement.includes("webhook_bundles"))
    const counts = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SET LOCAL plan_cache_mode = force_generic_plan`
        yield* sql`ANALYZE webhook_bundles`
        return yield* Effect.forEach(counting, ({ statement, values }) =>
          Effect.gen(function* () {
            yield* sql.unsafe(`PREPARE counted AS ${statement}`)
            const plan = yield* planOf(
              sql.unsafe(
                `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE counted (${values.map((value) => value ?? "NULL").join(", ")})`
              )
            )
            yield* sql`DEALLOCATE counted`
            return sumOver(plan, bundlesRead)
          })
        )
      })
    )
    return { answer, counts }
  })

  it.effect("takes one pass over the bundles of the app, and reads none of others", () =>
    Effect.gen(function* () {
      for (let other = 0; other < OTHER_APPS; other++) yield* setup
      const { app, hookIds } = yield* setup
      const { ofApp } = yield* makeOverview
      const lines = yield* readBy(ofApp(app.appId))
      assert.deepStrictEqual(
        lines.answer.map(({ hook_id, waiting }) => [hook_id, waiting]),
        hookIds.map((id) => [id, BUNDLES])
      )
      const statistics = yield* HookStatistics
      const range = { since: new Date(Date.now() - 3_600_000), before: new Date(), step: "hour" } as const
      const { answer, counts } = yield* readBy(statistics.read({ kind: "app", id: app.appId }, range))
      assert.deepStrictEqual(answer.backlog, { waiting: HOOKS * BUNDLES, oldest_waiting_on: "2020-01-01 00:00:01" })
      assert.deepStrictEqual([lines.counts, counts], [[BUNDLES], [BUNDLES]])
    })
  )

  it.effect("that are due are counted bundle by bundle, however many hooks each has", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      yield* setup
      const nowDate = new Date()
      const bundles = yield* countOf(sql`SELECT count(*)::int AS n FROM webhook_bundles`)
      const due = yield* countOf(sql`SELECT count AS n FROM (${dueDeliveries(sql, nowDate)}) AS due`)
      assert.strictEqual(due, HOOKS * bundles)
      const plan = yield* planOf(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${dueDeliveries(sql, nowDate)}`)
      assert.isAtMost(sumOver(plan, rowsBrought), 3 * bundles)
    })
  )

  it.effect("that are due are not those of a deleted app, which wait for housekeeping", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const { app } = yield* setup
      const nowDate = new Date()
      const count = countOf(sql`SELECT count AS n FROM (${dueDeliveries(sql, nowDate)}) AS due`)
      const before = yield* count
      yield* sql`
        INSERT INTO webhook_queue (hook_id, event_id, app_id, record_id, ordered, blocked, due_at)
        SELECT min(hook_id), 1, app_id, 1, true, false, ${nowDate} FROM hooks WHERE app_id = ${app.appId} GROUP BY app_id`
      assert.strictEqual(yield* count, before + 1)
      yield* sql`DELETE FROM hooks WHERE app_id = ${app.appId}`
      yield* sql`DELETE FROM apps WHERE app_id = ${app.appId}`
      assert.strictEqual(yield* count, before - HOOKS * BUNDLES)
    })
  )
})
