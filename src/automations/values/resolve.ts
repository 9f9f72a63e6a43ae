// Resolution of values (developer-api.md 7.4).
import { Effect, Layer } from "effect"
import { StepFailed } from "../engine/Step.ts"
import { Values } from "../engine/Values.ts"

const unsupported = new StepFailed({ message: "References cannot be resolved yet." })

const text = (template: ReadonlyArray<unknown>) =>
  template.every((item) => typeof item === "string") ? Effect.succeed(template.join("")) : Effect.fail(unsupported)

export const ValuesLive = Layer.succeed(Values, {
  text: (template) => text(template),
  code: (code) =>
    Effect.flatMap(text(code), (source) => {
      const number = Number(source)
      return source.trim() !== "" && Number.isFinite(number) ? Effect.succeed(number) : Effect.fail(unsupported)
    }),
  reference: (reference, scope) =>
    reference.source === "action" ? scope.output(reference.action_type, reference.app_id) : Effect.fail(unsupported),
  ids: (ids) => Effect.succeed(ids.filter((id) => typeof id === "number")),
  date: () => Effect.fail(unsupported),
  iterable: (reference, scope) =>
    reference.source === "trigger"
      ? Effect.succeed({
          type: "values",
          values: Array.isArray(scope.trigger.webhook_payload) ? scope.trigger.webhook_payload : []
        })
      : Effect.fail(unsupported)
})
