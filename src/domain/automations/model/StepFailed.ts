// A step's own error (developer-api.md 7.11 run semantics 3).
import { Schema } from "effect"

export const failureReasons = [
  "filters_setup_failed",
  "filters_failed",
  "actions_setup_failed",
  "actions_failed",
  "actions_timeout",
  "actions_resource_limit_exceeded",
  "exit_on_purpose"
] as const
export type FailureReason = (typeof failureReasons)[number]

/** Logged, fails the run unless `continue_on_error`. A database step is rolled back by it. */
export class StepFailed extends Schema.TaggedError<StepFailed>()("StepFailed", {
  /** For people; no secrets. Becomes `most_recent_error` and the run's `error_message`. */
  message: Schema.String,
  /** Default `actions_failed` (`filters_failed` in the automation's filter). */
  reason: Schema.optionalKey(Schema.Literals(failureReasons)),
  /** The fault may pass, as one of the network may: a step with `retry` is tried again (7.13). */
  passing: Schema.optionalKey(Schema.Boolean),
  /** Of the HTTP answer that the step failed for. */
  status: Schema.optionalKey(Schema.Int)
}) {}
