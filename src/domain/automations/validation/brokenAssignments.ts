// Broken reasons of field assignments and of checklist entries (developer-api.md 7.7, 7.12).

import type { DataKind } from "../../records/fields/contract/FieldType.ts"
import { fieldTypes, typeOf } from "../../records/fields/registry.ts"
import type { FieldAssignment, Reference } from "../model/Definition.ts"
import { type DefinitionScope, type ProducedApp, referenceProblem } from "../schema/DefinitionScope.ts"
import type { AssignedKind, AssignedValue } from "../schema/fieldAssignments.ts"
import { typeNamed } from "../schema/operators.ts"
import type { FieldModel, Finding } from "../schema/ValidationModel.ts"
import { isPlainObject, isReference, valuesIn } from "../schema/walk.ts"
import { idKindOf, missingConstant } from "./brokenFilters.ts"

/** @param targets apps whose fields may be assigned; `any`: only the run knows. */
export function* checkAssignments(
  list: ReadonlyArray<FieldAssignment>,
  targets: ReadonlySet<ProducedApp>,
  scope: DefinitionScope
): Iterable<Finding> {
  for (const assignment of list) {
    const { field_id } = assignment.variable_def
    const location = { field_id, assignment_type: assignment.assignment_type }
    const field = scope.model.fields.get(field_id)
    if (field === undefined || !(targets.has(field.app_id) || targets.has("any"))) {
      const message =
        field === undefined ? `There is no field ${field_id}.` : `Field ${field_id} is not one of the changed record's.`
      yield { code: "field_assignment_variable_missing", message, ...location }
    } else if (field.field_type !== assignment.field_type) {
      const message = `Field ${field_id} is of type ${field.field_type}, not ${assignment.field_type}.`
      yield { code: "field_assignment_type_invalid", message, ...location }
    } else if (assignment.assignment_type === "set_code") {
      if (isBlank(assignment.code))
        yield { code: "field_assignment_value_missing", message: "The code is empty.", ...location }
      yield* checkReferences(assignment.code, scope, location)
    } else {
      for (const finding of checkValue(assignment, field, scope)) yield { ...location, ...finding }
    }
  }
}

type At = { readonly field_id: number; readonly assignment_type: string }
const isBlank = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === "string" && item.trim() === "")

function* checkReferences(value: unknown, scope: DefinitionScope, at: At | {}): Iterable<Finding> {
  for (const item of valuesIn(value)) {
    if (item.kind === "variable") {
      const problem = referenceProblem(item, scope)
      if (problem === undefined) continue
      const { kind, ...rest } = problem
      const code = kind === "app" ? "field_assignment_app_missing" : "field_assignment_value_variable_missing"
      yield { ...at, code, ...rest }
    } else {
      const constantProblem = missingConstant(item, scope)
      if (constantProblem !== undefined)
        yield { ...at, code: `field_assignment_${constantProblem.kind}_missing`, ...constantProblem.finding }
    }
  }
}

type Check<K extends AssignedKind> = (
  value: AssignedValue<K>,
  field: FieldModel,
  scope: DefinitionScope
) => Iterable<Finding>

/** Checks ids of existing things, and references that give such ids. */
function* checkChoices(value: AssignedValue<"options">, field: FieldModel, scope: DefinitionScope): Iterable<Finding> {
  yield* checkReferences(value, scope, {})
  yield* checkIds(value, field, scope)
}
const checkText = (value: AssignedValue<"text" | "number" | "location">, _: FieldModel, scope: DefinitionScope) =>
  checkReferences(value, scope, {})

const checks: { readonly [K in AssignedKind]: Check<K> } = {
  text: checkText,
  number: checkText,
  location: checkText,
  options: checkChoices,
  records: checkChoices,
  users: checkChoices,
  *dates(value, field, scope) {
    const { end, start } = value
    yield* checkReferences(value, scope, {})
    if (end !== undefined && !isBlank(end) && typeOf(field).range !== true) {
      yield { code: "field_assignment_end_date_disabled", message: `Field ${field.field_id} has no end.` }
    }
    for (const source of [start, end]) {
      if (isPlainObject(source) && !canGive.date(source["base"] as Reference)) yield invalid("a date")
    }
  },
  checklist: (value, _, scope) => checkChecklist(value, scope),
  *contacts(value, _, scope) {
    yield* checkReferences(value, scope, {})
    if (value.some((entry) => isBlank(entry.value))) yield emptyEntry
  },
  *links(value, _, scope) {
    yield* checkReferences(value, scope, {})
    if (value.some(isBlank)) yield emptyEntry
  },
  *files(value, _, scope) {
    yield* checkReferences(value, scope, {})
    if (!value.every(canGive.file)) yield invalid("files")
  }
}

/** Returns the part of a value that decides if the field is cleared. */
const main = (value: FieldAssignment["field_value"]): unknown => ("start" in value ? value.start : value)

