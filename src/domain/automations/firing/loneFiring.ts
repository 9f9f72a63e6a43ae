// The mailbox rows of an event that comes alone (docs/architecture.md, "A lone event"), claimed as they are written, for an activation that has nothing in
// the air: every automation that it fires is fired at once, whatever has changed, and none of them has anything in its line (decisions A17).
import { Effect, Schema, Struct } from "effect"
import { idleOf, LoneFound, type LoneHead, type LoneKind, type LoneValues } from "../../../engine/actors/LoneEvent.ts"
import { compiledOnce, slotsOf } from "../../../ground/sql/compiledOnce.ts"
import { sizesOf } from "../../../ground/sql/given.ts"
import { rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { knownRights } from "../model/knownRecord.ts"
import { automationsOfClaimed, Claimed, claimedColumns, inboxEventOf, knownRecord } from "./inboxRows.ts"
import { firable, firedBy, firesPlainly } from "./mailboxFanOut.ts"

/** Automations that it fires. */
const AT_MOST = 16
/** What its record takes as it is kept: it comes with every one of them. */
const RECORD_BYTES = 16 * 1024

const Row = Schema.Struct({ ...LoneFound.fields, ...Struct.map(Claimed.fields, Schema.NullOr) })
type Row = typeof Row.Type

const isClaimed = (row: Row): row is Row & typeof Claimed.Type => row.row_id !== null

interface Values extends LoneValues {
  /** Of all that idle. */
  readonly ordinary: ReadonlyArray<string>
}
const slots = slotsOf<Values>()

export const makeLone = Effect.map(Sql, (sql): LoneKind => {
  const compiled = compiledOnce<Values>(sql)
  const may = sql.literal(firable)
  const atMost = sql.literal(String(AT_MOST))
  const recordBytes = sql.literal(String(RECORD_BYTES))

  const statement = (head: LoneHead, idle: number) => sql`
    WITH ${head.ctes(slots, idle)}, fired AS MATERIALIZED (
      SELECT a.automation_id, ${sql.literal(firesPlainly)} AS plain,
        EXISTS (SELECT 1 FROM automation_inbox i WHERE i.app_id = a.app_id AND i.automation_id = a.automation_id AND NOT i.parked) AS behind
      FROM one JOIN mine ON one.workflow AND mine.of_app = one.app_id JOIN automations a ON a.app_id = one.app_id
      WHERE ${may} AND ${sql.literal(firedBy("one"))}
    ), known AS MATERIALIZED (
      SELECT ${knownRecord(sql)} AS record, coalesce(pg_column_size(r.cells), 0) AS bytes
      FROM one JOIN mine ON true LEFT JOIN (records r JOIN apps ra USING (app_id)) ON r.record_id = one.record_id AND r.org_id = one.org_id
    ), fit AS MATERIALIZED (
      SELECT one.event_id, one.type, one.org_id, one.app_id, one.record_id, one.depth, one.cause, one.payload, one.traceparent, one.created_on
      FROM one CROSS JOIN known CROSS JOIN (
        SELECT count(*) AS count, bool_and(plain AND NOT behind) AS plain FROM fired) f
      WHERE f.count BETWEEN 1 AND ${atMost} AND f.plain AND known.bytes <= ${recordBytes}
    ), gone AS (${head.gone}), kept AS (
      INSERT INTO automation_events (event_id, type, org_id, app_id, record_id, depth, cause, payload, traceparent, created_on)
      SELECT event_id, type, org_id, app_id, record_id, depth, cause, payload, traceparent, created_on FROM gone
      ON CONFLICT (event_id) DO NOTHING
    ), written AS (
      INSERT INTO automation_inbox (app_id, org_id, automation_id, event_id, lane, due_at, fence, claims)
      SELECT gone.app_id, gone.org_id, fired.automation_id, gone.event_id, gone.record_id, gone.created_on, mine.fence, 1
      FROM gone CROSS JOIN mine CROSS JOIN fired ORDER BY fired.automation_id
      ON CONFLICT (event_id, automation_id) DO NOTHING
      RETURNING row_id, claims, event_id, automation_id, run_id, lane
    )
    SELECT ${head.found}, t.row_id, t.claims, t.automation_id, t.run_id, t.lane, t.new_run_id, t.depth, t.cause, t.payload, t.created_on,
      t.automation, t.record, t.rights
    FROM gate LEFT JOIN (
      SELECT mine.actor_key, e.org_id, e.app_id, ${claimedColumns(sql, slots.ordinary)}, known.record, ${knownRights(sql)} AS rights
      FROM gone e CROSS JOIN mine CROSS JOIN known CROSS JOIN written c
        LEFT JOIN (${automationsOfClaimed(sql)}) ON a.automation_id = c.automation_id) t ON true
    ORDER BY t.row_id`

  return {
    concerns: sql`(o.workflow AND EXISTS (
      SELECT 1 FROM automations a WHERE a.app_id = o.app_id AND ${may} AND ${sql.literal(firedBy("o"))}))`,
    takes:
      (head) =>
      ({ from, idle, now }) => {
        const ordinary = idle.flatMap(({ says }) => [...(says as ReadonlySet<string>)])
        const values: Values = { idle: idleOf(idle), from, now, ordinary }
        return Effect.map(
          rowsOf(Row)(compiled(sizesOf(idle.length), values, () => statement(head, idle.length))),
          (rows) => {
            const claimed = rows.filter(isClaimed)
            return {
              found: rows[0]!,
              answer:
                claimed.length === 0
                  ? undefined
                  : (traceparent: string | null) => claimed.flatMap((row) => inboxEventOf(now)({ ...row, traceparent }))
            }
          }
        )
      }
  }
})
