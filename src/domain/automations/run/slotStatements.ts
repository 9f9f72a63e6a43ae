// Statements that take and hand on concurrency slots (developer-api.md 7.11 rule 7). A slot is a number, unique among those that the
// organization's runs hold. A statement tries the slot's advisory lock and skips a slot that another transaction is about to commit. It also
// skips runs that another transaction has locked. It may therefore find fewer than there are, and reports that (`again`).
// One wait is left: an insert waits for a transaction that has released the same slot and not ended, if the slot was taken after the insert's
// snapshot. The insert's transaction has locked runs by then. Statements that end a run therefore lock the run before its slot, and
// OrganizationSlots repeats a statement after a deadlock.
import { Schema } from "effect"
import type { Statement } from "effect/sql"
import { lockKey } from "../../../platform/sql/advisoryLocks.ts"
import type { Slots } from "../../../platform/sql/compiledOnce.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { commandsAppended, RUN_WAKE } from "../model/fireCommand.ts"
import { goesOn } from "./waitReasons.ts"

/** Base of the advisory lock keys of slots; the other key is the organization's. */
const SLOT_LOCKS = 727_050_000
/** Additional slots that are tried, since other transactions may be about to commit some. */
const SPARE = 200

/** Milliseconds after which a queued run checks by itself. Normally it is called; this covers a process that died before the call. */
export const NO_PLACE_MILLIS = 600_000

export const RunId = Schema.Struct({ run_id: Schema.String })
const Called = Schema.Struct({
  called: Schema.Array(Schema.String),
  woken: Schema.Int,
  /** True if runs wait although slots are free, because other transactions were changing both. */
  again: Schema.Boolean
})

/** Releases the mailbox row of a run that got no slot. The row is due when the run is called, or at once if that has happened meanwhile. */
export const rowInLine = (sql: Sql, row: { readonly row_id: number; readonly run_id: string }, millis: number) => sql`
  UPDATE automation_inbox SET fence = 0, claims = 0, due_at = CASE
    WHEN EXISTS (SELECT 1 FROM runs WHERE run_id = ${row.run_id}::bigint AND place_wanted_on IS NOT NULL)
    THEN ${new Date(millis + NO_PLACE_MILLIS)}::timestamptz ELSE ${new Date(millis)}::timestamptz END
  WHERE row_id = ${String(row.row_id)}::bigint`

/** Values of `forAnInstant`. */
export interface InstantValues {
  readonly org_id: number
  readonly org_lock: number
  readonly wanted: number
}

export const instantValues = (org_id: number, wanted: number): InstantValues => ({
  org_id,
  org_lock: lockKey(org_id),
  wanted
})