function* checkValue(
  { field_type, field_value }: FieldAssignment,
  field: FieldModel,
  scope: DefinitionScope
): Iterable<Finding> {
  if (field.required && isBlank(main(field_value))) {
    const message = `Field ${field.field_id} is required and cannot be cleared.`
    yield { code: "field_assignment_value_missing", message }
  }
  const kind: AssignedKind = fieldTypes[field_type].kind
  yield* checks[kind](field_value as never, field, scope)
}

const emptyEntry: Finding = { code: "field_assignment_value_value_missing", message: "An entry has no value." }
const invalid = (what: string): Finding => ({
  code: "field_assignment_value_variable_invalid",
  message: `A reference in the value does not give ${what}.`
})

function* checkIds(value: ReadonlyArray<unknown>, field: FieldModel, { model }: DefinitionScope): Iterable<Finding> {
  const kind = idKindOf(field)
  if (kind === undefined) return
  for (const id of value) {
    if (isReference(id) && !canGive[kind](id)) yield invalid(kind === "option" ? "an option" : `a ${kind}`)
    if (typeof id !== "number") continue
    if (kind === "user" && !model.users.has(id)) {
      yield { code: "field_assignment_user_missing", message: `There is no user ${id}.`, user_id: id }
    } else if (kind === "record" && !model.records.has(id)) {
      yield { code: "field_assignment_record_missing", message: `There is no record ${id}.`, record_id: id }
    } else if (kind === "option" && !field.option_ids.has(id)) {
      const message = `Field ${field.field_id} has no option ${id}.`
      yield { code: "field_assignment_option_missing", message, option_id: id }
    }
  }
}

function* checkChecklist(entries: AssignedValue<"checklist">, scope: DefinitionScope): Iterable<Finding> {
  for (const entry of entries) {
    if (isBlank(entry.title)) {
      yield { code: "checklist_property_value_value_missing", message: "A checklist entry has no title." }
    }
    if (typeof entry.assignee === "number" && !scope.model.users.has(entry.assignee)) {
      const message = `There is no user ${entry.assignee}.`
      yield { code: "checklist_property_user_missing", message, user_id: entry.assignee }
    }
    for (const item of valuesIn(entry)) {
      if (item.kind === "variable") {
        const problem = referenceProblem(item, scope)
        if (problem === undefined) continue
        const { kind: _, ...rest } = problem
        yield { code: "checklist_property_value_variable_missing", ...rest }
      } else {
        const constantProblem = missingConstant(item, scope)
        if (constantProblem?.kind === "user")
          yield { code: "checklist_property_user_missing", ...constantProblem.finding }
        else if (constantProblem !== undefined)
          yield { code: "checklist_property_value_value_missing", ...constantProblem.finding }
      }
    }
  }
}

/** Kinds of data that a reference must be able to give, by kind of target. */
const dataKinds = {
  user: ["users"],
  record: ["records"],
  option: ["options", "text", "result"],
  date: ["dates", "result"],
  file: ["files"]
} as const satisfies Record<string, ReadonlyArray<DataKind>>
type WantedKind = keyof typeof dataKinds
const metaTypes: Record<WantedKind, ReadonlyArray<string>> = {
  user: ["created_by", "last_modified_by"],
  record: ["record_id"],
  option: [],
  date: ["created_at", "last_modified_at"],
  file: []
}
const triggerTypes: Record<WantedKind, ReadonlyArray<string>> = {
  user: ["record_comment_or_reply_created_by", "webhook_payload_property"],
  record: ["webhook_payload_property"],
  option: ["webhook_payload_property"],
  date: [
    "webhook_payload_property",
    "periodic_execution_datetime",
    "periodic_next_execution_datetime",
    "weblink_created_at"
  ],
  file: ["webhook_file_collection", "record_comment_or_reply_attachments"]
}

const giving =
  (what: WantedKind) =>
  (reference: Reference): boolean => {
    switch (reference.source) {
      case "field":
        return (dataKinds[what] as ReadonlyArray<DataKind>).includes(typeNamed(reference.field_type).kind)
      case "meta":
        return metaTypes[what].includes(reference.meta_type)
      case "trigger":
        return triggerTypes[what].includes(reference.trigger_type)
      case "action":
        return what === "record"
          ? reference.action_type !== "file_collection"
          : what === "file" && reference.action_type === "file_collection"
      case "custom":
        return reference.custom_type === "any" || (what === "file" && reference.custom_type.endsWith("_file"))
      case "global":
        return (
          what === "date" && (reference.global_type === "current_date" || reference.global_type === "current_datetime")
        )
    }
  }

/** True if a reference can give a value of the kind; a variable of type `any` may. */
const canGive = {
  user: giving("user"),
  record: giving("record"),
  option: giving("option"),
  date: giving("date"),
  file: giving("file")
}
