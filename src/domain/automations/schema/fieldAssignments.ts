// Field assignments: a union of the assignable types, told apart by `field_type` (service.md normalization rule 4, developer-api.md 7.7).
import { Schema } from "effect"
import { list, sizes } from "../../../platform/bounds/sized.ts"
import type { AssignableType } from "../../records/fields/contract/FieldType.ts"
import { type AssignableTag, assignableTags, fieldTypes, type KindOf } from "../../records/fields/registry.ts"
import { unset, withDefault } from "./combinators.ts"
import {
  type Code,
  code,
  FieldReference,
  IdOrReference,
  Reference,
  RelativeDate,
  Template,
  template
} from "./dynamicValues.ts"

const DateSource = Schema.Union([Template, RelativeDate]).annotate({
  identifier: "DateSource",
  description: "A template giving a date, or a relative date"
})
export type DateSource = typeof DateSource.Type

const several = <S extends Schema.Constraint>(item: S) => list(item, sizes.definitionList).pipe(withDefault([]))
const ids = list(IdOrReference, sizes.ids)
const oneId = ids.check(Schema.isMaxLength(1)).pipe(withDefault([]))
const manyIds = ids.pipe(withDefault([]))
const idsOf = ({ multiple }: AssignableType) => (multiple ? manyIds : oneId)
const start = DateSource.pipe(withDefault<typeof DateSource>([]))
const date = Schema.Struct({ start, end: unset(DateSource) })
  .annotate({ identifier: "DateAssignment" })
  .pipe(withDefault({}))
const checklist = several(
  Schema.Struct({
    title: Template,
    description: unset(Template),
    due_at: unset(DateSource),
    assignee: unset(IdOrReference),
    completed: unset(Schema.Boolean)
  })
)
const contacts = (types: ReadonlyArray<string>) =>
  several(Schema.Struct({ type: unset(Schema.Literals(types)), value: Template }))

/** Kinds of data that can be assigned. */
export type AssignedKind = KindOf<AssignableTag>

/** `field_value` by kind of data; the value of an id field is an id. */
const values = {
  text: () => template,
  number: () => code,
  options: idsOf,
  records: idsOf,
  users: idsOf,
  dates: () => date,
  checklist: () => checklist,
  contacts: ({ contactTypes = [] }) => contacts(contactTypes),
  links: () => several(Template),
  location: () => template,
  files: () => several(Reference)
} satisfies { readonly [K in AssignedKind]: (type: AssignableType<K>) => Schema.Constraint }
export type AssignedValue<K extends AssignedKind> = ReturnType<(typeof values)[K]>["Type"]

const member = (tag: AssignableTag) => {
  const type: AssignableType<AssignedKind> = fieldTypes[tag]
  return Schema.Struct({
    field_type: Schema.Literal(tag),
    variable_def: FieldReference,
    assignment_type: Schema.Literals(["set", "set_code"]).pipe(withDefault("set")),
    field_value: (values[type.kind] as (type: AssignableType) => Schema.Constraint)(type),
    code
  })
}

interface Assigns<T extends AssignableTag> {
  readonly field_type: T
  readonly variable_def: FieldReference
  readonly assignment_type: "set" | "set_code"
  readonly field_value: AssignedValue<KindOf<T>>
  readonly code: Code
}
export type FieldAssignment = { [T in AssignableTag]: Assigns<T> }[AssignableTag]

export const FieldAssignment = Schema.Union(assignableTags.map(member)).annotate({
  identifier: "FieldAssignment"
}) as unknown as Schema.Codec<FieldAssignment, unknown>

export const assignments = { field_assignments: list(FieldAssignment, sizes.definitionList).pipe(withDefault([])) }
