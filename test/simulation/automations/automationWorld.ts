// Schedules of automations: an app whose records people change, with automations, and one in which their steps create records.
import { Effect } from "effect"
import { automate, createRecord } from "../../domain/automations/runSupport.ts"
import { makeApp, seedApp } from "../../domain/automations/support.ts"
import { callerOf } from "../../support/records.ts"
import type { Database } from "../database.ts"
import type { World } from "../World.ts"
import { type AppIds, storedForm } from "./definitions.ts"
import { type DrawnAutomations, drawAutomations } from "./drawnAutomations.ts"
import { violations } from "./invariants.ts"
import { observe } from "./observed.ts"
import { recordWriter } from "./recordWriter.ts"

const RECORDS = 2
const OF_APP = 3
/** Fewer concurrency slots than runs. */
const RUNS_AT_ONCE = 2

/** The partitions named are those that early runs go to. */
const EMPTIED = [
  ...["outbox", "relay_attempts", "actors", "automation_events", "automation_inbox", "automation_failing"],
  ...[
    "automation_notices",
    "runs",
    "run_triggers",
    "run_ledger_before",
    "run_logs_before",
    "run_items",
    "run_variables"
  ],
  ...["run_outputs", "run_pages", "run_places", "run_credits", "run_waits", "run_calls", "comments", "replies"],
  ...["calculation_changes", "mails", "observed_events", "observed_faults", "observed_runs"]
]
const KEPT = [
  { table: "records", order: "record_id" },
  { table: "revisions", order: "record_id, revision" },
  { table: "app_counters", order: "app_id" },
  { table: "record_counts", order: "app_id" },
  { table: "search_entries", order: "org_id, kind, id" }
]

const env = { RUNS_CONCURRENT: String(RUNS_AT_ONCE) }

const text = (label: string) => ({ field_type: "single_text", config: { label } })

export const seedAutomations = Effect.gen(function* () {
  const fields = [text("Name"), text("Note")]
  const { orgId, owner, token, workspaceId, ...seeded } = yield* seedApp(fields)
  const idsOf = (app: Pick<typeof seeded, "appId" | "fields">): AppIds => ({
    ...{ appId: app.appId, name: app.fields["name"]!, note: app.fields["note"]! }
  })
  const [main, copies] = [idsOf(seeded), idsOf(yield* makeApp(token, workspaceId, fields))]
  const records: Array<number> = []
  for (let index = 0; index < RECORDS; index++) records.push(yield* createRecord(token, main.appId, { name: "Ada" }))
  // What they do is drawn by each schedule.
  const actions = [{ type: "conditional", config: { condition: null, action_rows: [] } }]
  const make = (app: AppIds, type: string) => automate(token, app.appId, { trigger: { type, config: {} }, actions })
  const automations: Array<{ readonly id: number; readonly app: AppIds }> = []
  for (let index = 0; index < OF_APP; index++) automations.push({ id: yield* make(main, "record_created"), app: main })
  const called = yield* make(main, "automation_called")
  automations.push({ id: called, app: main }, { id: yield* make(copies, "record_created"), app: copies })
  return { automations, called, caller: callerOf(owner), copies, main, orgId, records }
})
export type Automations = Effect.Success<typeof seedAutomations>

export const automationWorld = Effect.fnUntraced(function* (database: Database, seeded: Automations) {
  const { clearingOf, sql, url, watch } = database
  yield* observe(sql, RUNS_AT_ONCE)
  const clearing = yield* clearingOf(EMPTIED, KEPT)
  const reset = Effect.fnUntraced(function* (drawn: DrawnAutomations) {
    yield* sql.unsafe(clearing)
    for (const [at, automation] of drawn.automations.entries()) {
      const { app, id } = seeded.automations[at]!
      const { actions, concurrency, filter, format, trigger } = storedForm(
        automation,
        { app, copies: seeded.copies, called: seeded.called },
        at
      )
      yield* sql`
        WITH stored AS (
          UPDATE automations SET trigger = ${trigger}::jsonb, filter = ${filter}::jsonb,
            actions = ${actions}::jsonb, format = ${format}, concurrency = ${concurrency}::jsonb, debounce_ms = ${automation.debounce},
            paused = false, broken = false, events_from = NULL
          WHERE automation_id = ${id} RETURNING revision_id
        )
        UPDATE automation_revisions v SET trigger = ${trigger}::jsonb, filter = ${filter}::jsonb, actions = ${actions}::jsonb, format = ${format}
        FROM stored WHERE v.revision_id = stored.revision_id`
    }
  })
  const remaining = Effect.map(
    sql<{ what: string }>`
      SELECT format('event %s %s', event_id, type) AS what FROM outbox
      UNION ALL SELECT format('row %s of automation %s, run %s, due at %s', row_id, automation_id, run_id, due_at) FROM automation_inbox
      UNION ALL SELECT format('slot of run %s', run_id) FROM run_places
      UNION ALL SELECT format('run %s of automation %s is %s, waits for %s', run_id, automation_id, status, coalesce(wait_why,
        CASE WHEN turn_wanted_on IS NOT NULL THEN 'turn' WHEN place_wanted_on IS NOT NULL THEN 'slot' END)) FROM runs WHERE completed_on IS NULL
      ORDER BY what`,
    (rows) => rows.map(({ what }) => what).join("; ")
  )
  const world: World<DrawnAutomations> = {
    ...{ env, remaining, reset, sql, url, watch, reconciles: true },
    draw: (draws) => drawAutomations(draws, OF_APP, RECORDS),
    makeWriter: recordWriter(seeded),
    violations: (outcome) => violations(sql, seeded, outcome)
  }
  return world
})