export const slotStatements = (sql: Sql, runsConcurrent: number) => {
  const continuedRun = sql.literal(goesOn)
  const spare = sql.literal(`${SPARE}::int`)
  const locks = sql.literal(`${SLOT_LOCKS}::int`)
  const most = sql.literal(`${runsConcurrent}::int`)

  const slotsInUse = (orgId: unknown) => sql`SELECT run_id, slot FROM run_places WHERE org_id = ${orgId}`

  /** Slots with a lookup of the run that holds each: needed for fair scheduling only. */
  const heldBy = (orgId: number) => sql`
    SELECT p.run_id, p.slot, r.app_id, r.automation_id FROM run_places p LEFT JOIN runs r USING (run_id) WHERE p.org_id = ${orgId}`

  /** Selects those of the locked `runs` that hold a slot. The lock leaves out a slot that was released after the statement had begun. */
  const keptBy = (runs: string) =>
    sql.literal(`SELECT p.run_id FROM ${runs} JOIN run_places p USING (run_id) FOR KEY SHARE OF p`)

  /** Free slots, numbered and locked until the transaction ends; `held` are those in use. */
  const slots = (lockOf: unknown, wanted: Statement.Fragment) => sql`
    SELECT slot, row_number() OVER () AS n FROM (
      SELECT slot FROM (
        SELECT slot FROM generate_series(1, least(${most}, (SELECT count(*) FROM held) + ${wanted} + ${spare})::int) AS s (slot)
        WHERE slot NOT IN (SELECT slot FROM held WHERE slot IS NOT NULL) ORDER BY slot OFFSET 0
      ) AS open
      WHERE pg_try_advisory_xact_lock(${lockOf}::int, ${locks} + slot) LIMIT ${wanted}
    ) AS locked`

  /**
   * Takes slots in the order of the runs. Returns the runs that got a slot or hold one; the others are in the queue. New runs never
   * overtake queued ones. A run that waits for called ones gets none: it takes its turn back first (ConcurrencyLimits.ts).
   */
  const take = (orgId: number, runIds: ReadonlyArray<string>, at: Date) =>
    rowsOf(RunId)(sql`
      WITH asked AS MATERIALIZED (
        SELECT r.run_id, a.ord FROM unnest(${[...runIds]}::text[]::bigint[]) WITH ORDINALITY AS a (id, ord)
        JOIN runs r ON r.run_id = a.id AND r.wait_why IS DISTINCT FROM 'called_run' FOR UPDATE OF r
      ), kept AS MATERIALIZED (${keptBy("asked")}),
      held AS MATERIALIZED (${slotsInUse(orgId)}),
      wanting AS (
        SELECT run_id, row_number() OVER (ORDER BY ord) AS n FROM asked WHERE run_id NOT IN (SELECT run_id FROM kept)
      ), room AS (
        SELECT CASE WHEN EXISTS (
          SELECT 1 FROM runs WHERE org_id = ${orgId} AND place_wanted_on IS NOT NULL AND run_id NOT IN (SELECT run_id FROM asked)
        ) THEN 0 ELSE least((SELECT count(*) FROM wanting), greatest(0, ${most} - (SELECT count(*) FROM held))) END AS n
      ), open AS MATERIALIZED (${slots(lockKey(orgId), sql`(SELECT n FROM room)`)}),
      taken AS (
        INSERT INTO run_places (run_id, org_id, slot, taken_on)
        SELECT run_id, ${orgId}, slot, ${at}::timestamptz FROM wanting JOIN open USING (n)
        ON CONFLICT DO NOTHING RETURNING run_id
      ), placed AS (SELECT run_id FROM taken UNION SELECT run_id FROM kept), line AS (
        UPDATE runs r SET ${continuedRun},
          place_wanted_on = CASE WHEN p.run_id IS NULL THEN coalesce(r.place_wanted_on, ${at}::timestamptz) END
        FROM asked LEFT JOIN placed p USING (run_id)
        WHERE r.run_id = asked.run_id AND ((p.run_id IS NULL) = (r.place_wanted_on IS NULL) OR r.wait_why IS NOT NULL)
          AND (p.run_id IS NOT NULL OR r.completed_on IS NULL)
      )
      SELECT run_id::text FROM placed`)

  /**
   * Gives free slots to the first runs in the queue and wakes those that do not wait in this process.
   * - Apps, and within an app its automations, are served round robin, those with the fewest slots first: a busy one does not delay the
   * others.
   * - Within an automation the oldest run goes first: runs that have begun finish before further ones begin.
   */
  const call = (orgId: number, standing: ReadonlyArray<string>, at: Date) => {
    const wakes = sql`
      SELECT ${orgId}::bigint AS org_id, app_id, jsonb_build_object('run_id', run_id::text, 'automation_id', automation_id) AS payload
      FROM called WHERE run_id <> ALL(${[...standing]}::text[]::bigint[])`
    return rowOf(Called)(sql`
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
      ), kept AS MATERIALIZED (${keptBy("next")}),
      wanting AS (
        SELECT run_id, row_number() OVER (ORDER BY share, run_id) AS n FROM next
        WHERE run_id NOT IN (SELECT run_id FROM kept)
      ), open AS MATERIALIZED (${slots(lockKey(orgId), sql`(SELECT count(*) FROM wanting)`)}),
      placed AS (
        INSERT INTO run_places (run_id, org_id, slot, taken_on)
        SELECT run_id, ${orgId}, slot, ${at}::timestamptz FROM wanting JOIN open USING (n)
        ON CONFLICT DO NOTHING RETURNING run_id
      ), called AS (
        UPDATE runs SET place_wanted_on = NULL, ${continuedRun}
        WHERE run_id IN (SELECT run_id FROM placed UNION SELECT run_id FROM kept) RETURNING run_id, app_id, automation_id
      ), wakes AS (
        ${commandsAppended(sql, RUN_WAKE, at, wakes)}
      )
      SELECT ARRAY(SELECT run_id::text FROM called) AS called, (SELECT count(*) FROM wakes) AS woken,
        (SELECT count(*) FROM called) < least((SELECT n FROM room), (SELECT count(*) FROM line)) AS again`)
  }

  /**
   * Slots for runs that begin in the statement, whether or not they end in it: as many as are free for `wanted` of them, numbered, as `open`.
   * Each is locked until the statement has ended. None while the queue holds a run.
   */
  const forAnInstant = ({ org_id, org_lock, wanted }: Slots<InstantValues>) => sql`
    held AS MATERIALIZED (${slotsInUse(org_id)}), room AS MATERIALIZED (
      SELECT CASE WHEN EXISTS (SELECT 1 FROM runs WHERE org_id = ${org_id} AND place_wanted_on IS NOT NULL)
        THEN 0 ELSE least(${wanted}::bigint, greatest(0, ${most} - (SELECT count(*) FROM held))) END AS n
    ), open AS MATERIALIZED (${slots(org_lock, sql`(SELECT n FROM room)`)})`

  return { take, call, forAnInstant }
}
