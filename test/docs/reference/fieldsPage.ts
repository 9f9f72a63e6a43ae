// docs/fields.md from the 26 field types (src/domain/records/fields) and one example of each.
import { Result, Schema } from "effect"
import { operatorSets, operators } from "../../../src/domain/automations/schema/operators.ts"
import type { FieldType } from "../../../src/domain/records/fields/contract/FieldType.ts"
import { palette } from "../../../src/domain/records/fields/input/optionColors.ts"
import {
  monthNames,
  quarters,
  relativeDateRangeTypes,
  relativeDateTypes,
  weekdays
} from "../../../src/domain/records/fields/matching/dateTests.ts"
import { presence } from "../../../src/domain/records/fields/matching/matchTypes.ts"
import { fieldless } from "../../../src/domain/records/fields/matching/RecordFilter.ts"
import { type FieldTypeTag, fieldTypes, fieldTypeTags, typeOf } from "../../../src/domain/records/fields/registry.ts"
import { expressionSection } from "./expressionSection.ts"
import { fieldWords, settingMeanings, sortWords } from "./fieldExamples.ts"
import { assignmentSent, conditionSent, definitionSent, storedField, valuesRead, viewSent } from "./fieldTrials.ts"
import { code, jsonBlock, listed, page, table } from "./markdown.ts"
import { type JsonSchema, type MemberWords, makeRows } from "./schemaMembers.ts"

const codes = (words: ReadonlyArray<string>) => words.map(code).join(", ")

/** Schema as JSON Schema with its definitions inside. */
const jsonSchemaOf = (schema: Schema.Constraint): JsonSchema => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema as Schema.Top, { onExcessProperty: "error" })
  return { ...(root as JsonSchema), $defs: definitions as Record<string, JsonSchema> }
}

export const settingWords = (): MemberWords => ({
  meanings: settingMeanings,
  used: new Set(),
  valueTypes: new Map(),
  needed: new Set()
})

/** Settings with the defaults that decoding fills in, which their schema does not show. */
const settingsOf = (type: FieldType, words: MemberWords): string => {
  const schema = jsonSchemaOf(type.settingsInput ?? type.settings)
  const needed = type.tag === "calculation" ? fieldWords.calculation.config?.settings : {}
  const defaults = Schema.decodeUnknownSync(type.settings as Schema.Codec<unknown>)(needed) as Record<string, unknown>
  const isChange = type.settingsInput !== undefined
  const properties = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, member]) => [
      key,
      isChange || defaults[key] === undefined ? member : { ...member, default: defaults[key] }
    ])
  )
  return makeRows(schema, type.tag, words).membersOf({ ...schema, properties })
}

const inputText = (input: Schema.Top): string => {
  const schema = jsonSchemaOf(input)
  return makeRows(schema, "", { ...settingWords(), isDetailed: true }).typeText(schema)
}

/** A filter's `type`: the field's own, its older name, and what computed types take besides. */
const filterTypesOf = ({ filter, olderName, type }: FieldType) => [
  type,
  ...(olderName === undefined ? [] : [olderName]),
  ...(filter.otherTypes ?? [])
]

const entryFilters = ({ filter }: FieldType): ReadonlyArray<string> =>
  Object.entries(filter.entries ?? {}).map(
    ([property, { matchTypes }]) =>
      `- **Filters by the entry's \`${property}\`:** ${codes([...matchTypes, ...presence])}.`
  )

const sectionOf = (tag: FieldTypeTag, words: MemberWords): string => {
  const type = typeOf({ field_type: tag })
  const { about } = fieldWords[tag]
  const settings = settingsOf(type, words)
  const isOffered = Result.isSuccess(storedField(tag))
  const values = type.unlisted === true || !isOffered ? [] : valuesRead(tag)
  const field = storedField(tag)
  const slug = Result.isSuccess(field) ? field.success.slug : tag
  const facts = [
    `- **\`type\` of a read:** \`${type.type}\`; ${type.multiple ? "several entries" : "one entry"}.`,
    ...(type.assignable ? [`- **A write takes:** ${inputText(type.input)}.`] : []),
    ...(type.contactTypes === undefined ? [] : [`- **Types of entries:** ${codes(type.contactTypes)}.`]),
    ...(type.mayBeUnique === true ? ["- **`unique`:** may be set, so that no two records have the same value."] : []),
    `- **Title:** ${type.titleCapable ? "may give the record its title" : "never gives the record its title"}.`
  ]
  const finding = [
    `- **Filters of views:** \`type\` ${filterTypesOf(type).map(code).join(" or ")}, \`match_type\` ${codes([...type.filter.matchTypes, ...presence])}.`,
    ...entryFilters(type),
    `- **Sorts by** ${sortWords[type.kind]}.`,
    `- **Operators of conditions:** ${codes(operatorSets[type.operators])}; values of type ${listed(type.channels.map(code))}.`
  ]
  return page([
    `## ${tag}`,
    `*${type.label}.* ${about}`,
    facts.join("\n"),
    settings === "" ? "It has no settings." : settings,
    ...(isOffered ? ["Defined:", jsonBlock(definitionSent(tag))] : []),
    ...(type.assignable ? ["Written:", jsonBlock({ fields: { [slug]: fieldWords[tag].write } })] : []),
    ...(values.length === 0 ? [] : ["Read:", jsonBlock({ values })]),
    finding.join("\n"),
    ...(isOffered ? ["A view that filters and sorts by it:", jsonBlock(viewSent(tag))] : []),
    "A condition:",
    jsonBlock(conditionSent(tag)),
    ...(type.assignable ? ["An assignment:", jsonBlock(assignmentSent(tag))] : [])
  ]).trimEnd()
}

