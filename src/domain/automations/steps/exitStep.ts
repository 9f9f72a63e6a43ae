// `exit` (developer-api.md 7.6): ends the run on purpose, well or as failed, or responds (7.9). Who waits for the run at its inbound address is
// then answered with what the values are now, and the run goes on. The first answer is the one; a simulation only tells what it would be.
import { Clock, Effect } from "effect"
import { isSecretName } from "../../../platform/text/redaction.ts"
import type { Committer, NotCommitted } from "../commit/Committer.ts"
import { after, type PlanNode } from "../model/Plan.ts"
import type { RunAnswer } from "../model/RunAnswer.ts"
import type { Step } from "../model/Step.ts"
import { answerConfig, isAnswered, type RunStep } from "../run/RunContext.ts"
import type { Ending, Next } from "../run/RunRow.ts"
import type { RunStore } from "../run/RunStore.ts"
import { ledgerOf, logOf } from "../run/runEntries.ts"
import { newStepOutput, onlyLog } from "../run/StepOutput.ts"
import { guarded, onStepFailed } from "../run/stepGuard.ts"
import type { RunAnswers } from "../values/resolveAnswer.ts"

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

export const responds = ({ action }: PlanNode): boolean => action.config["exit_type"] === "respond"

const tell = ({ log }: Step, { body, file_id, headers, status }: RunAnswer) => {
  for (const [name, value] of Object.entries(headers)) if (isSecretName(name)) log.secret(value)
  log.output("response", { status, headers, ...(file_id === null ? { body } : { file_id }) })
}

export const makeRespondStep = (store: RunStore["Service"], answers: RunAnswers) =>
  Effect.fnUntraced(function* (committer: Committer, runStep: RunStep): Effect.fn.Return<Next, NotCommitted> {
    const { context, cursor, node } = runStep
    const startedAt = yield* Clock.currentTimeMillis
    const { gathered, step } = yield* context.begin(node, cursor.iteration, startedAt)
    const next = after(node, cursor.iteration)

    const respond = Effect.gen(function* () {
      const config = answerConfig(context)
      const idle = config === null ? "Nobody waits for an answer." : "The sender has been answered before."
      if (config === null || (yield* isAnswered(context, store))) {
        step.log.add("info", idle)
        return "skipped" as const
      }
      const answer = yield* answers.whole(config, step)
      tell(step, answer)
      // A simulation has nobody that waits; what it would answer first is told once.
      gathered.answer = step.secrets.without(answer)
      if (!step.simulation) return "success" as const
      step.log.add("info", `Simulation: ${answer.status} would be answered.`)
      return "skipped" as const
    })

    const saveOutcome = Effect.fnUntraced(function* (status: "success" | "skipped") {
      const millis = (yield* Clock.currentTimeMillis) - startedAt
      yield* committer.save(context, {
        cursor: next,
        ledger: ledgerOf(runStep, "done"),
        logs: [logOf(runStep, status, gathered, millis)],
        executedMs: millis,
        credits: 1,
        gathered
      })
      return next
    })

    return yield* Effect.flatMap(guarded(respond), saveOutcome).pipe(
      onStepFailed((error) => committer.fail(runStep, error, onlyLog(gathered), { startedAt, credits: 1 }))
    )
  })
