// Concurrency limit of an automation, or of an automation per record (developer-api.md 7.13). A run over the limit waits in a queue, is
// skipped, or replaces the oldest run.
// - Counted are runs that have begun and not ended, in a delay too; simulations are not.
// - A run that waits for a called one gives its slot back meanwhile: the called run may need it.
// - Each decision holds the automation's lock and reads committed rows. Every end of a run appends, in its own transaction, the event that
// starts the next one: no run is missed, and nothing polls.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { Outbox } from "../../../engine/outbox/Outbox.ts"
import { TURNS_LOCK } from "../../../platform/sql/advisoryLocks.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { commandsAppended, type NextTurn, RUN_TURN, wakeEvent } from "../model/fireCommand.ts"
import type { Concurrency } from "../schema/RunSettings.ts"
import { makeCancelRuns } from "./cancelRuns.ts"
import type { RunRow } from "./RunRow.ts"
import { RunAddress } from "./runWorkflowId.ts"
import { goesOn } from "./waitReasons.ts"

export interface Newcomer {
  /** Mailbox row of the run. */
  readonly row_id: number
  readonly run_id: string
  readonly record_id: number | null
}

const Open = Schema.Struct({ run_id: Schema.String, in_line: Schema.Boolean })
type Open = typeof Open.Type

/** Part of the statement that ends runs or lets them wait (`fenced`): appends the events that start the next runs in the queue. */
export const turnsGiven = (sql: Sql, at: Date) => {
  const turns = sql.literal(`
    SELECT a.org_id, a.app_id, jsonb_build_object('automation_id', a.automation_id, 'record_id', f.record_id, 'all', false) AS payload
    FROM fenced f JOIN automations a USING (automation_id) WHERE f.turn_back AND a.concurrency IS NOT NULL`)
  return commandsAppended(sql, RUN_TURN, at, turns)
}

const among = ({ at_most, per_record }: Concurrency) =>
  `at most ${at_most} of the automation's runs ${at_most === 1 ? "is" : "are"} under way at once${per_record ? " for each record" : ""}`

const OfAutomation = Schema.Struct({ concurrency: Schema.NullOr(jsonb<Concurrency>()) })

const LineOfRecord = Schema.Struct({ record_id: Schema.NullOr(Schema.Int) })

export class ConcurrencyLimits extends Context.Service<
  ConcurrencyLimits,
  {
    /**
     * Applies the concurrency limit to new runs of one automation, in their order; call it in a transaction. Returns the runs that may
     * begin (`ready`) and those that have already ended (`over`). The others are in the queue, with their mailbox rows parked.
     */
    readonly enter: (
      automationId: number,
      runs: ReadonlyArray<Newcomer>
    ) => Effect.Effect<{ readonly ready: ReadonlySet<string>; readonly over: ReadonlySet<string> }, SqlError>
    /**
     * Returns true if a run whose called runs have ended may continue. Else it enters the queue, before the runs that have not begun. Call
     * it in a transaction.
     */
    readonly takeBack: (run: Pick<RunRow, "run_id" | "automation_id" | "record_id">) => Effect.Effect<boolean, SqlError>
    /** Makes the mailbox rows of the next runs due and wakes the runs that had begun. Call it in a transaction. */
    readonly handOn: (turn: NextTurn) => Effect.Effect<void, SqlError>
  }
