// Field assignments: a union of 20 types told apart by `field_type` (service.md normalization rule 4, developer-api.md 7.7).
import { Schema } from "effect"
import { list, sizes } from "../../../ground/bounds/sized.ts"
import { unset, withDefault } from "./combinators.ts"
import type { AssignableFieldType } from "./operators.ts"
import { code, FieldReference, IdOrReference, Reference, RelativeDate, Template, template } from "./Value.ts"

const DateSource = Schema.Union([Template, RelativeDate]).annotate({
  identifier: "DateSource",
  description: "A template giving a date, or a relative date"
})
export type DateSource = typeof DateSource.Type

const ids = list(IdOrReference, sizes.ids)
const oneId = ids.check(Schema.isMaxLength(1)).pipe(withDefault([]))
const manyIds = ids.pipe(withDefault([]))
const files = list(Reference, sizes.definitionList)
const start = DateSource.pipe(withDefault<typeof DateSource>([]))
const date = Schema.Struct({ start, end: unset(DateSource) }).pipe(withDefault({}))

const checklist = list(
  Schema.Struct({
    title: Template,
    description: unset(Template),
    due_at: unset(DateSource),
    assignee: unset(IdOrReference),
    completed: unset(Schema.Boolean)
  }),
  sizes.definitionList
).pipe(withDefault([]))
const email = list(
  Schema.Struct({ type: unset(Schema.Literals(["work", "home", "other"])), value: Template }),
  sizes.definitionList
).pipe(withDefault([]))
const phone = list(
  Schema.Struct({
    type: unset(Schema.Literals(["work", "work_fax", "home", "home_fax", "main", "mobile", "pager", "other"])),
    value: Template
  }),
  sizes.definitionList
).pipe(withDefault([]))
const links = list(Template, sizes.definitionList).pipe(withDefault([]))

const entry = <const T extends AssignableFieldType, S extends Schema.Constraint>(field_type: T, field_value: S) =>
  Schema.Struct({
    field_type: Schema.Literal(field_type),
    variable_def: FieldReference,
    assignment_type: Schema.Literals(["set", "set_code"]).pipe(withDefault("set")),
    field_value,
    code
  })

export const FieldAssignment = Schema.Union([
  entry("single_text", template),
  entry("multi_text", template),
  entry("number", code),
  entry("single_category", oneId),
  entry("multi_category", manyIds),
  entry("status", oneId),
  entry("single_date", date),
  entry("range_date", date),
  entry("single_relation", oneId),
  entry("multi_relation", manyIds),
  entry("single_user", oneId),
  entry("multi_user", manyIds),
  entry("checklist", checklist),
  entry("multi_email", email),
  entry("multi_phone", phone),
  entry("multi_link", links),
  entry("single_location", template),
  entry("single_attachment", files.pipe(withDefault([]))),
  entry("multi_attachment", files.pipe(withDefault([]))),
  entry("multi_image", files.pipe(withDefault([])))
]).annotate({ identifier: "FieldAssignment" })
export type FieldAssignment = typeof FieldAssignment.Type

export const assignments = { field_assignments: list(FieldAssignment, sizes.definitionList).pipe(withDefault([])) }
