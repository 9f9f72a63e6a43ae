// Calendar actor: fires due dates within seconds of their time (developer-api.md 7.5 rule 1; decisions A5). A row that a record's change
// moves or clears meanwhile has lost its fence and does not fire. After a downtime instants up to 24 hours old still fire.
import { Clock, Effect, Schema } from "effect"
import {
  type Activation,
  type ActorKind,
  type ActorWork,
  type ClaimRequest,
  type FanOut,
  type Job,
  nothing
} from "../../../engine/actors/ActorKind.ts"
import { announcing } from "../../../engine/actors/announcing.ts"
import { batchRecords } from "../../../engine/actors/batchVariables.ts"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { rootSpan } from "../../../platform/telemetry/traceContext.ts"
import { fireEvent } from "../model/fireCommand.ts"
import { CALENDAR_WAKE, DueRecord, dueOf, lockDue, readDates, StoredDateAutomation } from "./dueDates.ts"

const DueRow = Schema.Struct({
  row_id: Schema.String,
  claims: Schema.Int,
  automation_id: Schema.Int,
  record_id: Schema.Int,
  app_id: Schema.Int,
  org_id: Schema.Int,
  due_at: Schema.Date
})
type DueRow = typeof DueRow.Type

const TOO_OLD_MILLIS = 24 * 3_600_000
const AT_ONCE = 200

const NextDue = Schema.Struct({ due: Schema.NullOr(Schema.Date) })

const ActiveDates = Schema.Struct({ ...StoredDateAutomation.fields, activated_on: Schema.Date })

