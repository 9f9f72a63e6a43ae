// The mailbox of an app's automations: lines, turns, claims (decisions A17; design: automations as durable executions).
// Of each automation and record only the first row may go; automations take turns, so that none starves another. A parked row stands
// in nobody's way and goes when it is due; one that is due at infinity is called.
import { Effect, Schema } from "effect"
import type { Activation, Address, ClaimRequest } from "../../../engine/actors/ActorKind.ts"
import { heldBy } from "../../../engine/actors/fence.ts"
import { compiledOnce, slotsOf } from "../../../ground/sql/compiledOnce.ts"
import { atMost, sizesOf } from "../../../ground/sql/given.ts"
import { rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { knownRights } from "../model/knownRecord.ts"
import {
  automationsOfClaimed,
  ClaimedOrNone,
  claimedColumns,
  inboxEventOf,
  knownRecord,
  type WrittenRow
} from "./inboxRows.ts"

/** Rows of one automation looked at in a claim; those in the air are among them. */
const WINDOW = 400
/**
 * What the events and records of a claim take as they are kept, each counted with every row that it comes with; the first row comes whatever
 * it takes (compare engine/relay/relayShards.ts). What is left is claimed as soon as a row is done.
 */
const BYTES = 1024 * 1024
/** Rows of a claim that bring their author's rights along, where nothing is in the air: of more it is dearer than to ask for all authors once. */
const FEW = 4

const NextDue = Schema.Struct({ due: Schema.NullOr(Schema.Date) })

const DueApp = Schema.Struct({ app_id: Schema.Int, org_id: Schema.Int })

/** What the activation knows when it claims. */
interface Held {
  /** Rows in the air. */
  readonly held: ReadonlySet<number>
  /** Revisions whose runs cannot be whole in one statement. */
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
  /** In JSON. */
  readonly written: string
}
const slots = slotsOf<Values>()

export const makeClaim = Effect.gen(function* () {
  const sql = yield* Sql
  const compiled = compiledOnce<Values>(sql)
  const rights = knownRights(sql)
  const rightsOf = {
    line: sql.literal("NULL::jsonb"),
    few: sql`CASE WHEN (SELECT count(*) FROM claimed) <= ${sql.literal(String(FEW))} THEN ${rights} END`
  }

  const bytes = sql.literal(String(BYTES))
  const window = sql.literal(String(WINDOW))
  const line = (appId: unknown) => sql`
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

  /** Heads that may go, of those that an ordinary claim looks at. */
  const headsOf = () => sql`
    SELECT row_id, event_id, turn FROM (${line(slots.app_id)}) AS line
    WHERE EXISTS (SELECT 1 FROM mine) AND nth = 1 AND due_at <= ${slots.now}
      AND (fence <> ${slots.fence} OR row_id NOT IN (SELECT unnest(${slots.held}::text[]::bigint[])))
      AND claims BETWEEN ${slots.min_claims}::int AND ${slots.max_claims}::int
    ORDER BY turn, row_id LIMIT ${slots.limit}::int`

  /** Of rows that have just been written, those that are the first of their line, within as many as an ordinary claim looks at. */
  const headsAmong = (count: number) => sql`
    SELECT i.row_id, i.event_id, 0 AS turn
    FROM ${atMost(
      sql,
      count,
      sql`jsonb_to_recordset(${slots.written}::jsonb) AS j (event_id bigint, automation_id bigint)`,
      "w"
    )} JOIN automation_inbox i USING (event_id, automation_id)
    WHERE EXISTS (SELECT 1 FROM mine) AND i.app_id = ${slots.app_id} AND NOT i.parked AND i.due_at <= ${slots.now} AND i.fence <> ${slots.fence}
      AND i.claims BETWEEN ${slots.min_claims}::int AND ${slots.max_claims}::int
      AND (
        SELECT count(*) < ${window} AND count(*) FILTER (WHERE before.lane = i.lane) = 0
        FROM (
          SELECT b.lane FROM automation_inbox b
          WHERE b.app_id = ${slots.app_id} AND b.automation_id = i.automation_id AND NOT b.parked AND b.row_id < i.row_id
          ORDER BY b.row_id LIMIT ${window}) before)
    ORDER BY i.row_id LIMIT ${slots.limit}::int`

  /** @param written so many rows, where no others are claimed */
  const statement = (shape: keyof typeof rightsOf, written: number | undefined) => sql`
      WITH mine AS MATERIALIZED (${heldBy(sql, slots)}), found AS (${written === undefined ? headsOf() : headsAmong(written)}), heads AS (
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
      SELECT ${claimedColumns(sql, slots.ordinary)}, ${knownRecord(sql)} AS record, ${written === undefined ? rightsOf[shape] : rights} AS rights
      FROM mine LEFT JOIN (claimed c JOIN automation_events e USING (event_id)
        LEFT JOIN (${automationsOfClaimed(sql)}) ON a.automation_id = c.automation_id
        LEFT JOIN (records r JOIN apps ra USING (app_id))
          ON r.record_id = e.record_id AND r.org_id = c.org_id AND c.run_id IS NULL) ON true
      ORDER BY c.row_id`

  /**
   * Null when another activation holds the fence. A lost claim is only claimed again: it does not wait for the disk. In the air is
   * what carries the fence and is also held: a row that a dying server has given back carries the fence, and nobody works on it.
   * @param written rows that have just been written, where no others are claimed
   */
  const claim = Effect.fnUntraced(function* (
    appId: number,
    { fence, key }: Pick<Activation, "fence" | "key">,
    { held, ordinary }: Held,
    { limit, maxClaims, minClaims, now }: ClaimRequest,
    written?: ReadonlyArray<WrittenRow>
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
      ordinary: [...ordinary],
      written: JSON.stringify(written ?? [])
    }
    const shape = held.size === 0 ? "few" : "line"
    const known = written === undefined ? shape : sizesOf(written.length)
    const rows = yield* rowsOf(ClaimedOrNone)(compiled(known, values, () => statement(shape, written?.length)))
    if (rows.length === 0) return null
    return rows.flatMap(inboxEventOf(now))
  })

  const nextDue = Effect.fnUntraced(function* (id: string) {
    const row = yield* rowOf(NextDue)(sql`
      WITH line AS (${line(Number(id))}) SELECT min(due_at) AS due FROM line WHERE nth = 1`)
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
