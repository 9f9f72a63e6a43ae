// `calculation`: part of a later release; an app with one cannot be made yet (developer-api.md 3.3, 10).
import { Effect, Schema } from "effect"
import type { ComputedType } from "../contract/FieldType.ts"
import { valued } from "../contract/shapes.ts"
import { refuseWrite } from "../input/writeInput.ts"
import { TimeSetting } from "../kinds/dateFields.ts"
import { plainTextFilter } from "../kinds/textFields.ts"
import { NumberSettings } from "./number.ts"

const CalculationSettings = Schema.Struct({
  ...NumberSettings.fields,
  script: Schema.String.pipe(Schema.withDecodingDefaultKey(Effect.succeed(""))),
  calendar: Schema.Boolean.pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  time: TimeSetting.pipe(Schema.withDecodingDefaultKey(Effect.succeed("disabled" as const)))
})

/** Operators and channels follow the result; record filters and sorts take it as text. */
export const calculation: ComputedType<"result", typeof CalculationSettings.Type> = {
  tag: "calculation",
  kind: "result",
  type: "calculation",
  label: "Calculation",
  channels: ["text", "number", "date"],
  operators: "RESULT",
  assignable: false,
  multiple: false,
  titleCapable: true,
  fact: null,
  settings: CalculationSettings,
  checkDefinition: () => "field_type `calculation` comes in a later release",
  parse: refuseWrite,
  compute: () => [],
  render: (entry) => ({ value: entry }),
  entry: valued(Schema.Union([Schema.String, Schema.Finite])),
  text: (entry) => String(entry),
  // A calculation without a result is empty, whatever it would have given.
  compared: (cell) => ({ set: "TEXT", texts: cell.map(String), cased: true }),
  filter: plainTextFilter,
  sortKey: ({ firstText, words }, { field_id }) => words(firstText(field_id))
}
