// Span of a run, from the decision to the end of a plain run, or to the start of its workflow; its segments are parts of the same trace,
// wherever they execute. A run that a person's change fires belongs to the change's trace. A run started by time or by another run, mostly
// a called automation, has a trace of its own with a link, so that no chain grows into one endless trace.
import { Effect } from "effect"
import { caused, currentTraceparent } from "../../../platform/telemetry/traceContext.ts"
import type { TriggerType } from "../triggers/registry.ts"
import type { FiringDecision } from "./firing.ts"
import type { InboxEvent } from "./inboxRows.ts"

const BY_TIME: ReadonlySet<TriggerType | null> = new Set<TriggerType>(["periodic", "date_field_arrived"])

/** @param work receives the decision with the span's context, which the run's row stores */
export const withRunSpan = <A, E, R>(
  { automation_id, event }: InboxEvent,
  decision: FiringDecision,
  work: (decision: FiringDecision) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  // A change that a debounced run coalesces starts no run of its own.
  if (decision.type === "none" || (decision.type === "gather" && decision.into !== null)) return work(decision)
  const { run } = decision
  const isLinked = event.cause !== null || BY_TIME.has(run.trigger.type)
  return Effect.flatMap(currentTraceparent, (traceparent) => work({ ...decision, run: { ...run, traceparent } })).pipe(
    caused(event.traceparent, "run automation", {
      standing: isLinked ? "linked" : "below",
      attributes: {
        "millrace.org.id": run.org_id,
        "millrace.app.id": run.app_id,
        "millrace.automation.id": automation_id,
        "millrace.trigger": run.trigger.type ?? run.type,
        ...(run.record_id === null ? {} : { "millrace.record.id": run.record_id })
      }
    })
  )
}
