// Due instants of `date_field_arrived` (developer-api.md 7.5 rule 1; decisions A5): rows that the record's own transaction keeps up to
// date. A changed value moves its row; a cleared value or a trashed record removes it. Past instants create none.
import { Clock, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { NewEvent } from "../../../engine/outbox/Event.ts"
import { command } from "../../../engine/outbox/Event.ts"
import type { Cells, DateEntry } from "../../../platform/primitives/Cell.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { transact } from "../../../platform/sql/transact.ts"
import { isWrittenDate } from "../../records/fields/registry.ts"
import { type RecordHook, RecordHooks, type RecordsChanged } from "../../records/writing/RecordHooks.ts"
import { readConfig } from "../input/storedDefinition.ts"
import { dateInstant } from "../triggers/date_field_arrived/dateInstant.ts"
import type { TriggerConfig } from "../triggers/registry.ts"

/** Command that tells the calendar's actor that rows were added outside of a record's change. */
export const CALENDAR_WAKE = "command.calendar.wake"

export const calendarWake = (orgId: number): NewEvent => command({ org_id: orgId, app_id: null }, CALENDAR_WAKE, {})

export interface DateAutomation {
  readonly automation_id: number
  readonly timezone: string
  readonly config: TriggerConfig<"date_field_arrived">
}
export const StoredDateAutomation = Schema.Struct({
  automation_id: Schema.Int,
  timezone: Schema.String,
  config: Schema.Unknown,
  format: Schema.Int
})
export type StoredDateAutomation = typeof StoredDateAutomation.Type
/** Returns the automations whose configs this release can read (input/storedDefinition.ts). */
export const readDates = <A extends StoredDateAutomation>(rows: ReadonlyArray<A>) =>
  rows.flatMap((row) => {
    const config = readConfig("date_field_arrived", row)
    return config === null ? [] : [{ ...row, config }]
  })
export const DueRecord = Schema.Struct({
  record_id: Schema.Int,
  cells: jsonb<Cells>(),
  deleted_on: Schema.NullOr(Schema.Date)
})
export type DueRecord = typeof DueRecord.Type

const SCAN_PAGE = 500

/** Returns the epoch milliseconds at which the record is due for the automation; null: never. */
export const dueOf = ({ config, timezone }: DateAutomation, { cells, deleted_on }: DueRecord): number | null =>
  deleted_on !== null || config.date_field_id === undefined
    ? null
    : dateInstant(config, cells[config.date_field_id]?.[0] as DateEntry | undefined, timezone)

interface DueKey {
  readonly automation_id: number
  readonly record_id: number
}

const HeldDue = Schema.Struct({
  automation_id: Schema.Int,
  record_id: Schema.Int,
  due_at: Schema.Date,
  fence: Schema.Int
})

/** Locks existing rows, in their one order. */
export const lockDue = (sql: Sql, keys: ReadonlyArray<DueKey>) =>
  rowsOf(HeldDue)(sql`
  SELECT d.automation_id, d.record_id, d.due_at, d.fence FROM calendar_due d JOIN
    jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) AS k (automation_id bigint, record_id bigint) USING (automation_id, record_id)
  ORDER BY d.automation_id, d.record_id FOR UPDATE OF d`)

const AppId = Schema.Struct({ app_id: Schema.Int })

const DatesOfApp = Schema.Struct({ ...StoredDateAutomation.fields, app_id: Schema.Int, org_id: Schema.Int })

export const makeDueDates = Effect.gen(function* () {
  const sql = yield* Sql

  const atomic = transact(sql)
  const armedCondition = sql.literal(
    "trigger_type = 'date_field_arrived' AND NOT paused AND NOT broken AND deleted_on IS NULL"
  )

  const automationsOf = (appId: number) =>
    Effect.map(
      rowsOf(StoredDateAutomation)(sql`
        SELECT automation_id, timezone, trigger -> 'config' AS config, format FROM automations
        WHERE app_id = ${appId} AND ${armedCondition}`),
      readDates
    )

  /**
   * Updates the rows of records, which the caller has locked. A past instant creates no row, but keeps a row that is about to fire. Rows of
   * `calendar_due` are locked by automation and record, like everywhere.
   */
  const keep = Effect.fnUntraced(function* (
    app: { readonly app_id: number; readonly org_id: number },
    automations: ReadonlyArray<DateAutomation>,
    records: ReadonlyArray<DueRecord>
  ) {
    const nowMillis = yield* Clock.currentTimeMillis
    const rows = automations.flatMap((automation) =>
      records.map((record) => {
        const due = dueOf(automation, record)
        return {
          automation_id: automation.automation_id,
          record_id: record.record_id,
          due_at: due === null ? null : new Date(due).toISOString(),
          past: due !== null && due <= nowMillis
        }
      })
    )
    if (rows.length === 0) return
    if (records.length > 1) yield* lockDue(sql, rows)
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
    concerns: ({ fields }) => fields.some(isWrittenDate),
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

  /**
   * Creates rows for existing records. Rows of a former definition are removed, except those about to fire. Every page locks the automation
   * and its records: a later change of either updates the rows itself. Returns true if the automation is armed.
   */
  const arm = Effect.fnUntraced(function* (automationId: number): Effect.fn.Return<boolean, SqlError> {
    const automationRow = yield* rowOf(AppId)(sql`
      SELECT app_id FROM automations WHERE automation_id = ${automationId} AND ${armedCondition}`)
    // Writers that began before the activation hold the app's row: their records are in the scan.
    if (automationRow !== undefined)
      yield* atomic(sql`SELECT 1 FROM apps WHERE app_id = ${automationRow.app_id} FOR UPDATE`)
    const page = Effect.fnUntraced(function* (after: number) {
      const [found] = readDates(
        yield* rowsOf(DatesOfApp)(sql`
          SELECT automation_id, timezone, trigger -> 'config' AS config, format, app_id, org_id FROM automations
          WHERE automation_id = ${automationId} AND ${armedCondition} FOR SHARE`)
      )
      const fieldId = found?.config.date_field_id
      if (found === undefined || fieldId === undefined) return yield* disarm(automationId)
      const records = yield* rowsOf(DueRecord)(sql`
        SELECT record_id, jsonb_build_object(${String(fieldId)}::text, cells -> ${String(fieldId)}) AS cells, deleted_on
        FROM records r WHERE app_id = ${found.app_id} AND record_id > ${after} AND (
          deleted_on IS NULL AND cells ? ${String(fieldId)} OR EXISTS (
            SELECT 1 FROM calendar_due d WHERE d.automation_id = ${automationId} AND d.record_id = r.record_id))
        ORDER BY record_id LIMIT ${SCAN_PAGE}::int FOR SHARE OF r`)
      yield* keep(found, [found], records)
      return records.length < SCAN_PAGE ? ("armed" as const) : records.at(-1)!.record_id
    })
    let progress: number | "armed" | "disarmed" = 0
    while (typeof progress === "number") progress = yield* atomic(page(progress))
    return progress === "armed"
  })

  const disarm = (automationId: number) =>
    Effect.as(
      sql`
        DELETE FROM calendar_due USING (
          SELECT record_id FROM calendar_due WHERE automation_id = ${automationId} ORDER BY record_id FOR UPDATE
        ) AS held
        WHERE automation_id = ${automationId} AND calendar_due.record_id = held.record_id`,
      "disarmed" as const
    )

  return { hook, arm }
})

/** Hook for the writer of records. */
export const DateHooks = Layer.effect(
  RecordHooks,
  Effect.map(makeDueDates, ({ hook }) => [hook])
)
