// The language of calculation fields (developer-api.md 11.3), as docs/fields.md explains it.

import { functionNames } from "../../../src/domain/records/calculations/calculationValues.ts"
import { EXPRESSION_CHARS } from "../../../src/platform/expressions/compileExpression.ts"
import { listMethods, numberMethods, textMethods } from "../../../src/platform/expressions/functions.ts"

const codes = (names: ReadonlyArray<string>) => names.map((name) => `\`${name}\``).join(", ")

export const expressionSection: ReadonlyArray<string> = [
  "## Expressions",
  `A [calculation](#calculation) is one expression of a part of JavaScript, of at most ${EXPRESSION_CHARS} characters. It reads fields of the record and of its related records, and nothing else.`,
  [
    '- **Fields** stand under their `external_id`: `price * quantity`. `field("2nd_price")` names one whose `external_id` is no name of JavaScript, `field(4401)` one by its id. A code value of automations is taken too: references to fields and `{{field.price}}` become names.',
    "- **Values:** a number is an exact decimal, so that `0.1 + 0.2` is `0.3`; a date is a text in UTC, `2026-04-01` or `2026-04-01 15:00:00`; a field of several entries is a list; an option is its text; records, users and files are their ids. `unique_id`, `created_by` and `last_modified_by` cannot be read.",
    "- **Related records:** `related(lines)` is the list of live records to which the relation field `lines` points, at most 1,000, and 5,000 over all relations of a record. `related(lines).price` lists a field of each, `related(lines)[0].name` reads one, `sum(related(lines).map((line) => line.price * line.quantity))` adds up. A record's own write reads them; a change of a related record is followed within a second or so, with a revision, an event and triggers, and `calculations_pending` of `GET /v1/app/{app_id}` counts what is to come. Further records are read through calculations of the apps between, over 10 relations at most.",
    "- **Empty fields** are `null`: 0 in arithmetic, nothing in a text. `??` gives them another value. A text is never taken for a number: `Number(text)` converts it.",
    "- **Operators:** `+ - * / %`, `< <= > >= == === != !==`, `&& || ??`, `!`, `? :`, `[a, b]`, `list[0]`, `.length`, templates in backticks.",
    `- **Functions:** ${codes(functionNames.filter((name) => !name.startsWith("Math.")))}. \`Math.round\` and its like are the same as \`round\`.`,
    `- **Methods:** of texts ${codes(Object.keys(textMethods))}; of numbers ${codes(Object.keys(numberMethods))}; of lists ${codes([...Object.keys(listMethods), "map", "filter"])}, the last two with a function: \`tags.filter((tag) => tag !== "new")\`.`,
    "- **Dates:** `today()` is the UTC day. `days_between(from, to)` counts whole days, `add_days` and `add_months` move a date; `weekday` is 1 on Monday.",
    "- **Figures** of a list are those of the action `rollup_iterable_values`: `sum(list)`, `average(list)`, `count_not_empty(list)`.",
    "- **Errors:** an expression that fails, or takes more than 20,000 steps (100,000 with the other calculations of the record), leaves its field empty, and so do calculations that read it. `GET /v1/record/{record_id}` says why in `calculation_errors`.",
    "- **Order:** a calculation may read others. A cycle is refused, with its path. A field that a calculation reads cannot be deleted before the calculation. Both hold over apps, too."
  ].join("\n")
]
