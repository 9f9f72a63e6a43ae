// `exit`: ends the run on purpose, well or as failed (developer-api.md 7.6).
import { Effect } from "effect"
import type { Committer } from "../commit/Committer.ts"
import type { RunStep } from "../run/RunContext.ts"
import type { Ending } from "../run/RunRow.ts"
import { ledgerOf, logOf } from "../run/runEntries.ts"
import { newStepOutput } from "../run/StepOutput.ts"

const onPurpose: Ending = {
  status: "failed",
  failure_reason: "exit_on_purpose",
  error_message: "The run was ended by an exit step."
}

export const exitStep = Effect.fnUntraced(function* ({ save }: Committer, step: RunStep) {
  const ending = step.node.action.config["exit_type"] === "failure" ? onPurpose : null
  yield* save(step.context, {
    // A successful end is committed by the executor, which may have an answer to compose.
    cursor: ending === null ? null : step.cursor,
    ledger: ledgerOf(step, "done"),
    logs: [logOf(step, "success", newStepOutput())],
    credits: 1,
    ending
  })
  return ending
})
