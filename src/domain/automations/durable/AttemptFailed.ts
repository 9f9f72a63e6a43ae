// Failed attempt of an outside step that Temporal is to repeat after a pause (developer-api.md 7.13 `retry`): its activity fails with this
// error.
import { Schema } from "effect"

export class AttemptFailed extends Schema.TaggedError<AttemptFailed>()("AttemptFailed", {
  /** Text for operators. */
  message: Schema.String,
  /** Milliseconds until the next attempt, whatever the activity's own retry policy says. */
  nextRetryMillis: Schema.Finite
}) {}

const seconds = (millis: number) => `${Math.ceil(millis / 1_000)} s`

export const notDueYet = (millis: number) =>
  new AttemptFailed({ message: `The next attempt is due in ${seconds(millis)}.`, nextRetryMillis: millis })

export const waitsFor = (why: string, millis: number) =>
  new AttemptFailed({ message: `The next attempt waits: ${why}.`, nextRetryMillis: millis })

/** Final failure of an outside step. Its activity fails too, so that a timeline shows it, and the run continues with `answer`. */
export class OutsideStepFailed extends Schema.TaggedError<OutsideStepFailed>()("StepFailed", {
  /** Text for operators. */
  message: Schema.String,
  /** Answer that the activity would have returned. */
  answer: Schema.Unknown
}) {
  readonly retryable = false
}
