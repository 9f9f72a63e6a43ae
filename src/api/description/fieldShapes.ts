// The 26 field types as the description shows them, a schema for each in each place: how a field is defined, how it reads, what a
// write of a record takes, what a record holds (developer-api.md 3.1 to 3.3, 4.1). All of it is made from the types themselves.
import { Schema } from "effect"
import { FieldInput, FieldView } from "../../domain/records/apps/appSchemas.ts"
import type { FieldType } from "../../domain/records/fields/contract/FieldType.ts"
import { type FieldTypeTag, fieldTypes, fieldTypeTags } from "../../domain/records/fields/registry.ts"
import { fieldChange, fieldHead, fieldInputs } from "../../domain/records/reading/recordSchemas.ts"
import { pascal } from "./names.ts"

const typeOf = (tag: FieldTypeTag): FieldType => fieldTypes[tag]
const named = <S extends Schema.Top>(tag: FieldTypeTag, what: string, schema: S) =>
  schema.annotate({ identifier: `${pascal(tag)}${what}` })
const union = (name: string, members: ReadonlyArray<Schema.Top>) => Schema.Union(members).annotate({ identifier: name })
const head = (tag: FieldTypeTag) => ({ type: Schema.Literal(typeOf(tag).type), field_type: Schema.Literal(tag) })

/** Field types that occur among the fields of a record. */
const recordFieldTypes = fieldTypeTags.flatMap((tag) => {
  const { entry } = typeOf(tag)
  return entry === undefined ? [] : [{ tag, values: Schema.Array(named(tag, "Entry", entry)) }]
})
const fieldOfRecord = recordFieldTypes.map(({ tag, values }) =>
  named(tag, "RecordField", Schema.Struct({ ...fieldHead, ...head(tag), values }))
)
const changeOfField = recordFieldTypes.map(({ tag, values }) =>
  named(tag, "FieldChange", Schema.Struct({ ...fieldHead, ...fieldChange, ...head(tag), from: values, to: values }))
)

const valueInputs = fieldTypeTags.flatMap((tag) => {
  const type = typeOf(tag)
  return type.assignable ? [named(tag, "ValueInput", type.input)] : []
})
const ValueInput = union("FieldValueInput", valueInputs)

const NoSettings = Schema.Record(Schema.String, Schema.Never).annotate({ identifier: "NoSettings" })
/** An empty struct of Effect lets everything through. */
const settings = (tag: FieldTypeTag, what: string, schema: Schema.Top) =>
  "fields" in schema && Object.keys(schema.fields as object).length === 0 ? NoSettings : named(tag, what, schema)

const { config: shownConfig } = FieldView.fields
const definitions = fieldTypeTags.map((tag) => {
  const read = settings(tag, "Settings", Schema.toType(typeOf(tag).settings))
  const config = Schema.Struct({ ...shownConfig.fields, settings: read })
  return named(tag, "Field", Schema.Struct({ ...FieldView.fields, ...head(tag), config }))
})

const { config: sentConfig, field_id } = FieldInput.fields
/** An input with `field_id` updates that field; it may repeat the field's type. */
const definitionInputs = fieldTypeTags.map((tag) => {
  const { settings: decoded, settingsInput } = typeOf(tag)
  const settingsSchema = settings(tag, "SettingsInput", settingsInput ?? Schema.toEncoded(decoded))
  const config = Schema.Struct({ ...sentConfig.fields, settings: Schema.optionalKey(settingsSchema) })
  return named(tag, "FieldInput", Schema.Struct({ field_id, field_type: Schema.Literal(tag), config }))
})
const FieldUpdate = Schema.Struct({ field_id: field_id.schema, config: sentConfig }).annotate({
  identifier: "FieldUpdate",
  description: "Changes a field without saying its type; what is left out of `settings` keeps its value"
})

/** Schemas by the names that the endpoints' own, less exact schemas have in the description. */
export const fieldShapes = {
  RecordField: union("RecordField", fieldOfRecord),
  FieldChange: union("FieldChange", changeOfField),
  FieldInputs: Schema.Record(Schema.String, Schema.NullOr(ValueInput)).annotate({
    identifier: "FieldInputs",
    description: fieldInputs
  }),
  Field: union("Field", definitions),
  FieldInput: Schema.Union([union("FieldDefinitionInput", definitionInputs), FieldUpdate]).annotate({
    identifier: "FieldInput"
  })
}