>()("millrace/automations/run/ConcurrencyLimits") {
  static readonly layer = Layer.effect(
    ConcurrencyLimits,
    Effect.gen(function* () {
      const sql = yield* Sql
      const outbox = yield* Outbox
      const cancelRuns = makeCancelRuns(sql, outbox)
      const currentDate = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

      /** Locks the automation's limit until the transaction ends. Statements after it read what all earlier deciders have committed. */
      const settingsOf = Effect.fnUntraced(function* (automationId: number) {
        yield* sql`SELECT pg_advisory_xact_lock(${TURNS_LOCK}::int, hashint8(${automationId}))`
        const row = yield* rowOf(OfAutomation)(sql`
          SELECT concurrency FROM automations WHERE automation_id = ${automationId}`)
        return row?.concurrency ?? null
      })

      /** Condition for the open runs of the automation that share the limit with the record's runs. */
      const sharesLimit = (automationId: number, { per_record }: Concurrency, recordId: number | null) => {
        const same = recordId === null ? sql`record_id IS NULL` : sql`record_id = ${recordId}`
        return sql`automation_id = ${automationId} AND completed_on IS NULL AND type <> 'simulation' AND debounced_until IS NULL
          ${per_record ? sql`AND ${same}` : sql.literal("")}`
      }
      const underWay = (open: Statement.Fragment, limit: number, but: ReadonlyArray<string>) => sql`
        SELECT run_id FROM runs WHERE ${open} AND turn_wanted_on IS NULL AND wait_why IS DISTINCT FROM 'called_run'
          AND run_id <> ALL(${[...but]}::text[]::bigint[])
        ORDER BY run_id LIMIT ${limit}::int`

      const park = Effect.fnUntraced(function* (runs: ReadonlyArray<Newcomer>) {
        if (runs.length === 0) return
        const [runIds, rowIds] = [runs.map(({ run_id }) => run_id), runs.map(({ row_id }) => String(row_id))]
        yield* sql`
          WITH line AS (
            UPDATE runs SET status = 'pending', started_on = NULL, turn_wanted_on = ${yield* currentDate}
            WHERE run_id = ANY(${runIds}::text[]::bigint[]) RETURNING run_id
          )
          UPDATE automation_inbox i SET parked = true, due_at = 'infinity', fence = 0 FROM line
          WHERE i.row_id = ANY(${rowIds}::text[]::bigint[]) AND i.run_id = line.run_id`
      })

      const inOrder = Effect.fnUntraced(function* (
        automationId: number,
        settings: Concurrency,
        runs: ReadonlyArray<Newcomer>
      ) {
        const { at_most, when_full } = settings
        const ids = runs.map(({ run_id }) => run_id)
        const openRuns = sharesLimit(automationId, settings, runs[0]!.record_id)
        const activeRuns = yield* underWay(openRuns, at_most, ids)
        const queuedRuns = yield* sql`SELECT 1 FROM runs WHERE ${openRuns} AND turn_wanted_on IS NOT NULL LIMIT 1`
        // New runs never overtake those in the queue.
        const freeSlots = queuedRuns.length > 0 ? 0 : Math.max(0, at_most - activeRuns.length)
        const excessIds = ids.slice(freeSlots)
        if (when_full === "wait") yield* park(runs.slice(freeSlots))
        else {
          yield* cancelRuns(excessIds, {
            at: yield* currentDate,
            reason: `Skipped: ${among(settings)}.`,
            logged: "skipped",
            fresh: new Set(excessIds)
          })
        }
        return { ready: ids.slice(0, freeSlots), over: when_full === "wait" ? [] : excessIds }
      })

      const replacing = Effect.fnUntraced(function* (
        automationId: number,
        settings: Concurrency,
        runs: ReadonlyArray<Newcomer>
      ) {
        const { at_most } = settings
        const newIds = new Set(runs.map(({ run_id }) => run_id))
        let openRuns: ReadonlyArray<Open> = yield* rowsOf(Open)(sql`
          SELECT run_id::text, turn_wanted_on IS NOT NULL AS in_line FROM runs
          WHERE ${sharesLimit(automationId, settings, runs[0]!.record_id)} AND run_id <> ALL(${[...newIds]}::text[]::bigint[])
          ORDER BY run_id`)
        const replacedIds: Array<string> = []
        for (const run of runs) {
          const oldest = openRuns.slice(0, Math.max(0, openRuns.length + 1 - at_most)).map(({ run_id }) => run_id)
          const reason = `Replaced by run ${run.run_id}: ${among(settings)}.`
          const cancelled = yield* cancelRuns(oldest, { at: yield* currentDate, reason, fresh: newIds })
          const cancelledIds = new Set(
            cancelled.flatMap(({ run_id, status }) => (status === "cancelled" ? [run_id] : []))
          )
          replacedIds.push(...[...cancelledIds].filter((id) => newIds.has(id)))
          openRuns = openRuns.filter(({ run_id }) => !cancelledIds.has(run_id))
          // The replaced run waited for this one as its caller, so this one was cancelled with it.
          if (cancelledIds.has(run.run_id)) continue
          // A cancelled run that still executes a step keeps its slot until it has stopped.
          const busy = openRuns.filter(({ in_line }) => !in_line).length
          openRuns = [...openRuns, { run_id: run.run_id, in_line: busy >= at_most }]
        }
        const queuedIds = new Set(openRuns.flatMap(({ in_line, run_id }) => (in_line ? [run_id] : [])))
        yield* park(runs.filter(({ run_id }) => queuedIds.has(run_id)))
        return {
          ready: openRuns.flatMap(({ run_id }) => (newIds.has(run_id) && !queuedIds.has(run_id) ? [run_id] : [])),
          over: replacedIds
        }
      })

      const enter: ConcurrencyLimits["Service"]["enter"] = Effect.fnUntraced(function* (automationId, runs) {
        const settings = yield* settingsOf(automationId)
        if (settings === null) return { ready: new Set(runs.map(({ run_id }) => run_id)), over: new Set<string>() }
        const readyIds = new Set<string>()
        const replacedIds = new Set<string>()
        const decide = settings.when_full === "replace" ? replacing : inOrder
        const keys = Map.groupBy(runs, ({ record_id }) => (settings.per_record ? record_id : null))
        for (const runsOfKey of keys.values()) {
          const decided = yield* decide(automationId, settings, runsOfKey)
          for (const id of decided.ready) readyIds.add(id)
          for (const id of decided.over) replacedIds.add(id)
        }
        return { ready: readyIds, over: replacedIds }
      })

      const call = Effect.fnUntraced(function* (
        automationId: number,
        settings: Concurrency | null,
        recordId: number | null
      ) {
        const openRuns =
          settings === null
            ? sql`automation_id = ${automationId} AND completed_on IS NULL`
            : sharesLimit(automationId, settings, recordId)
        const freeSlots =
          settings === null
            ? sql`NULL`
            : sql`greatest(0, ${settings.at_most}::int - (SELECT count(*) FROM (${underWay(openRuns, settings.at_most, [])}) AS u))`
        const calledRuns = yield* rowsOf(RunAddress)(sql`
          WITH next AS (
            SELECT run_id, wait_why IS NOT DISTINCT FROM 'called_run' AS begun FROM runs
            WHERE ${openRuns} AND turn_wanted_on IS NOT NULL ORDER BY begun DESC, run_id LIMIT ${freeSlots}
          ), called AS (
            UPDATE runs SET turn_wanted_on = NULL, wait_why = CASE WHEN NOT begun THEN wait_why END,
              wait_since = CASE WHEN NOT begun THEN wait_since END, wait_until = CASE WHEN NOT begun THEN wait_until END
            FROM next WHERE runs.run_id = next.run_id RETURNING runs.*, begun
          ), mailbox AS (
            UPDATE automation_inbox i SET parked = false, due_at = ${yield* currentDate}, claims = 0
            FROM called WHERE i.run_id = called.run_id AND i.parked
          )
          SELECT run_id::text, org_id, app_id, automation_id FROM called WHERE begun`)
        yield* outbox.append(calledRuns.map(wakeEvent))
      })

      const takeBack: ConcurrencyLimits["Service"]["takeBack"] = Effect.fnUntraced(function* (run) {
        const { automation_id, record_id, run_id } = run
        const settings = yield* settingsOf(automation_id)
        const hasFreeSlot =
          settings === null ||
          (yield* underWay(sharesLimit(automation_id, settings, record_id), settings.at_most, [run_id])).length <
            settings.at_most
        const set = hasFreeSlot
          ? sql.literal(`turn_wanted_on = NULL, ${goesOn}`)
          : sql`turn_wanted_on = coalesce(turn_wanted_on, ${yield* currentDate})`
        yield* sql`UPDATE runs SET ${set}
          WHERE run_id = ${run_id}::bigint AND wait_why = 'called_run' AND completed_on IS NULL`
        return hasFreeSlot
      })

      const handOn: ConcurrencyLimits["Service"]["handOn"] = Effect.fnUntraced(function* ({
        all,
        automation_id,
        record_id
      }) {
        const settings = yield* settingsOf(automation_id)
        if (settings === null || !settings.per_record || !all) return yield* call(automation_id, settings, record_id)
        const lines = yield* rowsOf(LineOfRecord)(sql`
          SELECT DISTINCT record_id FROM runs
          WHERE automation_id = ${automation_id} AND turn_wanted_on IS NOT NULL AND completed_on IS NULL`)
        for (const queue of lines) yield* call(automation_id, settings, queue.record_id)
      })

      return ConcurrencyLimits.of({ enter, takeBack, handOn })
    })
  )
}
