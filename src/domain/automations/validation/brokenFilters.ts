// Broken reasons of filter trees (developer-api.md 7.12 "Filter"), the automation's own and those inside steps.

import type { DataKind, OlderName } from "../../records/fields/contract/FieldType.ts"
import { type FieldTypeTag, typeOf } from "../../records/fields/registry.ts"
import { isEmptyValue } from "../filter/filterWriteRules.ts"
import type { Condition, Constant, FilterGroup, FilterRow, Reference } from "../model/Definition.ts"
import { type DefinitionScope, referenceProblem } from "../schema/DefinitionScope.ts"
import { isChange, isGroup, isScript } from "../schema/Filter.ts"
import { fieldKind, operators } from "../schema/operators.ts"
import type { FieldModel, Finding } from "../schema/ValidationModel.ts"
import { valuesIn } from "../schema/walk.ts"

export function* checkFilter(group: FilterGroup, scope: DefinitionScope): Iterable<Finding> {
  for (const row of group.rows) yield* checkRow(row, scope)
}

function* checkRow(row: FilterRow, scope: DefinitionScope): Iterable<Finding> {
  const location = row.id === undefined ? {} : { block_id: row.id }
  if (isGroup(row)) yield* checkFilter(row, scope)
  else if (isScript(row)) yield* checkValues(row.code, scope, location)
  else yield* checkCondition(row, scope, location)
}

type At = { readonly block_id?: string }

function* checkCondition(condition: Condition, scope: DefinitionScope, at: At): Iterable<Finding> {
  const { operator, subject, value } = condition
  const rowLocation = isChange(condition) ? at : { ...at, match_type: operator }
  const problem = referenceProblem(subject, scope)
  if (problem !== undefined) {
    const { kind, ...rest } = problem
    yield { code: kind === "app" ? "filter_app_missing" : "filter_variable_missing", ...rest, ...rowLocation }
    return
  }
  const field = subject.source === "field" ? scope.model.fields.get(subject.field_id) : undefined
  if (field !== undefined && subject.source === "field" && !sharesChannel(field.field_type, subject.field_type)) {
    const message = `Field ${field.field_id} is of type ${field.field_type}; the condition was written for another type.`
    yield { code: "filter_match_type_invalid", message, field_id: field.field_id, ...rowLocation }
  }
  if (isChange(condition)) return
  if (operators[operator].arity !== "none" && (value === undefined || isEmptyValue(value))) {
    yield { code: "filter_value_value_missing", message: "The condition has no value to compare with.", ...rowLocation }
  }
  if (value === undefined) return
  yield* checkValues(value, scope, rowLocation)
  if (value.type === "ids") yield* checkIds(value.ids, subject, field, scope, rowLocation)
}

const sharesChannel = (actual: FieldTypeTag, claimed: FieldTypeTag | OlderName) =>
  fieldKind(actual).channels.some((channel) => fieldKind(claimed).channels.includes(channel))

/** Checks references and constants inside a value or a script. */
function* checkValues(value: unknown, scope: DefinitionScope, at: At): Iterable<Finding> {
  for (const item of valuesIn(value)) {
    if (item.kind === "variable") {
      const problem = referenceProblem(item, scope)
      if (problem === undefined) continue
      const { kind, ...rest } = problem
      yield { code: kind === "app" ? "filter_app_missing" : "filter_value_variable_missing", ...rest, ...at }
    } else {
      const constantProblem = missingConstant(item, scope)
      if (constantProblem !== undefined)
        yield { code: `filter_${constantProblem.kind}_missing`, ...constantProblem.finding, ...at }
    }
  }
}

function* checkIds(
  ids: ReadonlyArray<unknown>,
  subject: Reference,
  field: FieldModel | undefined,
  { model }: DefinitionScope,
  at: At
): Iterable<Finding> {
  const kind = idKind(subject, field)
  for (const id of ids) {
    if (typeof id !== "number") continue
    if (kind === "user" && !model.users.has(id)) {
      yield { code: "filter_user_missing", message: `There is no user ${id}.`, user_id: id, ...at }
    } else if (kind === "record" && !model.records.has(id)) {
      yield { code: "filter_record_missing", message: `There is no record ${id}.`, record_id: id, ...at }
    } else if (kind === "option" && field?.option_ids.has(id) === false) {
      const message = `Field ${field.field_id} has no option ${id}.`
      yield { code: "filter_option_missing", message, field_id: field.field_id, option_id: id, ...at }
    }
  }
}

const idKind = (subject: Reference, field: FieldModel | undefined): "user" | "record" | "option" | undefined => {
  if (subject.source === "meta" || subject.source === "trigger") return "user"
  return field === undefined ? undefined : idKindOf(field)
}

/** Kinds of the ids in a field's values. */
const idKinds: { readonly [K in DataKind]: "user" | "record" | "option" | undefined } = {
  options: "option",
  records: "record",
  users: "user",
  text: undefined,
  number: undefined,
  dates: undefined,
  files: undefined,
  contacts: undefined,
  links: undefined,
  location: undefined,
  checklist: undefined,
  result: undefined
}
export const idKindOf = (field: FieldModel) => idKinds[typeOf(field).kind]

/** Returns the finding for a constant whose option, user or record is missing. */
export const missingConstant = (constant: Constant, { model }: DefinitionScope) => {
  switch (constant.value_type) {
    case "option": {
      const { field_id, option_id } = constant
      if (model.fields.get(field_id)?.option_ids.has(option_id) === true) return undefined
      return {
        kind: "option",
        finding: { message: `Field ${field_id} has no option ${option_id}.`, field_id, option_id }
      } as const
    }
    case "user": {
      const { user_id } = constant
      if (model.users.has(user_id)) return undefined
      return { kind: "user", finding: { message: `There is no user ${user_id}.`, user_id } } as const
    }
    case "record": {
      const { record_id } = constant
      if (model.records.has(record_id)) return undefined
      return { kind: "record", finding: { message: `There is no record ${record_id}.`, record_id } } as const
    }
    default:
      return undefined
  }
}
