// An attempt of an outside step that Temporal is to repeat after a pause (developer-api.md 7.13 `retry`): its activity fails with it.
import { Schema } from "effect"

export class AttemptFailed extends Schema.TaggedError<AttemptFailed>()("AttemptFailed", {
  /** For operators. */
  message: Schema.String,
  /** Until the next attempt, whatever the activity's own policy says. */
  nextRetryMillis: Schema.Finite
}) {}

const seconds = (millis: number) => `${Math.ceil(millis / 1_000)} s`

export const notDueYet = (millis: number) =>
  new AttemptFailed({ message: `The next attempt is due in ${seconds(millis)}.`, nextRetryMillis: millis })

export const waitsFor = (why: string, millis: number) =>
  new AttemptFailed({ message: `The next attempt waits: ${why}.`, nextRetryMillis: millis })

/** An outside step that has failed for good: its activity fails too, so that a timeline shows it, and the run goes on with the answer. */
export class OutsideStepFailed extends Schema.TaggedError<OutsideStepFailed>()("StepFailed", {
  /** For operators. */
  message: Schema.String,
  /** What the activity would have answered. */
  answer: Schema.Unknown
}) {
  readonly retryable = false
}
