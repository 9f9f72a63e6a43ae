// From an event and an automation to a run, or none (developer-api.md 7.5, 7.11 rule 1; decisions A7): the trigger's own conditions,
// then the filter, judged on the record as it was at the event.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Cause } from "../../../engine/outbox/Event.ts"
import { jsonb } from "../../../ground/sql/columns.ts"
import { rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import type { AnyTrigger } from "../model/Definition.ts"
import { AUTOMATION_FIRE, type AwaitedBy, type Fire } from "../model/fireCommand.ts"
import type { Cursor } from "../model/Plan.ts"
import { Filters } from "../model/Resolver.ts"
import { type RecordState, type RunType, type TriggerData, variableName } from "../model/RunScope.ts"
import { StepFailed } from "../model/Step.ts"
import { makeSealed } from "../model/sealedValues.ts"
import { AutomationRevisions, type Revision } from "../run/AutomationRevisions.ts"
import type { NewRun } from "../run/NewRun.ts"
import { RunContextFactory } from "../run/RunContextFactory.ts"
import type { LoadedRun, LogEntry } from "../run/RunRow.ts"
import { guarded } from "../run/stepGuard.ts"
import { triggers } from "../triggers/registry.ts"
import { filesIn } from "../values/resolveData.ts"
import { gathered } from "./gatheredChange.ts"
import { type FiringEvent, type FiringTarget, makeTriggerData } from "./triggerData.ts"

/** No run: why, in the words of `run_waits.refused`. */
export type FiringDecision =
  | {
      readonly type: "none"
      readonly why: "mismatch" | "inactive" | "other_trigger" | "gone" | "too_deep"
      readonly wait_key: string | null
      readonly awaited: AwaitedBy | null
    }
  | { readonly type: "run"; readonly run: NewRun; readonly revision: Revision }
  /** It fires later, with what comes until then. `into`: the run that gathers already, with what the trigger has gathered then. */
  | {
      readonly type: "gather"
      readonly run: NewRun
      readonly into: { readonly run_id: string; readonly trigger: TriggerData } | null
    }

/** What the filter makes of a run: its entries in the log, and why it could not be decided. */
export type Verdict = "mismatch" | Pick<NewRun, "logs" | "failure">

/** Chained runs stop beyond this depth (developer-api.md 7.5 rule 4). */
export const MAX_DEPTH = 10

const entry = (
  type: "trigger" | "filter",
  status: LogEntry["status"],
  label: string,
  message: string | null
): LogEntry => ({
  type,
  status,
  label,
  messages: message === null ? [] : [{ message, level: status === "failure" ? "error" : null }],
  action_id: null,
  record_id: null,
  detail: null
})

const chainOf = (cause: Cause | null): ReadonlyArray<number> => cause?.chain ?? []

const TakenTrigger = Schema.Struct({ data: jsonb<TriggerData>(), cursor: Schema.NullOr(jsonb<Cursor>()) })

const GatheringRun = Schema.Struct({ run_id: Schema.String, data: jsonb<TriggerData>() })

export class Firing extends Context.Service<
  Firing,
  {
    /** @param seen the event's record as the claim of the row has just found it */
    readonly decide: (
      rowId: number,
      event: FiringEvent,
      target: FiringTarget,
      seen: RecordState | null
    ) => Effect.Effect<FiringDecision, SqlError>
    readonly judge: (loaded: LoadedRun, revision: Revision, now: Date) => Effect.Effect<Verdict, SqlError>
  }
>()("millrace/automations/firing/Firing") {
  static readonly layer = Layer.effect(
    Firing,
    Effect.gen(function* () {
      const sql = yield* Sql
      const contexts = yield* RunContextFactory
      const filters = yield* Filters
      const dataOf = yield* makeTriggerData
      const revisions = yield* AutomationRevisions
      const { open } = yield* makeSealed

      /** The files that arguments name, by the run that had them. */
      const handedOver = Effect.fnUntraced(function* (
        by: string | undefined,
        trigger: AnyTrigger | null,
        data: TriggerData
      ) {
        if (by === undefined || data.arguments === undefined) return null
        if (trigger?.type !== "automation_called" && trigger?.type !== "weblink_clicked") return null
        const files: Array<number> = []
        for (const { custom_type, label } of trigger.config.custom_variable_defs) {
          if (custom_type !== "single_file" && custom_type !== "multi_file") continue
          files.push(...filesIn(yield* open(data.arguments[variableName(label)])).map(({ file_id }) => file_id))
        }
        return files.length === 0 ? null : { by, files }
      })

      const retriedRun = (runId: string) =>
        Effect.map(
          rowsOf(TakenTrigger)(sql`
            SELECT t.data, r.cursor FROM runs r JOIN run_triggers t USING (run_id) WHERE run_id = ${runId}::bigint`),
          ([row]) => row ?? null
        )

      const judge: Firing["Service"]["judge"] = Effect.fnUntraced(function* (loaded, revision, now) {
        const { filter } = revision.definition
        if (filter === null) return { logs: [], failure: null }
        const scope = contexts.make(loaded, revision).scope(now, [], loaded.trigger.record)
        const matches = yield* guarded(filters.matches(filter, scope)).pipe(
          Effect.catchTag("StepFailed", (error) => Effect.succeed(error))
        )
        if (matches === false) return "mismatch"
        return matches instanceof StepFailed
          ? {
              logs: [entry("filter", "failure", "Filter", matches.message)],
              failure: { reason: matches.reason ?? "filters_failed", message: matches.message }
            }
          : { logs: [entry("filter", "success", "Filter", null)], failure: null }
      })

      /** What gathers the changes of a record (7.13). */
      const gathering = (automationId: number, recordId: number | null) =>
        Effect.map(
          rowsOf(GatheringRun)(sql`
            SELECT r.run_id::text, t.data FROM runs r JOIN run_triggers t USING (run_id)
            WHERE r.automation_id = ${automationId} AND r.record_id = ${recordId}
              AND r.debounced_until IS NOT NULL AND r.completed_on IS NULL`),
          ([row]) => row ?? null
        )

      const decide = Effect.fnUntraced(function* (
        rowId: number,
        event: FiringEvent,
        target: FiringTarget,
        seen: RecordState | null
      ) {
        const fire = event.type === AUTOMATION_FIRE ? (event.payload as unknown as Fire) : null
        const runType: RunType = fire?.run_type ?? "regular"
        const none = (why: Extract<FiringDecision, { type: "none" }>["why"]): FiringDecision => ({
          type: "none",
          why,
          wait_key: fire?.wait_key ?? null,
          awaited: fire?.awaited ?? null
        })
        if (target.deleted) return none("gone")
        const asked = runType !== "regular"
        if (target.broken || (target.paused && !asked && fire?.retry === undefined)) return none("inactive")
        if (fire?.expects != null && fire.expects !== target.trigger_type) return none("other_trigger")
        if (event.depth >= MAX_DEPTH) return none("too_deep")
        const revision = yield* revisions.get(fire?.revision_id ?? target.revision_id)
        if (revision === null) return none("gone")
        const unreadable = revision.unreadable
        const trigger = revision.definition.trigger

        let data: TriggerData = {
          type: trigger?.type ?? null,
          record: null,
          previous: null,
          changed: null,
          ...(fire?.data ?? {})
        }
        const retried = fire?.retry === undefined ? null : yield* retriedRun(fire.retry.run_id)
        if (retried !== null) data = retried.data
        else if (fire?.values_of !== undefined) {
          // Of the run that the values are of; its own telling (dry or real) stays.
          const earlier = yield* retriedRun(fire.values_of)
          if (earlier === null) return none("gone")
          data = { ...earlier.data, ...fire.data }
        } else {
          const found = yield* dataOf({ event, fire, target, trigger, seen, asked })
          if (typeof found === "string") return none(found)
          data = { ...data, ...found }
        }

        const filteringOn = new Date(yield* Clock.currentTimeMillis)
        const base = {
          row_id: rowId,
          event_id: event.event_id,
          org_id: target.org_id,
          app_id: target.app_id,
          automation_id: target.automation_id,
          revision_id: revision.revision_id,
          type: runType,
          durable: asked || fire?.retry !== undefined || fire?.linked === true || !revision.plan.plain,
          cursor: fire?.retry?.from === "failed_step" ? (retried?.cursor ?? null) : revision.plan.first,
          takes_over: fire?.retry?.from === "failed_step",
          values_of: fire?.values_of ?? null,
          record_id: data.record?.record_id ?? null,
          record_revision: data.record?.revision ?? null,
          triggered_by_automation_id: fire?.triggered_by_automation_id ?? event.cause?.automation_id ?? null,
          retry_of_run_id: fire?.retry?.run_id ?? null,
          root_run_id: event.cause?.root_run_id ?? null,
          caused_by_run_id: event.cause?.run_id ?? null,
          depth: event.depth + 1,
          chain: chainOf(event.cause),
          trigger: data,
          wait_key: fire?.wait_key ?? null,
          awaited: fire?.awaited ?? null,
          handed: yield* handedOver(fire?.retry?.run_id ?? event.cause?.run_id, trigger, data),
          filtering_on: filteringOn.toISOString(),
          debounced_until: null,
          traceparent: null
        }
        const started = entry(
          "trigger",
          "success",
          trigger === null ? "Manual run" : triggers[trigger.type].label,
          data.test === undefined ? null : data.test.real ? "One step is tried for real." : "One step is tried."
        )
        if (fire === null && event.type.startsWith("record.") && target.debounce_ms !== null) {
          const waiting = yield* gathering(target.automation_id, event.record_id)
          // The update of a record whose creation has fired.
          if (
            waiting === null &&
            trigger !== null &&
            !triggers[trigger.type].firedBy.some((type) => type === event.type)
          ) {
            return none("mismatch")
          }
          const until = new Date(event.created_on.getTime() + target.debounce_ms).toISOString()
          const run: NewRun = { ...base, logs: [started], failure: null, debounced_until: until }
          const into = waiting === null ? null : { run_id: waiting.run_id, trigger: gathered(waiting.data, data) }
          return { type: "gather", run, into } as FiringDecision
        }
        if (unreadable !== null) {
          // Broken since the last release; nothing of it is judged.
          const logs = [started, entry("filter", "failure", "Definition", unreadable)]
          const failure = { reason: "actions_setup_failed" as const, message: unreadable }
          return { type: "run", run: { ...base, logs, failure }, revision } as FiringDecision
        }
        const unfiltered = runType === "simulation" || fire?.retry?.from === "failed_step"
        if (unfiltered || revision.definition.filter === null) {
          const run: NewRun = { ...base, logs: [started], failure: null }
          return { type: "run", run, revision } as FiringDecision
        }
        const verdict = yield* judge(shadow(base, target, data), revision, filteringOn)
        if (verdict === "mismatch") return none("mismatch")
        const run: NewRun = { ...base, logs: [started, ...verdict.logs], failure: verdict.failure }
        return { type: "run", run, revision } as FiringDecision
      })

      return Firing.of({ decide, judge })
    })
  )
}

/** The run as it would be, for the scope of its filter. */
const shadow = (base: Omit<NewRun, "logs" | "failure">, target: FiringTarget, trigger: TriggerData): LoadedRun => ({
  run: {
    ...base,
    run_id: "0",
    status: "pending",
    fence: 0,
    wait_why: null,
    wait_until: null,
    cancel_requested_on: null,
    cancel_reason: null,
    log_seq: 0,
    credits: 0,
    executed_ms: 0,
    most_recent_error: null,
    created_on: new Date(base.filtering_on),
    started_on: null
  },
  holder: target,
  trigger
})
