// Building blocks of the runtimes: their shapes, and the conversion of a service's refusal into the step's error.
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { RecordState } from "../model/RunScope.ts"
import { type Step, StepFailed, type StepOutcome, type StepRecordChange, type StepRuntime } from "../model/Step.ts"
import type { ActionConfig, ActionType } from "./registry.ts"

type Acted<A> = Effect.Effect<A, StepFailed | SqlError>

/** Step of a type, with its decoded config. */
export type StepOf<T extends ActionType> = Step<ActionConfig<T>>

export const once = <C>(run: (step: Step<C>) => Acted<StepOutcome>): StepRuntime<C> => ({ kind: "once", run })

/** Reads and evaluates before the transaction; the effect that it returns runs inside of it. */
export const prepared = <C>(
  run: (step: Step<C>) => Acted<StepOutcome | StepRecordChange | Acted<StepOutcome>>,
  ahead?: (step: Step<C>) => Acted<void>
): StepRuntime<C> => ({ kind: "prepared", run, ...(ahead === undefined ? {} : { ahead }) })

export const each = <C>(
  targets: (step: Step<C>) => Acted<ReadonlyArray<number>>,
  run: (step: Step<C>, record: RecordState) => Acted<StepOutcome>
): StepRuntime<C> => ({ kind: "each", targets, run })

export const failed = (message: string) => Effect.fail(new StepFailed({ message }))

/** Converts a service's refusal into the step's error, with the same message. */
export const refusing = <A, E extends { readonly message: string }>(
  effect: Effect.Effect<A, E>
): Effect.Effect<A, StepFailed> => Effect.mapError(effect, ({ message }) => new StepFailed({ message }))

/** Returns the run's record, or fails the step that needs one. */
export const currentRecord = Effect.fnUntraced(function* (step: Step) {
  return (yield* step.current) ?? (yield* new StepFailed({ message: "The run has no current record." }))
})