const introduction: ReadonlyArray<string> = [
  "# Field types",
  `What a field of an app holds: how it is defined, written, read and found. Examples can be sent as they stand, with ids of your own.
\`GET /v1/automation/meta/filter?field_type=number\` answers the operators of a type as JSON.`,
  table(
    ["Type", "Label", "Written"],
    fieldTypeTags.map((tag) => [
      `[\`${tag}\`](#${tag})`,
      fieldTypes[tag].label,
      fieldTypes[tag].assignable ? "yes" : "no, computed"
    ])
  ),
  "## Define, write and read",
  [
    "- A definition is an entry of `fields` of `POST /v1/app` or `PUT /v1/app/{app_id}`. With `field_id` it changes a field, without it adds one. The type of a field cannot change.",
    "- `config` has `label`, and optionally `description`, `required`, `unique`, `hidden_if_empty`, `always_hidden` and `settings`.",
    "- A change keeps settings that it leaves out; other members of `config` fall back to their defaults.",
    "- A write names fields by their `external_id`, which comes from the first label. `null` clears a field that is not required, a list is replaced as a whole.",
    "- A read has the entries of a field in `values`. An empty field has none.",
    `- Options have one of the colors ${codes(Object.keys(palette))}.`
  ].join("\n"),
  "## Filters and sorts of views",
  [
    "- A filter is `{ field_id, type, match_type, values? }`. All filters of a view have to match; there is no OR. `GET /v1/record/view/{view_id}` lists its records.",
    `- ${listed(presence.map(code))} take no \`values\`. \`not_equal\`, \`not_contains\` and \`none\` match empty fields too.`,
    `- Without \`field_id\`, \`type\` is one of ${codes(fieldless)}; dates are absolute then.`,
    "- `sort_by` is the id of a field. Records without a value stand last.",
    "- The body of `POST /v1/record/filter/app/{app_id}` takes the same filters."
  ].join("\n"),
  "Dates take further members:",
  table(
    ["Member", "Values"],
    [
      ["`relative_date_type`", `${codes(relativeDateTypes)}; the offset is \`{ "offset_amount": 7 }\` in \`values\``],
      ["`relative_date_range_type`", `for \`within\`: ${codes(relativeDateRangeTypes)}`],
      ["`end_date`", "end of `exact_range`"],
      ["`weekday`", `for \`on_weekday\`: ${codes(weekdays)}`],
      ["`quarter_of_year`", `for \`in_quarter_of_year\`: ${codes(quarters)}`],
      ["`month_of_year`", `for \`in_month_of_year\`: ${codes(monthNames)}`],
      ["`timezone`", "IANA zone of a relative date; else that of the request or of the caller"]
    ]
  ),
  "## Operators of automations",
  "Conditions stand in the filter of an automation, in `conditional`, in loops and in steps that collect.",
  table(
    ["Operator", "Meaning", "Values"],
    Object.entries(operators).map(([operator, { arity, description }]) => [code(operator), description, arity])
  ),
  [
    "- A value has the tag of its type: `text`, `number`, `ids` or `date`. The examples below show each.",
    "- Texts are trimmed. `is` and `is_not` of a text field compare case, the other operators do not.",
    "- An empty number matches `is_not` and `is_empty` alone.",
    "- Dates compare whole days in the automation's zone; a value with the unit `hour` compares instants.",
    "- Of several entries, one has to match. `does_not_contain` matches where none contains the text."
  ].join("\n"),
  `A condition whose value comes to nothing is left out: [why](api.md#automations). An [action](actions.md#values) assigns fields.`
]

export const fieldsPage = (words: MemberWords): string =>
  page([...introduction, ...expressionSection, ...fieldTypeTags.map((tag) => sectionOf(tag, words))])
