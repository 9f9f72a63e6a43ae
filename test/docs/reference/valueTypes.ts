// Types of values that the pages of actions and triggers explain once, where configs only name them.
import type { ValueTypes } from "./schemaMembers.ts"

export const valueTypes: ValueTypes = new Map([
  ["TemplateValue", { shown: "[text](#values)", isEmptyByDefault: true }],
  ["TemplateValueWithSecrets", { shown: "[text with secrets](#values)", isEmptyByDefault: true }],
  ["CodeValue", { shown: "[code](#values)", isEmptyByDefault: true }],
  ["CodeValueWithSecrets", { shown: "[code with secrets](#values)", isEmptyByDefault: true }],
  ["Reference", { shown: "[reference](references.md)" }],
  ["SecretReference", { shown: "[secret](api.md#secrets)" }],
  ["CustomVariableDef", { shown: "[variable](#values)" }],
  ["RelativeDate", { shown: "[relative date](#values)" }],
  ["FilterGroup", { shown: "[condition](#values)" }],
  ["FieldAssignment", { shown: "[assignment](fields.md)" }],
  ["Action", { shown: "action" }]
])

/** Kinds of values as rows: name and form. */
export const valueRows: ReadonlyArray<ReadonlyArray<string>> = [
  [
    "text",
    '`["Order ", { "kind": "variable", … }]`: strings, references and constants in their order. A bare string is accepted too. A secret may stand only where the table says so'
  ],
  [
    "code",
    '`["Math.ceil(", { "kind": "variable", … }, " / 25)"]`: JavaScript. A reference is bound as a variable; a number is a string, `["300"]`'
  ],
  ["reference", '`{ "kind": "variable", "source": … }`: [Values and references](references.md)'],
  [
    "condition",
    '`{ "operator": "and", "rows": [ … ] }`: rows are conditions, scripts `{ "code": … }`, or groups again. [Field types](fields.md) has a condition for each type'
  ],
  ["variable", '`{ "custom_type": "any", "label": "Answer" }`: later steps read it with the source `custom`'],
  [
    "relative date",
    '`{ "base": { … }, "operator": "minus", "unit": "day", "amount": ["1"] }`: `base` is `current_date` when left out'
  ],
  [
    "assignment",
    '`{ "field_type": …, "variable_def": { … }, "assignment_type": "set", "field_value": … }`, or `set_code` with `code`. `null` from code clears the field, `undefined` leaves it alone'
  ]
]
