// Schedules of webhooks: an app with hooks, whose events are written to the outbox.
import { Effect } from "effect"
import { createRecord } from "../../domain/automations/runSupport.ts"
import { seedApp } from "../../domain/automations/support.ts"
import { App } from "../../support/app.ts"
import { type Database, HOST } from "../database.ts"
import type { World } from "../World.ts"
import { type DrawnHooks, drawHooks } from "./drawnHooks.ts"
import { eventWriter } from "./eventWriter.ts"
import { violations } from "./invariants.ts"

const RECORDS = 3
const HOOKS = 3

/** The partitions named are those that early events go to. */
const EMPTIED = [
  ...["outbox", "relay_attempts", "actors", "webhook_bundles", "webhook_queue", "webhook_commands", "webhook_windows"],
  ...["webhook_notices", "webhook_attempts_before", "webhook_deliveries_before", "hook_mismatches", "hook_statistics"],
  "hook_windows"
]

/** Retries that come within minutes, and failures that are soon too many. */
const env = { WEBHOOK_RETRY_SECONDS: "5,30", WEBHOOK_FAILURES_ALLOWED: "6", WEBHOOK_PER_MINUTE: "1000" }

export const seedHooks = Effect.gen(function* () {
  const { call } = yield* App
  const fields = [{ field_type: "single_text", config: { label: "Name" } }]
  const { appId, fields: ids, orgId, token } = yield* seedApp(fields)
  const records: Array<number> = []
  for (let index = 0; index < RECORDS; index++) records.push(yield* createRecord(token, appId, { name: "Ada" }))
  const hooks: Array<number> = []
  for (let index = 0; index < HOOKS; index++) {
    const body = { type: "record.create", url: `http://${HOST}/hook/${index}` }
    const reply = yield* call("POST", `/v1/hook/app/${appId}`, { token, body })
    if (reply.status !== 200) return yield* Effect.die(new Error(reply.text))
    hooks.push(reply.json.hook_id as number)
  }
  return { app: { appId, name: ids["name"]! }, hooks, orgId, records }
})
export type Hooks = Effect.Success<typeof seedHooks>

export const hookWorld = Effect.fnUntraced(function* ({ clearingOf, sql, url, watch }: Database, seeded: Hooks) {
  const clearing = yield* clearingOf(EMPTIED, [{ table: "hooks", order: "hook_id" }])
  const reset = Effect.fnUntraced(function* (drawn: DrawnHooks) {
    yield* sql.unsafe(clearing)
    for (const [at, hook] of drawn.hooks.entries())
      yield* sql`
        UPDATE hooks SET status = 'active', verified_on = '2030-01-01', lost_on = NULL, paused_on = NULL, verification = 1, alerted = 0,
          num_failed_executions = 0, events_from = NULL, types = ${hook.types as ReadonlyArray<string>}::text[], at_once = ${hook.atOnce},
          per_minute = ${hook.perMinute}
        WHERE hook_id = ${seeded.hooks[at]!}`
  })
  const remaining = Effect.map(
    sql<{ what: string }>`
      SELECT format('event %s', event_id) AS what FROM outbox
      UNION ALL SELECT format('bundle of event %s', event_id) FROM webhook_bundles
      UNION ALL SELECT to_jsonb(q)::text FROM webhook_queue q
      ORDER BY what`,
    (rows) => rows.map(({ what }) => what).join("; ")
  )
  const { makeWriter, writtenBy } = eventWriter(seeded)
  const world: World<DrawnHooks> = {
    ...{ env, makeWriter, remaining, reset, sql, url, watch, reconciles: false },
    draw: (draws) => drawHooks(draws, { hooks: HOOKS, records: RECORDS }),
    violations: (outcome) => violations(sql, seeded.hooks, outcome, writtenBy(outcome.writer))
  }
  return world
})
