// Guards the calls of a step: every error except our own becomes a readable failure of the step, and the step waits while Postgres is away
// (decisions A1, A16).
import { Cause, Effect, Schedule } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { recoverSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { isTransient } from "../../../platform/sql/transientErrors.ts"
import { StepFailed } from "../model/Step.ts"

/** Time for which a step itself waits for Postgres; then the executor gives up and another takes the run over. */
const AWAY_MILLIS = 30_000

/** Repeats the effect while Postgres is away. */
export const patiently = <A, E>(effect: Effect.Effect<A, E | SqlError>): Effect.Effect<A, E | SqlError> =>
  effect.pipe(
    recoverSqlDefect,
    Effect.retry({
      while: isTransient,
      schedule: Schedule.upTo(Schedule.jittered(Schedule.spaced("100 millis")), { duration: AWAY_MILLIS })
    })
  ) as never

/** Converts every error except our own into a `StepFailed`. */
export const guarded = <A>(effect: Effect.Effect<A, StepFailed | SqlError>): Effect.Effect<A, StepFailed | SqlError> =>
  recoverSqlDefect(effect).pipe(
    Effect.catchCause((cause) => {
      const error = Cause.squash(cause)
      if (Cause.hasInterrupts(cause) || error instanceof StepFailed || (isSqlError(error) && isTransient(error))) {
        return Effect.failCause(cause as Cause.Cause<StepFailed | SqlError>)
      }
      const message = isSqlError(error)
        ? "The database refused the step's values."
        : "The step failed unexpectedly; the service's log has the cause."
      return Effect.andThen(Effect.logError("a step failed unexpectedly", cause), new StepFailed({ message }))
    })
  )

/** Fails the step if Postgres refuses its output: another executor would meet the same refusal. */
export const refusalFails = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E | StepFailed> =>
  Effect.catchIf(
    effect,
    (error) => isSqlError(error) && !isTransient(error),
    (error) =>
      Effect.andThen(
        Effect.logError("the database refused what a step leaves", error),
        new StepFailed({ message: "The database refused what the step leaves." })
      )
  )

/** Handles a step's own error. Unlike `catchTag` it also works if the types of the other errors are generic. */
export const onStepFailed =
  <B, E2>(handle: (error: StepFailed) => Effect.Effect<B, E2>) =>
  <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A | B, Exclude<E, StepFailed> | E2> =>
    Effect.catch(
      effect,
      (error): Effect.Effect<B, Exclude<E, StepFailed> | E2> =>
        error instanceof StepFailed ? handle(error) : Effect.fail(error as Exclude<E, StepFailed>)
    )
