// `exit` that responds (developer-api.md 7.6, 7.9): who waits for the run at its inbound address is answered with what the values are now,
// and the run goes on. The first answer is the one; a simulation only tells what it would be.
import { Clock, Effect } from "effect"
import { isSecretName } from "../../../platform/text/redaction.ts"
import type { Committed, Committer } from "../commit/Committer.ts"
import { after, type Cursor, type PlanNode } from "../model/Plan.ts"
import type { RunAnswer } from "../model/RunAnswer.ts"
import type { Step } from "../model/Step.ts"
import { onlyLog } from "../run/Gathered.ts"
import { answerConfig, isAnswered, type RunContext } from "../run/RunContext.ts"
import type { Ending } from "../run/RunRow.ts"
import type { RunStore } from "../run/RunStore.ts"
import { ledgerOf, logOf } from "../run/runEntries.ts"
import { guarded, onStepFailed } from "../run/stepGuard.ts"
import type { RunAnswers } from "../values/resolveAnswer.ts"

export const responds = ({ action }: PlanNode): boolean => action.config["exit_type"] === "respond"

const tell = ({ log }: Step, { body, file_id, headers, status }: RunAnswer) => {
  for (const [name, value] of Object.entries(headers)) if (isSecretName(name)) log.secret(value)
  log.output("response", { status, headers, ...(file_id === null ? { body } : { file_id }) })
}

export const makeRespondStep = (store: RunStore["Service"], answers: RunAnswers) =>
  Effect.fnUntraced(function* (
    committer: Committer,
    context: RunContext,
    node: PlanNode,
    cursor: Cursor
  ): Effect.fn.Return<Cursor | Ending | null, Effect.Error<Committed<never>>> {
    const startedAt = yield* Clock.currentTimeMillis
    const loops = yield* context.loops(node, cursor.iteration)
    yield* context.hidden
    const { gathered, step } = context.step(node, cursor.iteration, { now: new Date(startedAt), loops, attempt: 1 })
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
      // Nobody waits for a simulation; what it would answer first is told once.
      gathered.answer = step.secrets.without(answer)
      if (!step.simulation) return "success" as const
      step.log.add("info", `Simulation: ${answer.status} would be answered.`)
      return "skipped" as const
    })

    const saveOutcome = Effect.fnUntraced(function* (status: "success" | "skipped") {
      const millis = (yield* Clock.currentTimeMillis) - startedAt
      const recordId = context.run.record_id
      yield* committer.save(context, {
        cursor: next,
        ledger: ledgerOf(node, cursor, "done", 1, null),
        logs: [logOf(node, status, gathered, { at: cursor, recordId, millis, attempt: 1 })],
        executedMs: millis,
        credits: 1,
        gathered
      })
      return next
    })

    return yield* Effect.flatMap(guarded(respond), saveOutcome).pipe(
      onStepFailed((error) =>
        committer.fail(context, node, cursor, error, onlyLog(gathered), { startedAt, attempt: 1, credits: 1 })
      )
    )
  })
