// Mailbox rows of an automation and the runs that they become, for an activation without a workflow.
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ConcurrencyLimits } from "../../../src/domain/automations/run/ConcurrencyLimits.ts"
import { Credits } from "../../../src/domain/automations/run/Credits.ts"
import type { NewRun } from "../../../src/domain/automations/run/NewRun.ts"
import { OrganizationSlots } from "../../../src/domain/automations/run/OrganizationSlots.ts"
import { Outbox } from "../../../src/engine/outbox/Outbox.ts"
import { automate, setText } from "./runSupport.ts"
import { seedApp } from "./support.ts"

/** Services that create runs, each a fresh one. */
export const layerCreation = Layer.mergeAll(OrganizationSlots.layer, Credits.layer, ConcurrencyLimits.layer).pipe(
  Layer.provideMerge(Outbox.layer)
)

/** An active automation of two steps, whose actor has the fence 1, and rows in flight under it. */
export const mailboxRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { appId, fields, orgId, token } = yield* seedApp([
    { field_type: "single_text", config: { label: "Reference" } }
  ])
  const automationId = yield* automate(token, appId, {
    trigger: { type: "record_created", config: {} },
    actions: [setText(fields["reference"]!, "one"), setText(fields["reference"]!, "two")]
  })
  const key = `automations/app/${appId}`
  yield* sql`INSERT INTO actors (actor_key, kind, id, state, fence) VALUES (${key}, 'automations/app', ${String(appId)}, 'awake', 1)
    ON CONFLICT (actor_key) DO UPDATE SET state = 'awake', fence = 1`
  let event = appId * 1_000_000
  const newRun = Effect.fnUntraced(function* (rest: Partial<NewRun> = {}) {
    const event_id = event++
    const [row] = yield* sql<{ row_id: number }>`
      INSERT INTO automation_inbox (app_id, org_id, automation_id, event_id, due_at, fence, claims)
      VALUES (${appId}, ${orgId}, ${automationId}, ${event_id}, now(), 1, 1) RETURNING row_id`
    const run: NewRun = {
      ...{ row_id: row!.row_id, event_id, org_id: orgId, app_id: appId, automation_id: automationId, revision_id: "1" },
      ...{ type: "regular", durable: false, has_limit: false, cursor: { path: "0", iteration: [] } },
      ...{ record_id: null, record_revision: null },
      ...{ triggered_by_automation_id: null, retry_of_run_id: null, root_run_id: null, caused_by_run_id: null },
      ...{ depth: 1, chain: [], trigger: { type: "record_created", record: null, previous: null, changed: null } },
      ...{ logs: [], failure: null, wait_key: null, awaited: null, takes_over: false, values_of: null, handed: null },
      ...{ filtering_on: new Date().toISOString(), traceparent: null, debounced_until: null },
      ...rest
    }
    return run
  })
  const slots = Effect.map(
    sql<{ run_id: string }>`SELECT run_id::text FROM run_places WHERE org_id = ${orgId} ORDER BY slot`,
    (rows) => rows.map(({ run_id }) => run_id)
  )
  const runIds = Effect.map(
    sql<{ run_id: string }>`SELECT run_id::text FROM runs WHERE automation_id = ${automationId} ORDER BY run_id`,
    (rows) => rows.map(({ run_id }) => run_id)
  )
  const mailbox = sql<{ row_id: number; run_id: string | null }>`
    SELECT row_id, run_id::text FROM automation_inbox WHERE org_id = ${orgId} ORDER BY row_id`
  return { appId, automationId, key, mailbox, newRun, orgId, runIds, slots, sql }
})
