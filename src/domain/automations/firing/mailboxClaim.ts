// The mailbox of an app's automations: lines, turns, claims (decisions A17; design: automations as durable executions).
// Of each automation and record only the first row may go; automations take turns, so that none starves another. A parked row stands
// in nobody's way and goes when it is due; one that is due at infinity is called.
import { Effect, Schema } from "effect"
import type { Activation, Address, ClaimRequest } from "../../../engine/actors/ActorKind.ts"
import { heldBy } from "../../../engine/actors/fence.ts"
import { atMost } from "../../../ground/sql/given.ts"
import { rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { knownColumn, knownRights } from "../model/knownRecord.ts"
import { ClaimedOrNone, inboxEventOf, type WrittenRow } from "./inboxRows.ts"

/** Rows of one automation looked at in a claim; those in the air are among them. */
const WINDOW = 400

const NextDue = Schema.Struct({ due: Schema.NullOr(Schema.Date) })

const DueApp = Schema.Struct({ app_id: Schema.Int, org_id: Schema.Int })

/** What the activation knows when it claims. */
interface Held {
  /** Rows in the air. */
  readonly held: ReadonlySet<number>
  /** Revisions whose runs cannot be whole in one statement. */
  readonly ordinary: ReadonlySet<string>
}

export const makeClaim = Effect.gen(function* () {
  const sql = yield* Sql
  const recordKnown = knownColumn(sql)
  const noRights = sql.literal("NULL::jsonb")
  const rights = knownRights(sql)
  const newRunId = sql.literal("nextval('runs_run_id_seq')::text")

  const line = (appId: number) => sql`
    SELECT i.*, row_number() OVER (PARTITION BY i.automation_id, coalesce(i.lane, -i.row_id) ORDER BY i.row_id) AS nth,
      row_number() OVER (PARTITION BY i.automation_id ORDER BY i.row_id) AS turn
    FROM (SELECT automation_id FROM automations WHERE app_id = ${appId} UNION ALL SELECT 0) AS a
    CROSS JOIN LATERAL (
      SELECT row_id, automation_id, lane, due_at, fence, claims FROM automation_inbox
      WHERE app_id = ${appId} AND automation_id = a.automation_id AND NOT parked ORDER BY row_id LIMIT ${WINDOW}::int
    ) AS i
    UNION ALL
    SELECT i.*, 1 AS nth, row_number() OVER (ORDER BY i.due_at) AS turn
    FROM (
      SELECT row_id, automation_id, lane, due_at, fence, claims FROM automation_inbox
      WHERE app_id = ${appId} AND parked AND due_at < 'infinity' ORDER BY due_at LIMIT ${WINDOW}::int
    ) AS i`

  /** Heads that may go, of those that an ordinary claim looks at. */
  const headsOf = (
    appId: number,
    fence: number,
    { held }: Held,
    { limit, maxClaims, minClaims, now }: ClaimRequest
  ) => sql`
    SELECT row_id FROM (${line(appId)}) AS line
    WHERE EXISTS (SELECT 1 FROM mine) AND nth = 1 AND due_at <= ${now}
      AND (fence <> ${fence} OR row_id NOT IN (SELECT unnest(${[...held].map(String)}::text[]::bigint[])))
      AND claims BETWEEN ${minClaims}::int AND ${maxClaims}::int
    ORDER BY turn, row_id LIMIT ${limit}::int`

  /** Of rows that have just been written, those that are the first of their line, within as many as an ordinary claim looks at. */
  const headsAmong = (
    appId: number,
    fence: number,
    written: ReadonlyArray<WrittenRow>,
    { limit, maxClaims, minClaims, now }: ClaimRequest
  ) => sql`
    SELECT i.row_id
    FROM ${atMost(
      sql,
      written.length,
      sql`jsonb_to_recordset(${JSON.stringify(written)}::jsonb) AS j (event_id bigint, automation_id bigint)`,
      "w"
    )} JOIN automation_inbox i USING (event_id, automation_id)
    WHERE EXISTS (SELECT 1 FROM mine) AND i.app_id = ${appId} AND NOT i.parked AND i.due_at <= ${now} AND i.fence <> ${fence}
      AND i.claims BETWEEN ${minClaims}::int AND ${maxClaims}::int
      AND (
        SELECT count(*) < ${WINDOW}::int AND count(*) FILTER (WHERE before.lane = i.lane) = 0
        FROM (
          SELECT b.lane FROM automation_inbox b
          WHERE b.app_id = ${appId} AND b.automation_id = i.automation_id AND NOT b.parked AND b.row_id < i.row_id
          ORDER BY b.row_id LIMIT ${WINDOW}::int) before)
    ORDER BY i.row_id LIMIT ${limit}::int`

  /**
   * Null when another activation holds the fence. A lost claim is only claimed again: it does not wait for the disk. In the air is
   * what carries the fence and is also held: a row that a dying server has given back carries the fence, and nobody works on it.
   * @param written rows that have just been written, where no others are claimed
   */
  const claim = Effect.fnUntraced(function* (
    appId: number,
    activation: Pick<Activation, "fence" | "key">,
    known: Held,
    request: ClaimRequest,
    written?: ReadonlyArray<WrittenRow>
  ) {
    const { fence } = activation
    const heads =
      written === undefined ? headsOf(appId, fence, known, request) : headsAmong(appId, fence, written, request)
    const rows = yield* rowsOf(ClaimedOrNone)(sql`
      WITH mine AS MATERIALIZED (${heldBy(sql, activation)}), heads AS (${heads}), claimed AS (
        UPDATE automation_inbox i SET fence = ${fence}, claims = claims + 1 FROM heads WHERE i.row_id = heads.row_id
        RETURNING i.*
      )
      SELECT c.row_id, c.claims, c.event_id, c.automation_id, c.run_id::text, c.lane,
        CASE WHEN c.run_id IS NULL AND a.revision_id NOT IN (SELECT unnest(${[...known.ordinary]}::text[]::bigint[]))
          THEN ${newRunId} END AS new_run_id,
        e.type, e.record_id, e.depth, e.cause, e.payload, e.created_on, e.traceparent,
        CASE WHEN r.record_id IS NOT NULL THEN ${recordKnown} END AS record,
        ${written === undefined ? noRights : rights} AS rights,
        CASE WHEN a.automation_id IS NULL THEN NULL ELSE jsonb_build_object(
          'revision_id', a.revision_id::text, 'paused', a.paused, 'broken', a.broken,
          'deleted', a.deleted_on IS NOT NULL, 'trigger_type', a.trigger_type, 'workspace_id', p.workspace_id,
          'author_active', u.status = 'active', 'debounce_ms', a.debounce_ms) END AS automation
      FROM mine LEFT JOIN (claimed c JOIN automation_events e USING (event_id)
        LEFT JOIN (automations a JOIN apps p USING (app_id) JOIN users u ON u.user_id = a.owner_id)
          ON a.automation_id = c.automation_id
        LEFT JOIN (records r JOIN apps ra USING (app_id))
          ON r.record_id = e.record_id AND r.org_id = c.org_id AND c.run_id IS NULL) ON true
      ORDER BY c.row_id`)
    if (rows.length === 0) return null
    return rows.flatMap(inboxEventOf(request.now))
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
