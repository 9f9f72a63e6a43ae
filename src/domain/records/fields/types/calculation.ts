// `calculation`: part of a later release; an app with one cannot be made yet (developer-api.md 3.3, 10).
import { Effect, Schema } from "effect"
import { refuseWrite } from "../kinds/computed.ts"
import type { FieldType } from "../model/FieldType.ts"
import { NumberSettings } from "./number.ts"

const CalculationSettings = Schema.Struct({
  ...NumberSettings.fields,
  script: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed(""))),
  calendar: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  time: Schema.Literals(["disabled", "enabled", "required"]).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed("disabled" as const))
  )
})

/** Channel and operators follow the result; without results they are those of text. */
export const calculation: FieldType<typeof CalculationSettings.Type> = {
  tag: "calculation",
  type: "calculation",
  label: "Calculation",
  channel: "text",
  operators: "TEXT",
  assignable: false,
  multiple: false,
  titleCapable: true,
  settings: CalculationSettings,
  checkDefinition: () => "field_type `calculation` comes in a later release",
  parse: refuseWrite,
  compute: () => [],
  render: (entry) => ({ value: entry }),
  text: (entry) => String(entry)
}
