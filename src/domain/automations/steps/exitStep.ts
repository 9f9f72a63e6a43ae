// `exit`: ends the run on purpose, well or as failed (developer-api.md 7.6).
import { Effect } from "effect"
import type { Committer } from "../commit/Committer.ts"
import type { Cursor, PlanNode } from "../model/Plan.ts"
import { newGathered } from "../run/Gathered.ts"
import type { RunContext } from "../run/RunContext.ts"
import type { Ending } from "../run/RunRow.ts"
import { ledgerOf, logOf } from "../run/runEntries.ts"

const onPurpose: Ending = {
  status: "failed",
  failure_reason: "exit_on_purpose",
  error_message: "The run was ended by an exit step."
}

export const exitStep = Effect.fnUntraced(function* (
  { save }: Committer,
  context: RunContext,
  node: PlanNode,
  cursor: Cursor
) {
  const ending = node.action.config["exit_type"] === "failure" ? onPurpose : null
  const recordId = context.run.record_id
  yield* save(context, {
    // A successful end is committed by the executor, which may have an answer to compose.
    cursor: ending === null ? null : cursor,
    ledger: ledgerOf(node, cursor, "done", 1, null),
    logs: [logOf(node, "success", newGathered(), { at: cursor, recordId, millis: 0, attempt: 1 })],
    credits: 1,
    ending
  })
  return ending
})
