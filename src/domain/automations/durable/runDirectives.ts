// Directives for a run's workflow, as its history stores them (src/engine/temporal/messages.ts).
import { type EpochName, prefixOf } from "../../../engine/temporal/Epoch.ts"
import type { RunDirective } from "../../../engine/temporal/messages.ts"
import type { Cursor, PlanNode } from "../model/Plan.ts"
import type { RunStatus } from "../run/RunRow.ts"
import { labelOf } from "../run/runEntries.ts"
import { runWorkflowId } from "../run/runWorkflowId.ts"
import type { SegmentEnd } from "../steps/segmentEnds.ts"
import { attributesOf, memoOf } from "./RunWorkflows.ts"

/** Label of a step in an iteration, for operators. */
export const labelAt = (node: PlanNode, { iteration }: Cursor): string =>
  [labelOf(node), ...iteration.map((i) => `item ${i + 1}`)].join(", ")

export const done = (
  status: RunStatus,
  reason: string | null,
  error: string | null,
  details: string
): RunDirective => ({
  type: "done",
  status: status === "completed" || status === "failed" ? status : "cancelled",
  reason,
  error,
  details
})

export const toDirective = (epoch: EpochName, org: number, directive: SegmentEnd, details: string): RunDirective => {
  switch (directive.type) {
    case "done": {
      const { error_message, failure_reason, status } = directive.ending
      return done(status, failure_reason, error_message, details)
    }
    case "wait":
      return {
        type: "wait",
        until: directive.until.getTime(),
        why: `Delay until ${directive.until.toISOString()}`,
        details
      }
    case "outside":
      return {
        type: "outside",
        action: directive.node.action.type,
        path: directive.node.path,
        iteration: directive.cursor.iteration,
        label: labelAt(directive.node, directive.cursor),
        org,
        ...((directive.node.action.retry?.attempts ?? 1) > 1 ? { retries: true } : {}),
        details
      }
    case "called":
      return {
        type: "called",
        start: directive.ready.map((run) => ({
          runId: run.run_id,
          automationId: run.automation_id,
          workflowId: prefixOf(epoch) + runWorkflowId(run),
          summary: run.summary.slice(0, 200),
          attributes: attributesOf(run),
          memo: memoOf(run)
        })),
        details: `${details}\n\nWaits: ${directive.why}.`
      }
    case "more":
      return { type: "more", details }
  }
}
