// Finds the automations that an event concerns (developer-api.md 7.5) and writes mailbox rows for the active ones with the right trigger;
// the event itself is stored once. Commands go to the actor of their app.
import { Effect, Schema } from "effect"
import { type FannedOut, type FanOut, nothing } from "../../../engine/actors/ActorKind.ts"
import { batchApps } from "../../../engine/actors/batchVariables.ts"
import type { OutboxEvent, RecordChange } from "../../../engine/outbox/Event.ts"
import { compiledOnce, slotsOf } from "../../../platform/sql/compiledOnce.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { AUTOMATION_CHANGED } from "../model/automationChanged.ts"
import { AUTOMATION_FIRE, RUN_TURN, RUN_WAKE } from "../model/fireCommand.ts"
import { firesOnChange } from "../triggers/record_updated/firesOnChange.ts"
import { TriggerType, triggers } from "../triggers/registry.ts"

/** Commands that create no run. They have no lane: no other row has to precede them. */
export const RUNLESS_COMMANDS = [RUN_WAKE, RUN_TURN, AUTOMATION_CHANGED] as const
export const COMMANDS = [AUTOMATION_FIRE, ...RUNLESS_COMMANDS] as const

const triggerOf: Readonly<Record<string, TriggerType>> = Object.fromEntries(
  Object.values(triggers).flatMap(({ firedBy, type }) => firedBy.map((event) => [event, type] as const))
)

const FIRED = [...new Set(Object.values(triggerOf))] as Array<string>

const UPDATE = "record.update"
const CREATED: TriggerType = "record_created"

const Active = Schema.Struct({
  automation_id: Schema.Int,
  app_id: Schema.Int,
  trigger_type: TriggerType,
  /** Watched fields of `record_updated`; null fires on any change. */
  fields: Schema.NullOr(Schema.Array(Schema.Int)),
  /** True for a debounced automation: one that fires on creation waits for the end of the changes that follow (7.13). */
  gathers: Schema.Boolean,
  events_from: Schema.NullOr(Schema.Int)
})
type Active = typeof Active.Type

const isCommand = ({ type }: OutboxEvent) => (COMMANDS as ReadonlyArray<string>).includes(type)

const changes = ({ payload, type }: OutboxEvent, fields: Active["fields"]) =>
  type !== UPDATE || firesOnChange(fields, (payload as RecordChange).changed)

interface StoringValues {
  /** `events` and `rows` are JSON texts. */
  readonly events: string
  readonly rows: string
}
const slots = slotsOf<StoringValues>()

/** Condition for automations `a` that may fire at all. */
const FIRABLE = `a.trigger_type IN (${FIRED.map((type) => `'${type}'`).join(", ")})
  AND NOT a.paused AND NOT a.broken AND a.deleted_on IS NULL`

export const makeFanOut = Effect.gen(function* () {
  const sql = yield* Sql

  const active = rowsOf(Active)(sql`
    SELECT automation_id, app_id, trigger_type,
      nullif(trigger -> 'config' -> 'trigger_on_changes_field_ids', 'null'::jsonb) AS fields, debounce_ms IS NOT NULL AS gathers,
      events_from
    FROM automations a
    WHERE app_id = ${batchApps(sql)} AND ${sql.literal(FIRABLE)}
    ORDER BY automation_id`)

  const withoutLane = sql.literal(RUNLESS_COMMANDS.map((type) => `'${type}'`).join(", "))
  const compiled = compiledOnce<StoringValues>(sql)
  const store = (values: StoringValues) =>
    compiled(
      "storing",
      values,
      () => sql`
      WITH e AS (
        SELECT * FROM jsonb_to_recordset(${slots.events}::jsonb) AS e (event_id bigint, type text, org_id bigint,
          app_id bigint, record_id bigint, depth int, cause jsonb, payload jsonb, traceparent text,
          created_on timestamptz)
      ), kept AS (
        INSERT INTO automation_events (event_id, type, org_id, app_id, record_id, depth, cause, payload, traceparent, created_on)
        SELECT event_id, type, org_id, app_id, record_id, depth, nullif(cause, 'null'::jsonb), payload, traceparent, created_on FROM e
        ON CONFLICT (event_id) DO NOTHING
      )
      INSERT INTO automation_inbox (app_id, org_id, automation_id, event_id, lane, due_at)
      SELECT e.app_id, e.org_id, r.automation_id, r.event_id,
        CASE WHEN e.type IN (${withoutLane}) THEN NULL ELSE e.record_id END, e.created_on
      FROM jsonb_to_recordset(${slots.rows}::jsonb) AS r (automation_id bigint, event_id bigint) JOIN e USING (event_id)
      ORDER BY r.event_id, r.automation_id
      ON CONFLICT (event_id, automation_id) DO NOTHING`
    )

  const fanOut = (automations: ReadonlyArray<Active>, events: ReadonlyArray<OutboxEvent>): FannedOut => {
    const rows: Array<{ readonly event_id: number; readonly automation_id: number }> = []
    const byApp = Map.groupBy(automations, ({ app_id }) => app_id)
    const kept: Array<OutboxEvent> = []
    for (const event of events) {
      if (isCommand(event)) {
        kept.push(event)
        // Commands other than `AUTOMATION_FIRE` get automation id 0: the automation may have been deleted together with its app.
        const fires = event.type === AUTOMATION_FIRE
        const automation_id = fires ? Number(event.payload["automation_id" as never] ?? 0) : 0
        rows.push({ automation_id, event_id: event.event_id })
        continue
      }
      const concerned = (byApp.get(event.app_id ?? 0) ?? []).filter(
        ({ events_from, fields, gathers, trigger_type }) =>
          event.event_id >= (events_from ?? 0) &&
          ((trigger_type === triggerOf[event.type] && changes(event, fields)) ||
            (gathers && trigger_type === CREATED && event.type === UPDATE))
      )
      if (triggerOf[event.type] === undefined || !event.switches.workflow || concerned.length === 0) continue
      kept.push(event)
      for (const { automation_id } of concerned) rows.push({ automation_id, event_id: event.event_id })
    }
    if (rows.length === 0) return nothing
    const eventRows = kept.map(({ created_on, switches: _, ...event }) => ({
      ...event,
      created_on: created_on.toISOString()
    }))
    const apps = new Map(kept.map(({ app_id, org_id }) => [app_id, org_id]))
    const addresses = [...apps].map(([app_id, org_id]) => ({ id: String(app_id), org_id, due_at: null }))
    const write = store({ events: JSON.stringify(eventRows), rows: JSON.stringify(rows) })
    return { addresses, writes: [write] }
  }

  return Effect.map(
    active,
    (automations): FanOut =>
      (events) =>
        Effect.sync(() => fanOut(automations, events))
  )
})
