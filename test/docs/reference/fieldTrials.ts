// The examples of field types, put through what the API puts them through: definition, write, read, filters of views, conditions and
// assignments of automations (developer-api.md 3.1 to 3.5, 4.4, 7.7).
import { Result, Schema } from "effect"
import type { FieldModel } from "../../../src/domain/automations/schema/ValidationModel.ts"
import { FieldInput } from "../../../src/domain/records/apps/appSchemas.ts"
import { planFieldChanges } from "../../../src/domain/records/apps/fieldChanges.ts"
import { type Field, type Found, nothingFound } from "../../../src/domain/records/fields/model/Field.ts"
import { type FieldTypeTag, fieldTypes, fieldTypeTags, typeOf } from "../../../src/domain/records/fields/registry.ts"
import { resolveFilters } from "../../../src/domain/records/filters/resolveFilters.ts"
import { definitionOf } from "../../../src/domain/records/model/AppDefinition.ts"
import { ViewCreate } from "../../../src/domain/records/views/View.ts"
import type { Cell } from "../../../src/platform/primitives/Cell.ts"
import { fieldWords } from "./fieldExamples.ts"
import { CUSTOMERS, modelWith, ORDERS, problemsOf } from "./world.ts"

const orThrow = <A>(result: Result.Result<A, string>): A => {
  if (Result.isFailure(result)) throw new Error(result.failure)
  return result.success
}

const idOf = (tag: FieldTypeTag) => 4601 + fieldTypeTags.indexOf(tag)

/** Definition as `POST /v1/app` takes it among `fields`. */
export const definitionSent = (tag: FieldTypeTag) => {
  const { config, label } = fieldWords[tag]
  return { field_type: tag, config: { label, ...config } }
}

/** Field as the API stores it, or the reason why it refuses the definition. */
export const storedField = (tag: FieldTypeTag): Result.Result<Field, string> => {
  const definitions = [...(fieldWords[tag].reads ?? []), definitionSent(tag)]
  const entries = definitions.map((one) => Schema.decodeUnknownSync(FieldInput, { onExcessProperty: "error" })(one))
  let optionIds = 0
  return Result.map(planFieldChanges(null, entries, [], { optionId: () => ++optionIds }), ({ created }) => ({
    ...created.at(-1)!,
    field_id: idOf(tag),
    app_id: ORDERS
  }))
}

/** A field of a type that no app can have yet, with the settings that it would have. */
const fieldOf = (tag: FieldTypeTag): Field => {
  const trialField = storedField(tag)
  if (Result.isSuccess(trialField)) return trialField.success
  const settings = Schema.decodeUnknownSync(fieldTypes[tag].settings as Schema.Codec<unknown>)({})
  return { ...orThrow(storedField("single_text")), field_id: idOf(tag), field_type: tag, slug: tag, settings }
}

const user = (user_id: number, name: string) => ({
  user_id,
  mail: [`${name.toLowerCase()}@example.com`],
  image: null,
  name,
  org_id: 1,
  type: "user" as const
})
const file = (id: number, filename: string, mimetype: string) => ({
  id,
  filename,
  size: 48_213,
  mimetype,
  download_url: `https://millrace.example.com/files/${id}`
})
const foundData: Found = {
  ...nothingFound,
  users: new Map([
    [12, user(12, "Ann")],
    [13, user(13, "Ben")]
  ]),
  records: new Map(
    [3001, 3002].map((record_id) => [record_id, { record_id, app_id: CUSTOMERS, title: `Customer ${record_id}` }])
  ),
  files: new Map([
    [501, file(501, "invoice.pdf", "application/pdf")],
    [502, file(502, "parcel.png", "image/png")]
  ])
}

const facts = {
  app_record_id: 42,
  created_on: "2026-03-02 08:15:00",
  created_by: { type: "user", user_id: 12 },
  last_modified_on: "2026-03-03 09:30:00",
  last_modified_by: { type: "user", user_id: 13 }
} as const

/** Entries that a record reads after the example was written, or that a computed field reads. */
export const valuesRead = (tag: FieldTypeTag): ReadonlyArray<unknown> => {
  const field = fieldOf(tag)
  const type = typeOf(field)
  let entryIds = 70
  const context = { previous: [], entryId: () => ++entryIds, now: "2026-03-02 08:15:00" }
  const { result, write } = fieldWords[tag]
  const cell: Cell = type.compute?.(facts) ?? result ?? orThrow(type.parse(write, field, context))
  const problem = type.assignable ? (type.check?.(cell, field, foundData) ?? null) : null
  if (problem !== null) throw new Error(`${tag}: ${problem}`)
  return cell.map((entry) => type.render(entry, field, foundData)).filter((value) => value !== null)
}

/** A view that filters and sorts by the field. */
export const viewSent = (tag: FieldTypeTag) => ({
  name: `By ${fieldWords[tag].label.toLowerCase()}`,
  layout: "table",
  filters: [{ field_id: idOf(tag), type: fieldTypes[tag].type, ...fieldWords[tag].filter }],
  sort_by: idOf(tag),
  sort_desc: true
})

/** Problem of the view, judged as it is when it is stored; empty if the API takes it. */
export const viewProblem = (tag: FieldTypeTag): string => {
  const view = Schema.decodeUnknownSync(ViewCreate, { onExcessProperty: "error" })(viewSent(tag))
  const app = {
    ...{ app_id: ORDERS, org_id: 1, workspace_id: 31, slug: "orders", name: "Orders", item_name: "Order" },
    ...{ description: null, icon: null, item_icon: null, position: 0, version: 1 }
  }
  const definition = definitionOf(app, [fieldOf(tag)])
  const result = resolveFilters(definition, view.filters ?? [], { userId: 12, now: Date.UTC(2026, 0, 1), zone: "UTC" })
  return Result.isFailure(result) ? result.failure : definition.byId.has(view.sort_by ?? 0) ? "" : "sort_by"
}

const subjectOf = (tag: FieldTypeTag) => ({ kind: "variable", source: "field", field_id: idOf(tag), field_type: tag })

export const conditionSent = (tag: FieldTypeTag) => ({ subject: subjectOf(tag), ...fieldWords[tag].condition })

export const assignmentSent = (tag: FieldTypeTag) => ({
  field_type: tag,
  variable_def: subjectOf(tag),
  assignment_type: "set",
  field_value: fieldWords[tag].assign
})

const modelOf = (field: Field): FieldModel => ({
  field_id: field.field_id,
  app_id: field.app_id,
  label: field.label,
  field_type: field.field_type as FieldTypeTag,
  required: field.required,
  always_hidden: field.always_hidden,
  is_unique: field.unique,
  option_ids: new Set(field.settings.options?.map(({ id }: { id: number }) => id)),
  referenced_app_ids: new Set(field.settings.referenced_apps?.map(({ app_id }: { app_id: number }) => app_id))
})

/** Problems of an automation with the condition and the assignment of the type. */
export const automationProblems = (tag: FieldTypeTag): ReadonlyArray<string> =>
  problemsOf(
    {
      trigger: { type: "record_created", config: {} },
      filter: { operator: "and", rows: [conditionSent(tag)] },
      actions: [
        fieldTypes[tag].assignable
          ? { type: "current_record_update", config: { field_assignments: [assignmentSent(tag)] } }
          : { type: "exit", config: { exit_type: "success" } }
      ]
    },
    modelWith([modelOf(fieldOf(tag))])
  )
