// The calendar's actor: fires due dates within seconds of their time (developer-api.md 7.5 rule 1; decisions A5). A row that a record
// moves or clears meanwhile has lost its fence and does not fire. After a downtime instants up to 24 hours old still fire.
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Activation, ActorKind, ActorWork, ClaimRequest, Job, MailboxRow } from "../../../actors/ActorKind.ts"
import { Outbox } from "../../../outbox/Outbox.ts"
import { CALENDAR_WAKE } from "../../triggers/dueDates.ts"
import { fireEvent } from "../../triggers/fire.ts"

interface DueRow extends MailboxRow {
  readonly automation_id: number
  readonly record_id: number
  readonly app_id: number
  readonly org_id: number
  readonly due_at: Date
}

const TOO_OLD_MILLIS = 24 * 3_600_000
const AT_ONCE = 200

export const calendarKind = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const outbox = yield* Outbox

  const nextDue = () =>
    Effect.map(sql<{ due: Date | null }>`SELECT min(due_at) AS due FROM calendar_due`, ([row]) => row?.due ?? null)

  const activate = (activation: Activation) =>
    Effect.sync((): ActorWork<DueRow> => {
      let fired = 0
      const fire = (rows: ReadonlyArray<DueRow>): Job<DueRow> => ({
        rows,
        run: activation.commit(
          Effect.gen(function* () {
            const now = yield* Clock.currentTimeMillis
            const gone = yield* sql<DueRow>`
              DELETE FROM calendar_due d USING jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
                AS r (automation_id bigint, record_id bigint)
              WHERE d.automation_id = r.automation_id AND d.record_id = r.record_id AND d.fence = ${activation.fence}
              RETURNING d.automation_id, d.record_id, d.app_id, d.org_id, d.due_at`
            const due = [...gone]
              .filter(({ due_at }) => now - due_at.getTime() <= TOO_OLD_MILLIS)
              .sort((a, b) => a.due_at.getTime() - b.due_at.getTime())
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
      })
      return {
        slots: AT_ONCE,
        claim: Effect.fnUntraced(function* (request: ClaimRequest) {
          const rows = yield* sql<DueRow>`
            UPDATE calendar_due d SET fence = ${activation.fence}, claims = claims + 1
            FROM (
              SELECT automation_id, record_id FROM calendar_due
              WHERE due_at <= ${request.now} AND fence <> ${activation.fence}
                AND claims BETWEEN ${request.minClaims}::int AND ${request.maxClaims}::int
              ORDER BY due_at LIMIT ${request.limit}::int
            ) AS c
            WHERE d.automation_id = c.automation_id AND d.record_id = c.record_id
            RETURNING d.automation_id, d.record_id, d.app_id, d.org_id, d.due_at, d.claims,
              d.automation_id || '/' || d.record_id AS row_id`
          return rows.length === 0 ? [] : [fire(rows)]
        }),
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
    perApp: false,
    commands: [CALENDAR_WAKE],
    // The rows were written with the record; the event says that the earliest may have changed.
    fanOut: Effect.fnUntraced(function* (events) {
      const ids = [...new Set(events.flatMap(({ record_id }) => (record_id === null ? [] : [String(record_id)])))]
      const woken = events.some(({ type }) => type === CALENDAR_WAKE)
      const [row] = woken
        ? yield* sql<{ due: Date | null }>`SELECT min(due_at) AS due FROM calendar_due`
        : ids.length === 0
          ? []
          : yield* sql<{ due: Date | null }>`
              SELECT min(due_at) AS due FROM calendar_due WHERE record_id = ANY(${ids}::text[]::bigint[])`
      return row?.due == null ? [] : [{ id: "", org_id: null, due_at: row.due }]
    }),
    nextDue,
    withDueRows: (now) =>
      Effect.map(sql`SELECT 1 FROM calendar_due WHERE due_at < ${now} LIMIT 1`, (rows) =>
        rows.length === 0 ? [] : [{ id: "", org_id: null, due_at: null }]
      ),
    activate
  }
  return kind
})
