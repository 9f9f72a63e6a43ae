// Statement that creates runs, with trigger data, first log entries and what their events and callers know of them (developer-api.md 7.11
// rules 1 and 7). It is part of a transaction, or takes concurrency slots itself, under the fence of the app's actor.
import { Effect, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { Activation } from "../../../engine/actors/ActorKind.ts"
import { heldBy } from "../../../engine/actors/fence.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { jsonText } from "../../../platform/sql/json.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { runHolder } from "../../records/files/File.ts"
import type { NewRun } from "../run/NewRun.ts"
import type { OrganizationSlots } from "../run/OrganizationSlots.ts"
import { RunStatus } from "../run/RunRow.ts"
import { newRunColumns, newRunRow, runInserts } from "../run/runInserts.ts"
import { EndedRun } from "../run/runMetrics.ts"
import { instantValues } from "../run/slotStatements.ts"

const Made = Schema.Struct({
  row_id: Schema.Int,
  run_id: Schema.String,
  automation_id: Schema.Int,
  record_id: Schema.NullOr(Schema.Int),
  takes_over: Schema.Boolean,
  status: RunStatus,
  ...EndedRun.fields,
  /** True if the run begins now, as far as its automation's limit allows. */
  open: Schema.Boolean,
  limited: Schema.Boolean
})

const Unlimited = Schema.Struct({ automation_id: Schema.Int })

export interface CreatedRun {
  readonly row_id: number
  readonly run_id: string
  /** True if the run holds a concurrency slot: a plain one executes immediately, a durable one gets its workflow. */
  readonly placed: boolean
  /** True if the run was skipped, or replaced by the next one: its mailbox row has nothing to wait for. */
  readonly over: boolean
}
const Placed = Schema.Struct({ runs: jsonb<ReadonlyArray<CreatedRun>>() })

type Runs = ReadonlyArray<NewRun>

export const creationStatement = (sql: Sql, runSlots: Pick<OrganizationSlots["Service"], "forAnInstant">) => {
  const inserts = runInserts(sql)

  const inputOf = (runs: Runs, now: Date) => sql`
    SELECT * FROM jsonb_to_recordset(${jsonText(runs.map((run, index) => ({ ...newRunRow(run, now), n: index + 1 })))}::jsonb) AS i (
      n int, ${sql.literal(newRunColumns)}, wait_key text, awaited jsonb, takes_over boolean, handed jsonb)`

  /** Inserts the runs of `input`; `fresh` has those that did not exist. */
  const creating = (input: Statement.Fragment, now: Date) => sql`input AS (${input}), made AS (
      ${inserts.runs(sql.literal("input"))}
    ), fresh AS (
      SELECT made.run_id, input.* FROM made JOIN input USING (automation_id, event_id)
    ), triggers AS (
      ${inserts.triggers(sql.literal("fresh"))}
    ), logs AS (
      ${inserts.logs(sql.literal("fresh"), now)}
    ), handed AS (
      INSERT INTO file_holds (file_id, holder)
      SELECT h.file_id, ${runHolder("")} || fresh.run_id
      FROM fresh, jsonb_array_elements_text(fresh.handed -> 'files') AS f (id), file_holds h
      WHERE h.file_id = f.id::bigint
        AND h.holder = ${runHolder("")} || (fresh.handed ->> 'by')
      ON CONFLICT DO NOTHING
    ), mailbox AS (
      UPDATE automation_inbox i SET run_id = fresh.run_id, claims = 0, parked = fresh.debounced_until IS NOT NULL,
        due_at = coalesce(fresh.debounced_until, i.due_at),
        fence = CASE WHEN fresh.debounced_until IS NULL THEN i.fence ELSE 0 END
      FROM fresh WHERE i.row_id = fresh.row_id
    ), calls AS (
      UPDATE run_calls c SET called_run_id = fresh.run_id FROM fresh
      WHERE c.run_id = (fresh.awaited ->> 'run_id')::bigint
        AND c.path = fresh.awaited ->> 'path' AND c.iteration = fresh.awaited ->> 'iteration'
        AND c.record_id = (fresh.awaited ->> 'record_id')::bigint
    ), waits AS (
      UPDATE run_waits w SET run_id = fresh.run_id FROM fresh WHERE w.wait_key = fresh.wait_key
    )`

  /** Creates runs in the caller's transaction. */
  const create = (runs: Runs, now: Date) =>
    rowsOf(Made)(sql`WITH ${creating(inputOf(runs, now), now)}
      SELECT f.row_id, f.run_id::text, f.automation_id, f.record_id, f.takes_over, f.type, f.status, f.created_on,
        f.status <> 'failed' AND f.debounced_until IS NULL AS open, a.concurrency IS NOT NULL AS limited
      FROM fresh f LEFT JOIN automations a USING (automation_id) ORDER BY f.n`)

  /**
   * Returns those of the automations without a concurrency limit. They get none until the transaction ends: a new one then counts its runs.
   * Call it behind everything that locks runs, for a run that is ended may lock its automation.
   */
  const lockUnlimited = (automationIds: ReadonlyArray<number>) => {
    if (automationIds.length === 0) return Effect.succeed(new Set<number>())
    return Effect.map(
      rowsOf(Unlimited)(sql`
        SELECT automation_id FROM automations WHERE automation_id = ANY(${automationIds.map(String)}::text[]::bigint[]) AND concurrency IS NULL
        ORDER BY automation_id FOR SHARE`),
      (rows) => new Set(rows.map(({ automation_id }) => automation_id))
    )
  }

  /**
   * Creates runs that begin at once, each with a slot, as far as slots are free, the automation has no concurrency limit and nobody has
   * locked what the statement needs. The commit does not wait for the disk. No row: another activation holds the fence. A run that has lost
   * its slot to another transaction at the last moment is not `placed`.
   */
  const createPlaced = (runs: Runs, now: Date, { fence, key }: Pick<Activation, "fence" | "key">) => {
    const input = sql`
      SELECT given.* FROM mine, given JOIN open USING (n) JOIN automation_inbox b ON b.row_id = given.row_id AND b.run_id IS NULL
        JOIN automations a ON a.automation_id = given.automation_id AND a.concurrency IS NULL
      FOR UPDATE OF b SKIP LOCKED FOR SHARE OF a SKIP LOCKED`
    return rowsOf(Placed)(sql`
      WITH mine AS MATERIALIZED (${heldBy(sql, { fence, key })}), given AS MATERIALIZED (${inputOf(runs, now)}),
      ${runSlots.forAnInstant(instantValues(runs[0]!.org_id, runs.length))}, ${creating(input, now)}, placed AS (
        INSERT INTO run_places (run_id, org_id, slot, taken_on)
        SELECT run_id, org_id, slot, ${now}::timestamptz FROM fresh JOIN open USING (n) ON CONFLICT DO NOTHING RETURNING run_id
      )
      SELECT (SELECT coalesce(jsonb_agg(jsonb_build_object(
          'row_id', row_id, 'run_id', run_id::text, 'placed', run_id IN (SELECT run_id FROM placed), 'over', false)), '[]')
        FROM fresh) AS runs FROM mine`)
  }

  return { create, createPlaced, lockUnlimited }
}
