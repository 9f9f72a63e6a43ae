// Error of a step (developer-api.md 7.11 run semantics 3).
import { Schema } from "effect"

const failureReasons = [
  "filters_setup_failed",
  "filters_failed",
  "actions_setup_failed",
  "actions_failed",
  "actions_timeout",
  "actions_resource_limit_exceeded",
  "exit_on_purpose"
] as const
export type FailureReason = (typeof failureReasons)[number]

/** Logged failure, which fails the run unless `continue_on_error`. It rolls back a database step. */
export class StepFailed extends Schema.TaggedError<StepFailed>()("StepFailed", {
  /** Text for people, without secrets. Becomes `most_recent_error` and the run's `error_message`. */
  message: Schema.String,
  /** Default `actions_failed` (`filters_failed` in the automation's filter). */
  reason: Schema.optionalKey(Schema.Literals(failureReasons)),
  /** True for a transient fault, such as one of the network: a step with `retry` is tried again (7.13). */
  passing: Schema.optionalKey(Schema.Boolean),
  /** Status of the HTTP response because of which the step failed. */
  status: Schema.optionalKey(Schema.Int),
  /** Milliseconds after which the server that gave this response wants to be asked again (`Retry-After`). */
  retryAfterMillis: Schema.optionalKey(Schema.Finite)
}) {}
