// Claims mailbox rows of an app's automations (decisions A17; design: automations as durable executions). For each automation and record
// only the oldest row may be claimed. Automations are served round robin, so that none starves another. A parked row blocks no other and is
// claimed when it is due; one that is due at infinity waits for a call.
import { Effect, Schema } from "effect"
import type { Activation, Address, ClaimRequest } from "../../../engine/actors/ActorKind.ts"
import { heldBy } from "../../../engine/actors/fence.ts"
import { compiledOnce, slotsOf } from "../../../platform/sql/compiledOnce.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { knownRights } from "../model/knownRecord.ts"
import { automationsOfClaimed, ClaimedOrNone, claimedColumns, inboxEventOf, knownRecord } from "./inboxRows.ts"

/** Rows of one automation that a claim considers, those in flight included. */
const WINDOW = 400
/**
 * Bytes that the events and records of a claim may take in storage, each counted with every row that it comes with. The first row is
 * claimed whatever its size (compare engine/relay/relayShards.ts). Rows beyond are claimed as soon as a row is done.
 */
const BYTES = 1024 * 1024
/**
 * Maximum of rows for which a claim also reads the rights of the authors, while nothing is in flight. For more rows one query for all
 * authors is cheaper.
 */
const FEW = 4

const NextDue = Schema.Struct({ due: Schema.NullOr(Schema.Date) })

const DueApp = Schema.Struct({ app_id: Schema.Int, org_id: Schema.Int })

/** State of the activation that a claim needs. */
interface Held {
  /** Rows in flight. */
  readonly held: ReadonlySet<number>
  /** Revisions whose runs cannot be single-statement runs. */
  readonly ordinary: ReadonlySet<string>
}

interface Values {
  readonly app_id: number
  readonly key: string
  readonly fence: number
  readonly now: Date
  readonly limit: number
  readonly min_claims: number
  readonly max_claims: number
  readonly held: ReadonlyArray<string>
  readonly ordinary: ReadonlyArray<string>
}
const slots = slotsOf<Values>()

export const makeClaimInRecordOrder = Effect.gen(function* () {
  const sql = yield* Sql
  const compiled = compiledOnce<Values>(sql)
  const rights = knownRights(sql)
  const rightsOf = {
    line: sql.literal("NULL::jsonb"),
    few: sql`CASE WHEN (SELECT count(*) FROM claimed) <= ${sql.literal(String(FEW))} THEN ${rights} END`
  }

  const bytes = sql.literal(String(BYTES))
  const window = sql.literal(String(WINDOW))
  const queueRows = (appId: unknown) => sql`
    SELECT i.*, row_number() OVER (PARTITION BY i.automation_id, coalesce(i.lane, -i.row_id) ORDER BY i.row_id) AS nth,
      row_number() OVER (PARTITION BY i.automation_id ORDER BY i.row_id) AS turn
    FROM (SELECT automation_id FROM automations WHERE app_id = ${appId} UNION ALL SELECT 0) AS a
    CROSS JOIN LATERAL (
      SELECT row_id, event_id, automation_id, lane, due_at, fence, claims FROM automation_inbox
      WHERE app_id = ${appId} AND automation_id = a.automation_id AND NOT parked ORDER BY row_id LIMIT ${window}
    ) AS i
    UNION ALL
    SELECT i.*, 1 AS nth, row_number() OVER (ORDER BY i.due_at) AS turn
    FROM (
      SELECT row_id, event_id, automation_id, lane, due_at, fence, claims FROM automation_inbox
      WHERE app_id = ${appId} AND parked AND due_at < 'infinity' ORDER BY due_at LIMIT ${window}
    ) AS i`

  /** Oldest rows that may be claimed, within the window of an ordinary claim. */
  const headsOf = () => sql`
    SELECT row_id, event_id, turn FROM (${queueRows(slots.app_id)}) AS line
    WHERE EXISTS (SELECT 1 FROM mine) AND nth = 1 AND due_at <= ${slots.now}
      AND (fence <> ${slots.fence} OR row_id NOT IN (SELECT unnest(${slots.held}::text[]::bigint[])))
      AND claims BETWEEN ${slots.min_claims}::int AND ${slots.max_claims}::int
    ORDER BY turn, row_id LIMIT ${slots.limit}::int`

  const statement = (shape: keyof typeof rightsOf) => sql`
      WITH mine AS MATERIALIZED (${heldBy(sql, slots)}), found AS (${headsOf()}), heads AS (
        SELECT row_id FROM (
          SELECT f.row_id, sum(size.bytes) OVER (ORDER BY f.turn, f.row_id) - size.bytes AS before
          FROM found f LEFT JOIN automation_events e USING (event_id) LEFT JOIN records r ON r.record_id = e.record_id
          CROSS JOIN LATERAL (
            SELECT coalesce(pg_column_size(e.payload), 0) + coalesce((e.payload -> 'data' ->> 'webhook_payload_chars')::int, 0)
              + coalesce(pg_column_size(r.cells), 0) AS bytes) AS size) AS weighed
        WHERE before < ${bytes}
      ), claimed AS (
        UPDATE automation_inbox i SET fence = ${slots.fence}, claims = claims + 1 FROM heads WHERE i.row_id = heads.row_id
        RETURNING i.*
      )
      SELECT ${claimedColumns(sql, slots.ordinary)}, ${knownRecord(sql)} AS record, ${rightsOf[shape]} AS rights
      FROM mine LEFT JOIN (claimed c JOIN automation_events e USING (event_id)
        LEFT JOIN (${automationsOfClaimed(sql)}) ON a.automation_id = c.automation_id
        LEFT JOIN (records r JOIN apps ra USING (app_id))
          ON r.record_id = e.record_id AND r.org_id = c.org_id AND c.run_id IS NULL) ON true
      ORDER BY c.row_id`

  /**
   * Claims rows. Returns null if another activation holds the fence. The commit does not wait for the disk, since a lost claim is only
   * claimed again. A row is in flight if it carries the fence and is also in `held`: a row that a crashing database server has given back
   * carries the fence, but no job works on it.
   */
  const claim = Effect.fnUntraced(function* (
    appId: number,
    { fence, key }: Pick<Activation, "fence" | "key">,
    { held, ordinary }: Held,
    { limit, maxClaims, minClaims, now }: ClaimRequest
  ) {
    const values: Values = {
      app_id: appId,
      key,
      fence,
      now,
      limit,
      min_claims: minClaims,
      max_claims: maxClaims,
      held: [...held].map(String),
      ordinary: [...ordinary]
    }
    const shape = held.size === 0 ? "few" : "line"
    const rows = yield* rowsOf(ClaimedOrNone)(compiled(shape, values, () => statement(shape)))
    if (rows.length === 0) return null
    return rows.flatMap(inboxEventOf(now))
  })

  const nextDue = Effect.fnUntraced(function* (id: string) {
    const row = yield* rowOf(NextDue)(sql`
      WITH line AS (${queueRows(Number(id))}) SELECT min(due_at) AS due FROM line WHERE nth = 1`)
    return row?.due ?? null
  })

  const withDueRows = (now: Date) =>
    Effect.map(
      rowsOf(DueApp)(sql`
        SELECT DISTINCT app_id, org_id FROM automation_inbox WHERE due_at < ${now}`),
      (rows) => rows.map(({ app_id, org_id }): Address => ({ id: String(app_id), org_id, due_at: null }))
    )

  return { claim, nextDue, withDueRows }
})
