// Checks the author's rights before each step (decisions A20): the author must be an active user at this moment, and the credential that
// saved the definition must have the scopes that the type declares.
import { Effect } from "effect"
import { needs, type RunVisibility } from "../model/RunVisibility.ts"
import type { Step, StepRuntime } from "../model/Step.ts"
import { type ActionType, actionSpec } from "./registry.ts"

/** Returns the runtime with that check in front. */
export const withAuthorRights = (
  sight: RunVisibility["Service"],
  type: ActionType,
  runtime: StepRuntime
): StepRuntime => {
  const { scopes } = actionSpec(type)
  const may = (step: Step) => Effect.andThen(needs(step, ...scopes), sight.on(step, step.automation.app_id))
  switch (runtime.kind) {
    case "once":
      return { ...runtime, run: (step: Step) => Effect.andThen(may(step), runtime.run(step)) }
    case "prepared": {
      const { ahead } = runtime
      const checkAccess = (step: Step) =>
        ahead === undefined
          ? may(step)
          : Effect.all([may(step), Effect.ignore(ahead(step))], { concurrency: "unbounded", discard: true })
      return { ...runtime, run: (step: Step) => Effect.andThen(checkAccess(step), runtime.run(step)) }
    }
    case "each":
      return {
        ...runtime,
        targets: (step) => Effect.andThen(may(step), runtime.targets(step)),
        run: (step, record) => Effect.andThen(may(step), runtime.run(step, record))
      }
  }
}
