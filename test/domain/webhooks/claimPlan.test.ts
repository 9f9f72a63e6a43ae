// docs/architecture/database.md: a claim whose plan was made while the queue was empty, and is kept, takes rows of a full queue with bounded work.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeClaim } from "../../../src/domain/webhooks/claim.ts"
import { WebhookSettings } from "../../../src/domain/webhooks/webhookSettings.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { ddl } from "../../support/database.ts"
import { type PlanNode, planOf, sumOver } from "../../support/plans.ts"
import { askedBy } from "../../support/statements.ts"
import { bareActor, layerBare } from "./support/bareActor.ts"
import { seedHook } from "./support/harness.ts"

const HOOKS = 20
const ROWS = 4_000
const CLAIMED = 400

/** Rows that a node of a plan has looked at. */
const rowsRead = (node: PlanNode): number =>
  node["Actual Loops"] *
  (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0))

const literal = (value: unknown) =>
  value === null ? "NULL" : `'${String(value instanceof Date ? value.toISOString() : value).replaceAll("'", "''")}'`

layer(layerBare({ perWindow: 1_000_000, slots: 512 }), { excludeTestServices: true })("a claim", (it) => {
  it.effect("by a plan from an empty queue compares no row of the queue with all that it takes", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const { activation, app, hookId } = yield* bareActor
      const hookIds = [hookId]
      while (hookIds.length < HOOKS)
        hookIds.push((yield* seedHook(app, "record.update", "https://93.184.215.14/in")).hookId)
      yield* ddl("VACUUM webhook_queue", "VACUUM webhook_deliveries")
      const { askDeliveries } = yield* makeClaim(yield* WebhookSettings)
      const later = new Date(Date.now() + 1_000)
      const request = { limit: CLAIMED, minClaims: 0, maxClaims: 1, now: later }
      const { asked } = yield* askedBy(askDeliveries(activation, request, new Map(), 0))
      const { statement, values } = asked.find((one) => one.statement.includes("webhook_queue"))!
      const read = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`SET LOCAL plan_cache_mode = force_generic_plan`
          yield* sql.unsafe(`PREPARE claim AS ${statement}`)
          const execute = `EXECUTE claim (${values.map(literal).join(", ")})`
          yield* sql.unsafe(execute)
          const rows = sql`SELECT (${sql.literal(`ARRAY[${hookIds.join()}]::bigint[]`)})[1 + i % ${HOOKS}::int] AS hook_id, i FROM generate_series(1, ${ROWS}::int) AS i`
          yield* sql`
            INSERT INTO webhook_deliveries (hook_id, event_id, record_id, type, status, payload, created_on)
            SELECT hook_id, i, i, 'record.update', 'queued', '{}', now() FROM (${rows}) AS r`
          yield* sql`
            INSERT INTO webhook_queue (hook_id, event_id, record_id, app_id, ordered, blocked, due_at)
            SELECT hook_id, i, i, ${app.appId}::bigint, true, false, now() FROM (${rows}) AS r`
          const plan = yield* planOf(sql.unsafe(`EXPLAIN (ANALYZE, FORMAT JSON) ${execute}`))
          yield* sql`DEALLOCATE claim`
          return { rows: plan["Actual Rows"], work: sumOver(plan, rowsRead) }
        })
      )
      assert.strictEqual(read.rows, 1 + CLAIMED)
      assert.isBelow(read.work, 2 * ROWS * CLAIMED)
    })
  )
})
