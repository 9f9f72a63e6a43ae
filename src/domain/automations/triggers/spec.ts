// What a trigger file declares. Everything about a trigger derives from it: meta catalogue, decoding, validation.
// `config` is what may be written; `readOnly` members are assigned by the service and only read (service.md 2.7 trigger rule 2).
import { Schema } from "effect"
import { list, sizes, token } from "../../../ground/bounds/sized.ts"
import { parseDateTime } from "../../../ground/primitives/dates.ts"
import { flag, Id, object, withDefault } from "../schema/combinators.ts"
import type { TriggerContext, TriggerOutput } from "../schema/Trigger.ts"
import type { Finding, ValidationModel } from "../schema/ValidationModel.ts"
import { CustomDefs } from "../schema/Value.ts"

export interface TriggerSpec<T extends string, F extends Schema.Struct.Fields, R extends Schema.Struct.Fields> {
  readonly type: T
  readonly label: string
  readonly description: string
  readonly config: Schema.Struct<F>
  readonly readOnly: R
  readonly context: TriggerContext
  /** Types of the events that fire it; the others are fired by a command (model/fireCommand.ts). */
  readonly firedBy: ReadonlyArray<string>
  /** Trigger references that resolve under this trigger. */
  readonly outputs: ReadonlyArray<TriggerOutput>
  /** Semantic mistakes, found by validate and activate (developer-api.md 7.5, 7.12). */
  readonly check?: (config: Schema.Struct<F>["Type"], model: ValidationModel) => Iterable<Finding>
}

export const trigger = <
  const T extends string,
  F extends Schema.Struct.Fields,
  R extends Schema.Struct.Fields = {}
>(spec: {
  readonly type: T
  readonly label: string
  readonly description: string
  readonly config: F
  readonly readOnly?: R
  readonly context: TriggerContext
  readonly firedBy: ReadonlyArray<string>
  readonly outputs?: ReadonlyArray<TriggerOutput>
  readonly check?: (config: Schema.Struct<F>["Type"], model: ValidationModel) => Iterable<Finding>
}): TriggerSpec<T, F, R> => ({
  ...spec,
  config: object(spec.config),
  readOnly: spec.readOnly ?? ({} as R),
  outputs: spec.outputs ?? []
})

/** Inputs and allowed origins of `automation_called` and `weblink_clicked`: each value holds only with its flag. */
export const calledFields = {
  triggering_app_ids: list(Id, sizes.ids)
    .annotate({ description: "Apps a triggering record may come from" })
    .pipe(withDefault([])),
  triggering_app_ids_enabled: flag(false),
  custom_variable_defs: CustomDefs,
  custom_variable_defs_enabled: flag(false)
}

interface CalledConfig {
  readonly triggering_app_ids: ReadonlyArray<number>
  readonly triggering_app_ids_enabled: boolean
}
export function* checkCalled(config: CalledConfig, model: ValidationModel): Iterable<Finding> {
  if (!config.triggering_app_ids_enabled) return
  for (const app_id of config.triggering_app_ids) {
    if (!model.apps.has(app_id)) {
      yield {
        code: "trigger_app_missing",
        message: `There is no app ${app_id} that a triggering record could come from.`,
        app_id
      }
    }
  }
}

/** `HH:mm`. */
export const TimeOfDay = token.check(Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/))

/** A datetime as developer-api.md 1.3 accepts it: `YYYY-MM-DD HH:mm[:ss]` in UTC, or full ISO 8601. */
export const DateTimeIn = token.check(
  Schema.makeFilter(
    (text: string) => parseDateTime(text)?.timed === true || "Expected a datetime such as 2026-03-01 08:00"
  )
)