export const calendarKind = Effect.gen(function* () {
  const sql = yield* Sql
  const outbox = yield* Outbox

  const nextDue = () =>
    Effect.map(rowsOf(NextDue)(sql`SELECT min(due_at) AS due FROM calendar_due`), ([row]) => row?.due ?? null)

  const activate = (activation: Activation) =>
    Effect.sync((): ActorWork<DueRow> => {
      let fired = 0
      const fire = (rows: ReadonlyArray<DueRow>): Job<DueRow> => ({
        rows,
        run: activation
          .commit(
            Effect.gen(function* () {
              // Locks records before their rows, like the writers of records. The present state of records and automations decides.
              const ids = [...new Set(rows.map(({ record_id }) => String(record_id)))]
              const records = yield* rowsOf(DueRecord)(sql`
              SELECT record_id, cells, deleted_on FROM records WHERE record_id = ANY(${ids}::text[]::bigint[])
              ORDER BY record_id FOR SHARE`)
              const automations = readDates(
                yield* rowsOf(ActiveDates)(sql`
                SELECT automation_id, timezone, trigger -> 'config' AS config, format, activated_on FROM automations
                WHERE automation_id = ANY(${rows.map(({ automation_id }) => String(automation_id))}::text[]::bigint[])
                  AND trigger_type = 'date_field_arrived' AND NOT paused AND NOT broken AND deleted_on IS NULL`)
              )
              const lockedRows = yield* lockDue(sql, rows)
              const nowMillis = yield* Clock.currentTimeMillis
              const removedRows: Array<DueRow> = []
              const moved: Array<object> = []
              const due: Array<DueRow> = []
              for (const row of rows) {
                const still = lockedRows.find(
                  (one) => one.automation_id === row.automation_id && one.record_id === row.record_id
                )
                if (still?.fence !== activation.fence || still.due_at.getTime() !== row.due_at.getTime()) continue
                const automation = automations.find(({ automation_id }) => automation_id === row.automation_id)
                const record = records.find(({ record_id }) => record_id === row.record_id)
                const instant = automation === undefined || record === undefined ? null : dueOf(automation, record)
                const dueMillis = row.due_at.getTime()
                if (instant !== null && instant > nowMillis) {
                  const { automation_id, record_id } = row
                  moved.push({ automation_id, record_id, due_at: new Date(instant).toISOString() })
                  continue
                }
                removedRows.push(row)
                // An instant before the activation of the automation, or too long ago after a downtime, does not fire.
                if (
                  instant === dueMillis &&
                  dueMillis > automation!.activated_on.getTime() &&
                  nowMillis - dueMillis <= TOO_OLD_MILLIS
                )
                  due.push(row)
              }
              yield* sql`
              DELETE FROM calendar_due d USING jsonb_to_recordset(${JSON.stringify(removedRows)}::jsonb)
                AS r (automation_id bigint, record_id bigint)
              WHERE d.automation_id = r.automation_id AND d.record_id = r.record_id`
              if (moved.length > 0) {
                yield* sql`
                UPDATE calendar_due d SET due_at = r.due_at, fence = 0, claims = 0
                FROM jsonb_to_recordset(${JSON.stringify(moved)}::jsonb)
                  AS r (automation_id bigint, record_id bigint, due_at timestamptz)
                WHERE d.automation_id = r.automation_id AND d.record_id = r.record_id`
              }
              due.sort((a, b) => a.due_at.getTime() - b.due_at.getTime())
              yield* outbox.append(
                due.map(({ app_id, automation_id, due_at, org_id, record_id }) =>
                  fireEvent(
                    {
                      automation_id,
                      run_type: "regular",
                      expects: "date_field_arrived",
                      data: { scheduled_at: due_at.getTime() }
                    },
                    { org_id, app_id, record_id, depth: 0, cause: null }
                  )
                )
              )
              fired += due.length
            })
          )
          .pipe(rootSpan("fire due dates", { "millrace.due": rows.length }))
      })
      return {
        slots: AT_ONCE,
        claim: announcing(
          activation,
          nextDue(),
          Effect.fnUntraced(function* (request: ClaimRequest) {
            const rows = yield* activation.once.commit(
              rowsOf(DueRow)(sql`
            UPDATE calendar_due d SET fence = ${activation.fence}, claims = claims + 1
            FROM (
              SELECT automation_id, record_id FROM calendar_due
              WHERE due_at <= ${request.now} AND fence <> ${activation.fence}
                AND claims BETWEEN ${request.minClaims}::int AND ${request.maxClaims}::int
              ORDER BY due_at LIMIT ${request.limit}::int FOR UPDATE SKIP LOCKED
            ) AS c
            WHERE d.automation_id = c.automation_id AND d.record_id = c.record_id
            RETURNING d.automation_id, d.record_id, d.app_id, d.org_id, d.due_at, d.claims,
              d.automation_id || '/' || d.record_id AS row_id`)
            )
            return rows.length === 0 ? [] : [fire(rows)]
          })
        ),
        setAside: ({ automation_id, record_id }) =>
          Effect.asVoid(
            sql`DELETE FROM calendar_due WHERE automation_id = ${automation_id} AND record_id = ${record_id}`
          ),
        details: Effect.sync(() => [{ what: "dates fired since this activation began", count: fired, why: "" }])
      }
    })

  const kind: ActorKind = {
    name: "calendar",
    workflowType: "calendar",
    summary: () => "Due dates of all automations",
    perApp: false,
    commands: [CALENDAR_WAKE],
    // The record's transaction has written the rows; the event says that the earliest due date may have changed.
    look: Effect.map(
      rowsOf(NextDue)(sql`SELECT min(due_at) AS due FROM calendar_due WHERE record_id = ${batchRecords(sql)}`),
      ([row]): FanOut =>
        Effect.fnUntraced(function* (events) {
          const due = events.some(({ type }) => type === CALENDAR_WAKE) ? yield* nextDue() : row?.due
          return due == null ? nothing : { addresses: [{ id: "", org_id: null, due_at: due }], writes: [] }
        })
    ),
    nextDue,
    withDueRows: (now) =>
      Effect.map(sql`SELECT 1 FROM calendar_due WHERE due_at < ${now} LIMIT 1`, (rows) =>
        rows.length === 0 ? [] : [{ id: "", org_id: null, due_at: null }]
      ),
    activate
  }
  return kind
})
