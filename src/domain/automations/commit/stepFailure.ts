// Commits a step's failure (developer-api.md 7.11 run semantics 3; decisions A16). The log holds the step in full. With `continue_on_error` the
// run continues after the step, else it ends.
import { Clock, Effect } from "effect"
import { actionSpec } from "../actions/registry.ts"
import { after } from "../model/Plan.ts"
import { logText } from "../run/logText.ts"
import type { Ending } from "../run/RunRow.ts"
import type { VariableRow } from "../run/runData.ts"
import { ledgerOf, logOf } from "../run/runEntries.ts"
import { newStepOutput } from "../run/StepOutput.ts"
import type { Committer } from "./Committer.ts"

export const commitStepFailure = (save: Committer["save"]): Committer["fail"] =>
  Effect.fnUntraced(function* (step, error, gathered, facts) {
    const { context, node } = step
    const durationMillis = (yield* Clock.currentTimeMillis) - facts.startedAt
    // Text without secrets: everybody who may see the run reads it, and the workflow's history holds it.
    const cause = logText(error.message, gathered.secrets)
    const goesOn = node.action.continue_on_error === true
    const cursor = goesOn ? after(node, step.cursor.iteration) : step.cursor
    const reason = error.reason ?? "actions_failed"
    const ending: Ending | null = goesOn ? null : { status: "failed", failure_reason: reason, error_message: cause }
    gathered.messages.push({ message: error.message, level: "error" })
    // Variables that the step declares are set anew in every iteration. A failed step sets them to null (A16), except those in `onFailure`.
    const declared = [...(actionSpec(node.action.type).declares?.(node.action.config) ?? []), ...(facts.declared ?? [])]
    const valueOf = (def: Omit<VariableRow, "value">) =>
      gathered.onFailure.findLast((row) => row.custom_type === def.custom_type && row.label === def.label)?.value ??
      null
    const variables = declared.map((def) => ({ ...def, value: valueOf(def) }))
    yield* save(context, {
      cursor,
      ledger: ledgerOf(step, "failed", facts.attempt),
      logs: [logOf(step, "failure", gathered, facts.tookMs ?? durationMillis, facts.attempt)],
      executedMs: durationMillis,
      credits: facts.credits,
      mostRecentError: cause,
      ending,
      gathered: { ...newStepOutput(), variables }
    })
    return ending ?? cursor
  })
