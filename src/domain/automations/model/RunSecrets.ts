// Named secrets in a run (developer-api.md 7.13; decisions A20). A step gets them by its author's present rights, within the reach of the
// credential that saved the definition. They are hidden from every reader, in every process that continues the run.
import { Context, Effect, Layer } from "effect"
import { withheldText } from "../../../platform/sharing/withheldText.ts"
import { type SecretPlace, SecretValues } from "../../secrets/SecretValues.ts"
import type { AutomationFacts } from "./RunScope.ts"
import { needs, RunVisibility } from "./RunVisibility.ts"
import { type Step, StepFailed } from "./Step.ts"

const placeOf = ({ app_id, org_id, workspace_id }: Pick<AutomationFacts, "app_id" | "org_id" | "workspace_id">) =>
  ({ orgId: org_id, workspaceId: workspace_id, appId: app_id }) satisfies SecretPlace

export class RunSecrets extends Context.Service<
  RunSecrets,
  {
    /** Returns all of the named secrets, or fails the step. Their values are hidden in the step's log and output. */
    readonly give: (step: Step, names: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, string>, StepFailed>
    /** Returns the present values of the names, which the log has to hide. */
    readonly hidden: (
      automation: Pick<AutomationFacts, "app_id" | "org_id" | "workspace_id">,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>>
  }
>()("millrace/automations/model/RunSecrets") {
  static readonly layer = Layer.effect(
    RunSecrets,
    Effect.gen(function* () {
      const values = yield* SecretValues
      const visibility = yield* RunVisibility

      const give = Effect.fnUntraced(function* (step: Step, names: ReadonlyArray<string>) {
        if (names.length === 0) return new Map<string, string>()
        yield* needs(step, "secrets:read")
        const author = yield* visibility.on(step, step.automation.app_id)
        const { there: given, withheld } = yield* values.usable(author, placeOf(step.automation), names)
        for (const value of given.values()) step.secrets.add(value)
        const missing = names.find((name) => !given.has(name))
        if (missing !== undefined) {
          return yield* new StepFailed({
            message: withheld.has(missing)
              ? `The organization's secret ${JSON.stringify(missing)} ${withheldText}.`
              : `No secret ${JSON.stringify(missing)} is within the reach of the automation's author.`
          })
        }
        return given
      })

      return RunSecrets.of({
        give,
        hidden: (automation, names) => values.every(placeOf(automation), names)
      })
    })
  )
}
