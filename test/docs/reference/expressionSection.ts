// The language of calculation fields (developer-api.md 11.3), as docs/fields.md explains it.

import { functionNames } from "../../../src/domain/records/calculations/calculationValues.ts"
import { EXPRESSION_CHARS } from "../../../src/ground/expressions/compileExpression.ts"
import { listMethods, numberMethods, textMethods } from "../../../src/ground/expressions/functions.ts"

const codes = (names: ReadonlyArray<string>) => names.map((name) => `\`${name}\``).join(", ")

export const expressionSection: ReadonlyArray<string> = [
  "## Expressions",
  `A [calculation](#calculation) is one expression of a part of JavaScript, of at most ${EXPRESSION_CHARS} characters. It reads fields of the record, and nothing else.`,
  [
    '- **Fields** stand under their `external_id`: `price * quantity`. `field("2nd_price")` names one whose `external_id` is no name of JavaScript, `field(4401)` one by its id. A code value of automations is taken too: references to fields and `{{field.price}}` become names.',
    "- **Values:** a number is an exact decimal, so that `0.1 + 0.2` is `0.3`; a date is a text in UTC, `2026-04-01` or `2026-04-01 15:00:00`; a field of several entries is a list; an option is its text; records, users and files are their ids. `unique_id`, `created_by` and `last_modified_by` cannot be read.",
    "- **Empty fields** are `null`: 0 in arithmetic, nothing in a text. `??` gives them another value. A text is never taken for a number: `Number(text)` converts it.",
    "- **Operators:** `+ - * / %`, `< <= > >= == === != !==`, `&& || ??`, `!`, `? :`, `[a, b]`, `list[0]`, `.length`, templates in backticks.",
    `- **Functions:** ${codes(functionNames.filter((name) => !name.startsWith("Math.")))}. \`Math.round\` and its like are the same as \`round\`.`,
    `- **Methods:** of texts ${codes(Object.keys(textMethods))}; of numbers ${codes(Object.keys(numberMethods))}; of lists ${codes([...Object.keys(listMethods), "map", "filter"])}, the last two with a function: \`tags.filter((tag) => tag !== "new")\`.`,
    "- **Dates:** `today()` is the UTC day. `days_between(from, to)` counts whole days, `add_days` and `add_months` move a date; `weekday` is 1 on Monday.",
    "- **Figures** of a list are those of the action `rollup_iterable_values`: `sum(list)`, `average(list)`, `count_not_empty(list)`.",
    "- **Errors:** an expression that fails, or takes more than 20,000 steps, leaves its field empty, and so do calculations that read it. `GET /v1/record/{record_id}` says why in `calculation_errors`.",
    "- **Order:** a calculation may read others. A cycle is refused, with its path. A field that a calculation reads cannot be deleted before the calculation."
  ].join("\n")
]
