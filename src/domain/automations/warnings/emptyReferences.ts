// Decides which references of a definition may be empty at their place (decisions A27): neither checked by an enclosing filter or branch,
// nor of a kind that is never empty. Pure.
import { variableName } from "../model/RunScope.ts"
import type { Constant, Reference } from "../schema/dynamicValues.ts"
import {
  type Condition,
  type FilterGroup,
  type FilterRow,
  type FilterValue,
  isChange,
  isGroup,
  isScript
} from "../schema/Filter.ts"
import { operators } from "../schema/operators.ts"
import type { ValidationModel } from "../schema/ValidationModel.ts"
import { isConstant, isReference } from "../schema/walk.ts"

/** Knowledge from conditions: references that are not empty, and scripts, which may have checked anything that they name. */
export interface Known {
  readonly filled: ReadonlySet<string>
  readonly scripts: ReadonlyArray<string>
}
const nothingKnown: Known = { filled: new Set(), scripts: [] }

export const both = (one: Known, other: Known): Known => ({
  filled: new Set([...one.filled, ...other.filled]),
  scripts: [...one.scripts, ...other.scripts]
})

/** Key of the value that a reference names, whatever property it shows and however it is read. */
const keyOf = (reference: object): string => {
  const { data_type: _, property: __, field_type: ___, ...rest } = reference as Record<string, unknown>
  return JSON.stringify(
    Object.entries(rest)
      .filter(([, value]) => value !== false && value !== undefined)
      .sort()
  )
}

const matchesEmpty: ReadonlySet<string> = new Set([
  ...["is_not", "does_not_contain", "has_none_of", "is_none_of"],
  "is_empty"
])

const fills = (row: Condition, model: ValidationModel): boolean =>
  row.operator === "is_not_empty" ||
  (!matchesEmpty.has(row.operator) &&
    (operators[row.operator].arity === "none" ||
      (row.value !== undefined && !mayBeEmpty(row.value, nothingKnown, model))))

const scriptText = (code: ReadonlyArray<unknown>): string =>
  code.map((item) => (typeof item === "string" ? item : JSON.stringify(item))).join("")

/** Returns what holds if the group has matched. */
export const whereMatched = (group: FilterGroup | null, model: ValidationModel): Known => {
  if (group === null || (group.operator === "or" && group.rows.length > 1)) return nothingKnown
  return group.rows.map((row) => rowMatched(row, model)).reduce(both, nothingKnown)
}
const rowMatched = (row: FilterRow, model: ValidationModel): Known => {
  if (isGroup(row)) return whereMatched(row, model)
  if (isScript(row)) return { filled: new Set(), scripts: [scriptText(row.code)] }
  return isChange(row) || !fills(row, model) ? nothingKnown : { filled: new Set([keyOf(row.subject)]), scripts: [] }
}

/** Returns what holds if the group has not matched. */
export const whereNot = (group: FilterGroup | null): Known => {
  if (group === null || (group.operator === "and" && group.rows.length > 1)) return nothingKnown
  return group.rows
    .map((row): Known => {
      if (isGroup(row)) return whereNot(row)
      if (isScript(row)) return { filled: new Set(), scripts: [scriptText(row.code)] }
      return isChange(row) || row.operator !== "is_empty"
        ? nothingKnown
        : { filled: new Set([keyOf(row.subject)]), scripts: [] }
    })
    .reduce(both, nothingKnown)
}

const alwaysThere: ReadonlySet<string> = new Set([
  ...["record_id", "record_url", "revision", "app_record_id", "created_at", "created_by"],
  ...["unique_id"],
  ...["periodic_execution_datetime", "weblink_click_count", "weblink_created_at"],
  ...["record_comment_or_reply_id", "record_comment_or_reply_created_by", "record_comment_or_reply_entity_type"]
])

/** True if a script names the value: by the reference, its variable, or the last key of its path. */
const isNamed = (reference: Reference, scripts: ReadonlyArray<string>): boolean =>
  scripts.some((script) => {
    if (script.includes(JSON.stringify(reference))) return true
    if (reference.source === "custom") return script.includes(variableName(reference.label))
    if (reference.source !== "trigger" || reference.trigger_type !== "webhook_payload_property") return false
    const key = reference.key_path.findLast((one) => typeof one === "string")
    return script.includes("webhook_payload") && (key === undefined || script.includes(String(key)))
  })

const mayLack = (reference: Reference, known: Known, model: ValidationModel): boolean => {
  if (known.filled.has(keyOf(reference)) || isNamed(reference, known.scripts)) return false
  switch (reference.source) {
    case "global":
      return reference.global_type === "most_recent_error"
    case "action":
      return reference.action_type !== "created_record"
    case "trigger":
      return !alwaysThere.has(reference.trigger_type)
    case "custom":
      return true
  }
  if (reference.previous === true || reference.triggering === true || reference.collection === true) return true
  if (reference.source === "meta") return !alwaysThere.has(reference.meta_type)
  return !alwaysThere.has(reference.field_type) && model.fields.get(reference.field_id)?.required !== true
}

type Item = string | number | Reference | Constant

/** True if all parts of a text may be empty. */
const allMayLack = (items: ReadonlyArray<unknown>, known: Known, model: ValidationModel): boolean =>
  (items as ReadonlyArray<Item>).every((item) => {
    if (typeof item === "string") return item.trim() === ""
    return isReference(item) ? mayLack(item, known, model) : typeof item !== "number" && !isConstant(item)
  })

/** Names of values that only a run knows. */
const names = /\b(?:var_\w|trigger\b|loop_item\b|(?:current|previous|triggering)_record\b)/

const codeMayLack = (items: ReadonlyArray<unknown>, known: Known, model: ValidationModel): boolean => {
  const text = items.filter((item) => typeof item === "string").join("")
  const references = items.filter(isReference)
  return references.length > 0 ? references.every((item) => mayLack(item, known, model)) : names.test(text)
}

/** True if a comparison value may resolve to nothing, so that its condition is left out (service.md 2.7 write rule 4). */
export const mayBeEmpty = (value: FilterValue, known: Known, model: ValidationModel): boolean => {
  switch (value.type) {
    case "text":
      return allMayLack(value.text, known, model)
    case "ids":
      return allMayLack(value.ids, known, model)
    case "number":
      return codeMayLack(value.number, known, model)
    case "date":
      return mayLack(value.date.base, known, model) || codeMayLack(value.date.amount, known, model)
    default:
      return false
  }
}
