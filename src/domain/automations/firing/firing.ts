// Decides whether an event fires a run of an automation (developer-api.md 7.5, 7.11 rule 1; decisions A7). It checks the trigger's own
// conditions first, then the filter, both on the record's state at the time of the event.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { NUMBERS_KEPT } from "../../../platform/text/exactNumbers.ts"
import { AUTOMATION_FIRE, type AwaitedBy, type Fire } from "../model/fireCommand.ts"
import { placedIn } from "../model/Plan.ts"
import type { RecordState, RunType, TriggerData } from "../model/RunScope.ts"
import { loadedOf, type NewRun } from "../run/NewRun.ts"
import { type Revision, RevisionCache } from "../run/RevisionCache.ts"
import { triggers } from "../triggers/registry.ts"
import { makeEarlierRuns, mergeChanges } from "./earlierRuns.ts"
import { entry, makeFilterDecision } from "./filterDecision.ts"
import { type FiringEvent, type FiringTarget, makeTriggerData } from "./triggerData.ts"

/** No run; `why` has the words of `run_waits.refused`. */
export type FiringDecision =
  | {
      readonly type: "none"
      readonly why: "mismatch" | "inactive" | "other_trigger" | "gone" | "too_deep" | "set_aside"
      readonly wait_key: string | null
      readonly awaited: AwaitedBy | null
    }
  | { readonly type: "run"; readonly run: NewRun; readonly revision: Revision }
  /**
   * Debounced: fires later, together with the changes until then. `into` is the pending run that already coalesces changes of the record,
   * with their merged trigger data.
   */
  | {
      readonly type: "gather"
      readonly run: NewRun
      readonly into: { readonly run_id: string; readonly trigger: TriggerData } | null
    }

/** Maximum depth of chained runs (developer-api.md 7.5 rule 4). */
export const MAX_DEPTH = 10

interface Fired {
  readonly type: string
  readonly payload: unknown
}

const fireOf = ({ payload, type }: Fired): Fire | null => (type === AUTOMATION_FIRE ? (payload as Fire) : null)

type NoRun = Extract<FiringDecision, { type: "none" }>

/** Decision against a run. A caller that waits for the event's run gets `why`. */
export const noRun = (event: Fired, why: NoRun["why"]): NoRun => {
  const fire = fireOf(event)
  return { type: "none", why, wait_key: fire?.wait_key ?? null, awaited: fire?.awaited ?? null }
}

export const makeFiring = Effect.gen(function* () {
  const dataOf = yield* makeTriggerData
  const revisions = yield* RevisionCache
  const checkFilters = yield* makeFilterDecision
  const { gathering, handedOver, retriedRun } = yield* makeEarlierRuns

  /** @param seen the event's record as the claim of the mailbox row has just read it */
  return Effect.fnUntraced(function* (
    rowId: number,
    event: FiringEvent,
    target: FiringTarget,
    seen: RecordState | null
  ): Effect.fn.Return<FiringDecision, SqlError> {
    const fire = fireOf(event)
    const runType: RunType = fire?.run_type ?? "regular"
    const none = (why: NoRun["why"]): FiringDecision => noRun(event, why)
    if (target.deleted) return none("gone")
    const isRequested = runType !== "regular"
    if (target.broken || (target.paused && !isRequested && fire?.retry === undefined)) return none("inactive")
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
      // Takes the trigger data of the earlier run; `fire.data` decides whether this test is dry or real.
      const earlier = yield* retriedRun(fire.values_of)
      if (earlier === null) return none("gone")
      data = { ...earlier.data, ...fire.data }
    } else {
      const eventData = yield* dataOf({ event, fire, target, trigger, seen, asked: isRequested })
      if (typeof eventData === "string") return none(eventData)
      data = { ...data, ...eventData }
    }

    const filteringOn = new Date(yield* Clock.currentTimeMillis)
    const started = entry(
      "trigger",
      "success",
      trigger === null ? "Manual run" : triggers[trigger.type].label,
      data.test === undefined ? null : data.test.real ? "One step is tried for real." : "One step is tried.",
      data.numbers_kept === true ? [{ message: NUMBERS_KEPT, level: "warn" }] : []
    )
    const run: NewRun = {
      row_id: rowId,
      event_id: event.event_id,
      org_id: target.org_id,
      app_id: target.app_id,
      automation_id: target.automation_id,
      revision_id: revision.revision_id,
      type: runType,
      durable: isRequested || fire?.retry !== undefined || fire?.linked === true || !revision.plan.plain,
      has_limit: target.has_limit,
      cursor:
        fire?.retry?.from === "failed_step" ? placedIn(revision.plan, retried?.cursor ?? null) : revision.plan.first,
      takes_over: fire?.retry?.from === "failed_step",
      values_of: fire?.values_of ?? null,
      record_id: data.record?.record_id ?? null,
      record_revision: data.record?.revision ?? null,
      triggered_by_automation_id: fire?.triggered_by_automation_id ?? event.cause?.automation_id ?? null,
      retry_of_run_id: fire?.retry?.run_id ?? null,
      root_run_id: event.cause?.root_run_id ?? null,
      caused_by_run_id: event.cause?.run_id ?? null,
      depth: event.depth + 1,
      chain: event.cause?.chain ?? [],
      trigger: data,
      logs: [started],
      failure: null,
      given_id: fire?.run_id ?? null,
      wait_key: fire?.wait_key ?? null,
      awaited: fire?.awaited ?? null,
      handed: yield* handedOver(fire?.retry?.run_id ?? event.cause?.run_id, trigger, data),
      filtering_on: filteringOn.toISOString(),
      debounced_until: null,
      traceparent: null
    }
    if (fire === null && event.type.startsWith("record.") && target.debounce_ms !== null) {
      const debouncedRun = yield* gathering(target.automation_id, event.record_id)
      // Rejects an update of a record whose debounced creation has already fired.
      if (
        debouncedRun === null &&
        trigger !== null &&
        !triggers[trigger.type].firedBy.some((type) => type === event.type)
      ) {
        return none("mismatch")
      }
      const until = new Date(event.created_on.getTime() + target.debounce_ms).toISOString()
      const into =
        debouncedRun === null ? null : { run_id: debouncedRun.run_id, trigger: mergeChanges(debouncedRun.data, data) }
      return { type: "gather", run: { ...run, debounced_until: until }, into }
    }
    if (unreadable !== null) {
      // A definition that this release cannot read fails the run; its filter is not evaluated.
      const logs = [started, entry("filter", "failure", "Definition", unreadable)]
      const failure = { reason: "actions_setup_failed" as const, message: unreadable }
      return { type: "run", run: { ...run, logs, failure }, revision }
    }
    const unfiltered = runType === "simulation" || (fire?.retry?.from === "failed_step" && retried?.passed === true)
    if (unfiltered || revision.definition.filter === null) return { type: "run", run, revision }
    // Judges the run as it would be.
    const filterResult = yield* checkFilters({ ...loadedOf("0", run, target), fresh: true }, revision, filteringOn)
    if (filterResult === "mismatch") return none("mismatch")
    const logs = [started, ...filterResult.logs]
    return { type: "run", run: { ...run, logs, failure: filterResult.failure }, revision }
  })
})
