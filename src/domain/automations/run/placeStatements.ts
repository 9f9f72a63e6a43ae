// How places are taken and handed on (developer-api.md 7.11 rule 7), each in one statement that waits for nobody: a place is a number
// of its organization, unique among those taken. Whoever takes one tries its lock, and passes it over where somebody else is about
// to commit it; a run that another transaction holds is passed over, too. So a look may find less than there is: it then says so.
import { Schema } from "effect"
import type { Statement } from "effect/sql"
import { lockKey } from "../../../ground/sql/advisoryLocks.ts"
import type { Slots } from "../../../ground/sql/compiledOnce.ts"
import { rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import type { Sql } from "../../../ground/sql/Sql.ts"
import { RUN_WAKE } from "../model/fireCommand.ts"
import { goesOn } from "./waiting.ts"

/** Locks of places: beside the organization's number. */
const SLOT_LOCKS = 727_050_000
/** Places that others may be about to commit: so many more are tried. */
const SPARE = 200

/** A run in the line is called; should that be lost with who was to call, it looks again by itself after this. */
export const NO_PLACE_MILLIS = 600_000

const RunId = Schema.Struct({ run_id: Schema.String })
const Called = Schema.Struct({
  called: Schema.Array(Schema.String),
  woken: Schema.Int,
  /** Runs wait while places are free: others were just changing both. */
  again: Schema.Boolean
})

/** The mailbox row of a run that got no place is due when it is called, which may have been meanwhile. */
export const rowInLine = (sql: Sql, row: { readonly row_id: number; readonly run_id: string }, millis: number) => sql`
  UPDATE automation_inbox SET fence = 0, claims = 0, due_at = CASE
    WHEN EXISTS (SELECT 1 FROM runs WHERE run_id = ${row.run_id}::bigint AND place_wanted_on IS NOT NULL)
    THEN ${new Date(millis + NO_PLACE_MILLIS)}::timestamptz ELSE ${new Date(millis)}::timestamptz END
  WHERE row_id = ${String(row.row_id)}::bigint`

/** What `forAnInstant` is given. */
export interface InstantValues {
  readonly org_id: number
  readonly org_lock: number
  readonly wanted: number
}

export const instantValues = (orgId: number, wanted: number): InstantValues => ({
  org_id: orgId,
  org_lock: lockKey(orgId),
  wanted
})

export const placeStatements = (sql: Sql, runsConcurrent: number) => {
  const free = sql.literal(goesOn)
  const spare = sql.literal(`${SPARE}::int`)
  const locks = sql.literal(`${SLOT_LOCKS}::int`)
  const most = sql.literal(`${runsConcurrent}::int`)

  const held = (orgId: unknown) => sql`SELECT run_id, slot FROM run_places WHERE org_id = ${orgId}`

  /** A look at each run that holds a place: for what goes by turns alone. */
  const heldBy = (orgId: number) => sql`
    SELECT p.run_id, p.slot, r.app_id, r.automation_id FROM run_places p LEFT JOIN runs r USING (run_id) WHERE p.org_id = ${orgId}`

  /** Free places, locked until the transaction ends, numbered; `held` are those that are taken. */
  const slots = (lockOf: unknown, wanted: Statement.Fragment) => sql`
    SELECT slot, row_number() OVER () AS n FROM (
      SELECT slot FROM (
        SELECT slot FROM generate_series(1, least(${most}, (SELECT count(*) FROM held) + ${wanted} + ${spare})::int) AS s (slot)
        WHERE slot NOT IN (SELECT slot FROM held WHERE slot IS NOT NULL) ORDER BY slot OFFSET 0
      ) AS open
      WHERE pg_try_advisory_xact_lock(${lockOf}::int, ${locks} + slot) LIMIT ${wanted}
    ) AS locked`

  /** Those of the runs that got a place or hold one; the others are in the line. Nobody overtakes those who are there already. */
  const take = (orgId: number, runIds: ReadonlyArray<string>, at: Date) =>
    rowsOf(RunId)(sql`
      WITH asked AS MATERIALIZED (
        SELECT r.run_id, a.ord FROM unnest(${[...runIds]}::text[]::bigint[]) WITH ORDINALITY AS a (id, ord)
        JOIN runs r ON r.run_id = a.id FOR UPDATE OF r
      ), held AS MATERIALIZED (${held(orgId)}),
      wanting AS (
        SELECT run_id, row_number() OVER (ORDER BY ord) AS n FROM asked WHERE run_id NOT IN (SELECT run_id FROM held)
      ), room AS (
        SELECT CASE WHEN EXISTS (
          SELECT 1 FROM runs WHERE org_id = ${orgId} AND place_wanted_on IS NOT NULL AND run_id NOT IN (SELECT run_id FROM asked)
        ) THEN 0 ELSE least((SELECT count(*) FROM wanting), greatest(0, ${most} - (SELECT count(*) FROM held))) END AS n
      ), open AS MATERIALIZED (${slots(lockKey(orgId), sql`(SELECT n FROM room)`)}),
      taken AS (
        INSERT INTO run_places (run_id, org_id, slot, taken_on)
        SELECT run_id, ${orgId}, slot, ${at}::timestamptz FROM wanting JOIN open USING (n)
        ON CONFLICT DO NOTHING RETURNING run_id
      ), placed AS (
        SELECT run_id FROM taken UNION SELECT run_id FROM held WHERE run_id IN (SELECT run_id FROM asked)
      ), line AS (
        UPDATE runs r SET ${free},
          place_wanted_on = CASE WHEN p.run_id IS NULL THEN coalesce(r.place_wanted_on, ${at}::timestamptz) END
        FROM asked LEFT JOIN placed p USING (run_id)
        WHERE r.run_id = asked.run_id AND ((p.run_id IS NULL) = (r.place_wanted_on IS NULL) OR r.wait_why IS NOT NULL)
          AND (p.run_id IS NOT NULL OR r.completed_on IS NULL)
      )
      SELECT run_id::text FROM placed`)

  /**
   * Gives free places to the first in line. Apps take turns, and in an app its automations, those with the fewest places first, so
   * that one that is busy does not hold up the others; of an automation the oldest run goes first: what has begun is finished before
   * more is begun. Those that do not stand here are woken.
   */
  const call = (orgId: number, standing: ReadonlyArray<string>, at: Date) =>
    rowOf(Called)(sql`
      WITH RECURSIVE held AS MATERIALIZED (${heldBy(orgId)}),
      room AS MATERIALIZED (SELECT greatest(0, ${most} - count(*)) AS n FROM held),
      waiting (app_id, automation_id) AS (
        (SELECT app_id, automation_id FROM runs WHERE org_id = ${orgId} AND place_wanted_on IS NOT NULL
          ORDER BY app_id, automation_id LIMIT 1)
        UNION ALL
        SELECT n.app_id, n.automation_id FROM waiting w CROSS JOIN LATERAL (
          SELECT r.app_id, r.automation_id FROM runs r WHERE r.org_id = ${orgId} AND r.place_wanted_on IS NOT NULL
            AND (r.app_id, r.automation_id) > (w.app_id, w.automation_id)
          ORDER BY r.app_id, r.automation_id LIMIT 1) AS n
      ), lines AS (
        SELECT l.run_id, w.app_id, (SELECT count(*) FROM held WHERE held.automation_id = w.automation_id)
          + row_number() OVER (PARTITION BY w.automation_id ORDER BY l.run_id) AS share
        FROM waiting w CROSS JOIN LATERAL (
          SELECT run_id FROM runs
          WHERE org_id = ${orgId} AND runs.app_id = w.app_id AND runs.automation_id = w.automation_id AND place_wanted_on IS NOT NULL
          ORDER BY run_id LIMIT (SELECT n FROM room)
        ) AS l
      ), line AS MATERIALIZED (
        SELECT run_id, (SELECT count(*) FROM held WHERE held.app_id = lines.app_id)
          + row_number() OVER (PARTITION BY app_id ORDER BY share, run_id) AS share FROM lines
      ), next AS MATERIALIZED (
        SELECT r.run_id, line.share FROM line JOIN runs r USING (run_id) WHERE r.place_wanted_on IS NOT NULL
        ORDER BY line.share, line.run_id LIMIT (SELECT n FROM room) FOR UPDATE OF r SKIP LOCKED
      ), kept AS (SELECT run_id FROM next WHERE run_id IN (SELECT run_id FROM held)),
      wanting AS (
        SELECT run_id, row_number() OVER (ORDER BY share, run_id) AS n FROM next
        WHERE run_id NOT IN (SELECT run_id FROM kept)
      ), open AS MATERIALIZED (${slots(lockKey(orgId), sql`(SELECT count(*) FROM wanting)`)}),
      placed AS (
        INSERT INTO run_places (run_id, org_id, slot, taken_on)
        SELECT run_id, ${orgId}, slot, ${at}::timestamptz FROM wanting JOIN open USING (n)
        ON CONFLICT DO NOTHING RETURNING run_id
      ), called AS (
        UPDATE runs SET place_wanted_on = NULL, ${free}
        WHERE run_id IN (SELECT run_id FROM placed UNION SELECT run_id FROM kept) RETURNING run_id, app_id, automation_id
      ), wakes AS (
        INSERT INTO outbox (type, org_id, app_id, hook, workflow, silent, depth, payload, created_on)
        SELECT ${RUN_WAKE}, ${orgId}, app_id, true, true, false, 0,
          jsonb_build_object('run_id', run_id::text, 'automation_id', automation_id), ${at}::timestamptz
        FROM called WHERE run_id <> ALL(${[...standing]}::text[]::bigint[]) RETURNING 1
      )
      SELECT ARRAY(SELECT run_id::text FROM called) AS called, (SELECT count(*) FROM wakes) AS woken,
        (SELECT count(*) FROM called) < least((SELECT n FROM room), (SELECT count(*) FROM line)) AS again`)

  /**
   * For runs that begin and end in one statement: as many places as are free for `wanted` of them, numbered, as `open`. Each is nobody
   * else's until the statement is over. None while anybody is in the line.
   */
  const forAnInstant = ({ org_id, org_lock, wanted }: Slots<InstantValues>) => sql`
    held AS MATERIALIZED (${held(org_id)}), room AS MATERIALIZED (
      SELECT CASE WHEN EXISTS (SELECT 1 FROM runs WHERE org_id = ${org_id} AND place_wanted_on IS NOT NULL)
        THEN 0 ELSE least(${wanted}::bigint, greatest(0, ${most} - (SELECT count(*) FROM held))) END AS n
    ), open AS MATERIALIZED (${slots(org_lock, sql`(SELECT n FROM room)`)})`

  /** The same run may have been called by somebody else meanwhile. */
  const holds = (runId: string) =>
    rowOf(RunId)(sql`
      WITH held AS (SELECT run_id FROM run_places WHERE run_id = ${runId}::bigint), line AS (
        UPDATE runs SET place_wanted_on = NULL, ${free} FROM held
        WHERE runs.run_id = held.run_id AND place_wanted_on IS NOT NULL
      ) SELECT run_id::text FROM held`)

  return { take, call, holds, forAnInstant }
}
