// Ends a run: successfully after its last step, or with an ending that no step has caused (developer-api.md 7.9, 7.11).
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Committed, Committer } from "../commit/Committer.ts"
import type { TriggerConfig } from "../model/Definition.ts"
import type { RunAnswer } from "../model/RunAnswer.ts"
import type { RunScope } from "../model/RunScope.ts"
import { answerConfig, isAnswered, type RunContext } from "../run/RunContext.ts"
import type { Ending, LogEntry } from "../run/RunRow.ts"
import type { RunStore } from "../run/RunStore.ts"
import { answerEntry, completed, exceptionOf } from "../run/runEntries.ts"
import { newStepOutput } from "../run/StepOutput.ts"
import { guarded } from "../run/stepGuard.ts"
import type { RunAnswers } from "../values/resolveAnswer.ts"

export const end = ({ save }: Committer, context: RunContext, ending: Ending): Committed<void> =>
  save(context, { cursor: context.run.cursor, ending, logs: exceptionOf(ending) })

interface Composed {
  readonly answer: RunAnswer
  readonly logs: ReadonlyArray<LogEntry>
}

/** Answer to a caller whose run has one that cannot be sent: that of a failed run. */
const unsendable: RunAnswer = {
  status: 500,
  headers: { "content-type": "application/json" },
  file_id: null,
  body: "{}"
}

/** Ends a run successfully; resolves the answer of a sync webhook (7.9), unless a step has given it before. */
export const makeComplete = (store: RunStore["Service"], answers: RunAnswers) => {
  /** Composes the answer. A body that cannot be made is empty; any other part that cannot be made turns the answer into `unsendable`. */
  const compose = Effect.fnUntraced(function* (
    config: TriggerConfig<"webhook_received">,
    scope: RunScope
  ): Effect.fn.Return<Composed, SqlError> {
    return yield* guarded(answers.head(config, scope)).pipe(
      Effect.flatMap((head) =>
        guarded(answers.body(config, head, scope)).pipe(
          Effect.catchTag("StepFailed", ({ message }) => Effect.as(Effect.logInfo("no response body", message), "")),
          Effect.map((body): Composed => ({ answer: { ...head, body }, logs: [] }))
        )
      ),
      Effect.catchTag("StepFailed", ({ message }) =>
        Effect.succeed<Composed>({ answer: unsendable, logs: [answerEntry("failure", message)] })
      )
    )
  })

  return Effect.fnUntraced(function* (committer: Committer, context: RunContext) {
    const config = answerConfig(context)
    if (config === null || (yield* isAnswered(context, store))) return yield* end(committer, context, completed)
    const scope = context.scope(new Date(yield* Clock.currentTimeMillis), [])
    const { answer, logs } = yield* compose(config, scope)
    const isSimulated = scope.simulation && scope.trigger.test === undefined && logs.length === 0
    yield* committer.save(context, {
      cursor: null,
      ending: completed,
      logs: isSimulated ? [answerEntry("skipped", `Simulation: ${answer.status} would be answered.`)] : logs,
      gathered: { ...newStepOutput(), answer }
    })
  })
}
