// Runs effects as Temporal activities: one runtime, cancellation as interruption, errors as application failures with our tag.
import { Context as ActivityContext, ApplicationFailure, CancelledFailure, type Info } from "@temporalio/activity"
import { ApplicationFailureCategory } from "@temporalio/common"
import { Cause, Context, Effect, Exit, Option } from "effect"
import { sqlDefectIn } from "../../platform/sql/sqlDefect.ts"
import { FiberLabel } from "../../platform/telemetry/FiberLabel.ts"
import { admit, Epoch } from "./Epoch.ts"

export interface CurrentActivityShape {
  readonly info: Info
  /** Tells the server that the attempt lives, with details for the operator. Throttled by the SDK. */
  readonly heartbeat: (details?: unknown) => Effect.Effect<void>
}

/**
 * Attempt that an effect runs for. The SDK's own `Context.current()` is not to be used inside effects: fibers share scheduler ticks, and
 * with them another activity's asynchronous context.
 */
export class CurrentActivity extends Context.Service<CurrentActivity, CurrentActivityShape>()(
  "millrace/temporal/CurrentActivity"
) {}

/** True for errors that no retry can cure: they have `readonly retryable = false`. */
const isFinal = (error: { readonly _tag: string }): boolean => (error as { retryable?: boolean }).retryable === false

/** Pause before the next attempt, if the activity rather than its policy decides it: no fault of the service. */
const nextRetryOf = (error: { readonly _tag: string }) => {
  const { nextRetryMillis } = error as { nextRetryMillis?: number }
  return nextRetryMillis === undefined
    ? {}
    : { nextRetryDelay: nextRetryMillis, category: ApplicationFailureCategory.BENIGN }
}

/**
 * Passes a failure's answer to the workflow. A failure with an answer is one of a tenant's definition, not of the service: benign to
 * Temporal.
 */
const answerOf = (error: { readonly _tag: string }) =>
  "answer" in error ? { details: [error.answer], category: ApplicationFailureCategory.BENIGN } : {}

export type ActivityAttempt<R> = <Args extends ReadonlyArray<any>, A, E extends { readonly _tag: string }>(
  f: (...args: Args) => Effect.Effect<A, E, R | CurrentActivity>
) => (...args: Args) => Promise<A>

export const attempt =
  <R>(services: Context.Context<R | Epoch>): ActivityAttempt<R> =>
  (f) =>
  async (...args) => {
    const current = ActivityContext.current()
    const { activityType, workflowExecution } = current.info
    const doing = `${activityType} of ${workflowExecution?.workflowId ?? "no workflow"}`
    const context = Context.add(Context.add(services, FiberLabel, doing), CurrentActivity, {
      info: current.info,
      heartbeat: (details) => Effect.sync(() => current.heartbeat(details))
    })
    const admitted = Effect.flatMap(Epoch, (epoch) => admit(epoch, workflowExecution?.workflowId ?? ""))
    const attempted = Effect.andThen(
      admitted,
      Effect.suspend(() => f(...args))
    )
    const exit = await Effect.runPromiseExitWith(context)(attempted, { signal: current.cancellationSignal })
    if (Exit.isSuccess(exit)) return exit.value
    if (Cause.hasInterruptsOnly(exit.cause)) throw new CancelledFailure("activity cancelled")
    const failed = Option.orElse(Cause.findErrorOption(exit.cause), () =>
      Option.fromUndefinedOr(sqlDefectIn(exit.cause))
    )
    throw Option.match(failed, {
      onNone: () => Cause.squash(exit.cause),
      onSome: (error) =>
        ApplicationFailure.create({
          type: error._tag,
          message: messageOf(error),
          nonRetryable: isFinal(error),
          ...nextRetryOf(error),
          ...answerOf(error)
        })
    })
  }

/** Message without causes: those of database errors carry statements and their values, and histories get the reason alone. */
const messageOf = (error: { readonly _tag: string }): string =>
  error._tag === "SqlError"
    ? `database: ${String((error as { reason?: { _tag?: string } }).reason?._tag ?? "error")}`
    : String((error as { message?: unknown }).message ?? error._tag)
