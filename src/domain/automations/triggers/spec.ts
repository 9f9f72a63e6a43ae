// Declarations of a trigger file. Everything about a trigger derives from it: meta catalogue, decoding, validation. `config` is what may be
// written; `readOnly` members are assigned by the service and only read (service.md 2.7 trigger rule 2).
import { Schema } from "effect"
import { token } from "../../../platform/bounds/sized.ts"
import { parseDateTime } from "../../../platform/primitives/dates.ts"
import { object } from "../schema/combinators.ts"
import type { TriggerContext, TriggerOutput } from "../schema/Trigger.ts"
import type { Finding, ValidationModel } from "../schema/ValidationModel.ts"

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
  /** Yields reasons that prevent activation at this moment although the config has no mistake. */
  readonly checkActivation?: (config: Schema.Struct<F>["Type"], model: ValidationModel) => Iterable<Finding>
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
  readonly checkActivation?: (config: Schema.Struct<F>["Type"], model: ValidationModel) => Iterable<Finding>
}): TriggerSpec<T, F, R> => ({
  ...spec,
  config: object(spec.config),
  readOnly: spec.readOnly ?? ({} as R),
  outputs: spec.outputs ?? []
})

/** `YYYY-MM-DD`. */
export const DateIn = token.check(
  Schema.makeFilter(
    (text: string) =>
      (text.length === 10 && parseDateTime(text)?.timed === false) || "Expected a date such as 2026-12-25"
  )
)

/** A datetime as developer-api.md 1.3 accepts it: `YYYY-MM-DD HH:mm[:ss]` in UTC, or full ISO 8601. */
export const DateTimeIn = token.check(
  Schema.makeFilter(
    (text: string) => parseDateTime(text)?.timed === true || "Expected a datetime such as 2026-03-01 08:00"
  )
)
