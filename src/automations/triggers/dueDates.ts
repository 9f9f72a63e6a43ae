// Due instants of `date_field_arrived` (developer-api.md 7.5 rule 1; decisions A5): rows kept in step with the record in its own
// transaction. A changed value moves its row, a cleared one or a trashed record removes it; past instants make none.
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { NewEvent } from "../../outbox/Event.ts"
import { defaultSwitches } from "../../outbox/Event.ts"
import type { Cells, DateEntry } from "../../records/fields/Cell.ts"
import { type RecordHook, RecordHooks, type RecordsChanged } from "../../records/RecordHooks.ts"
import { dateInstant } from "./instants.ts"
import type { TriggerConfig } from "./registry.ts"

/** Tells the calendar's actor that rows were added outside of a record's change. */
export const CALENDAR_WAKE = "command.calendar.wake"

export const calendarWake = (orgId: number): NewEvent => ({
  type: CALENDAR_WAKE,
  org_id: orgId,
  app_id: null,
  record_id: null,
  switches: defaultSwitches,
  depth: 0,
  cause: null,
  payload: {}
})

interface DateAutomation {
  readonly automation_id: number
  readonly timezone: string
  readonly config: TriggerConfig<"date_field_arrived">
}
interface DueRecord {
  readonly record_id: number
  readonly cells: Cells
  readonly deleted_on: Date | null
}

const SCAN_PAGE = 1_000
const dateTypes: ReadonlySet<string> = new Set(["single_date", "range_date"])

export const makeDueDates = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const automationsOf = (appId: number) => sql<DateAutomation>`
    SELECT automation_id, timezone, trigger -> 'config' AS config FROM automations
    WHERE app_id = ${appId} AND trigger_type = 'date_field_arrived' AND NOT paused AND NOT broken AND deleted_on IS NULL`

  const dueOf = ({ config, timezone }: DateAutomation, { cells, deleted_on }: DueRecord, now: number) => {
    if (deleted_on !== null || config.date_field_id === undefined) return null
    const entry = cells[config.date_field_id]?.[0] as DateEntry | undefined
    const instant = dateInstant(config, entry, timezone)
    return instant === null ? null : { instant, past: instant <= now }
  }

  /** A past instant makes no row, but leaves one that is about to fire. */
  const keep = Effect.fnUntraced(function* (
    app: { readonly app_id: number; readonly org_id: number },
    automations: ReadonlyArray<DateAutomation>,
    records: ReadonlyArray<DueRecord>
  ) {
    const now = yield* Clock.currentTimeMillis
    const rows = automations.flatMap((automation) =>
      records.map((record) => {
        const due = dueOf(automation, record, now)
        return {
          automation_id: automation.automation_id,
          record_id: record.record_id,
          due_at: due === null ? null : new Date(due.instant).toISOString(),
          past: due?.past ?? false
        }
      })
    )
    if (rows.length === 0) return
    yield* sql`
      WITH input AS (
        SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS i (automation_id bigint, record_id bigint, due_at timestamptz, past boolean)
      ), gone AS (
        DELETE FROM calendar_due d USING input i
        WHERE d.automation_id = i.automation_id AND d.record_id = i.record_id
          AND (i.due_at IS NULL OR i.past AND d.due_at <> i.due_at)
      )
      INSERT INTO calendar_due (automation_id, record_id, app_id, org_id, due_at)
      SELECT automation_id, record_id, ${app.app_id}, ${app.org_id}, due_at FROM input
      WHERE due_at IS NOT NULL AND NOT past ORDER BY automation_id, record_id
      ON CONFLICT (automation_id, record_id) DO UPDATE SET due_at = excluded.due_at, fence = 0, claims = 0
      WHERE calendar_due.due_at <> excluded.due_at`
  })

  const hook: RecordHook = {
    concerns: ({ fields }) => fields.some(({ field_type }) => dateTypes.has(field_type)),
    run: Effect.fnUntraced(function* ({ definition, records, type }: RecordsChanged) {
      const automations = yield* automationsOf(definition.app_id)
      if (automations.length === 0) return
      const changed =
        type === "destroy"
          ? records.map((record) => ({ ...record, deleted_on: record.deleted_on ?? new Date(0) }))
          : records
      yield* keep(definition, automations, changed)
    })
  }

  /** Rows for the records that are there already; those of a former definition go. Answers whether any is due in future. */
  const arm = Effect.fnUntraced(function* (automationId: number): Effect.fn.Return<boolean, SqlError> {
    yield* disarm(automationId)
    const [found] = yield* sql<DateAutomation & { app_id: number; org_id: number }>`
      SELECT automation_id, timezone, trigger -> 'config' AS config, app_id, org_id FROM automations
      WHERE automation_id = ${automationId} AND trigger_type = 'date_field_arrived'
        AND NOT paused AND NOT broken AND deleted_on IS NULL`
    const fieldId = found?.config.date_field_id
    if (found === undefined || fieldId === undefined) return false
    // Writers that began before the activation hold the app's row: what they write is in the scan.
    yield* sql.withTransaction(sql`SELECT 1 FROM apps WHERE app_id = ${found.app_id} FOR UPDATE`)
    let after = 0
    for (;;) {
      const page = yield* sql<DueRecord>`
        SELECT record_id, jsonb_build_object(${String(fieldId)}::text, cells -> ${String(fieldId)}) AS cells, deleted_on
        FROM records WHERE app_id = ${found.app_id} AND deleted_on IS NULL AND record_id > ${after}
          AND cells ? ${String(fieldId)}
        ORDER BY record_id LIMIT ${SCAN_PAGE}::int`
      if (page.length === 0) return true
      yield* keep(found, [found], page)
      after = page.at(-1)!.record_id
    }
  })

  const disarm = (automationId: number) =>
    Effect.asVoid(sql`DELETE FROM calendar_due WHERE automation_id = ${automationId}`)

  return { hook, arm, disarm }
})

/** For the writer of records. */
export const DateHooks = Layer.effect(
  RecordHooks,
  Effect.map(makeDueDates, ({ hook }) => [hook])
)
