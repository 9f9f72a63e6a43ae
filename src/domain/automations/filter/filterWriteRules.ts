// Checks the write rules of the filter tree (service.md 2.7 "Write rules" 1, 2, 5 to 7): the value tag that a subject takes, arity,
// emptiness, and that has-changed conditions are read-only.

import type { Reference } from "../schema/dynamicValues.ts"
import {
  type Condition,
  type FilterGroup,
  type FilterRow,
  type FilterValue,
  isGroup,
  isScript
} from "../schema/Filter.ts"
import {
  fieldKind,
  fileCollectionKind,
  type Kind,
  metaKinds,
  operators,
  payloadKinds,
  triggerOutputKinds
} from "../schema/operators.ts"
import type { Mistake, Path } from "../schema/path.ts"
import { isPlainObject } from "../schema/walk.ts"

/** Returns the kind of a subject, or undefined if the reference cannot be one (write rule 6). */
const subjectKind = (subject: Reference): Kind | undefined => {
  switch (subject.source) {
    case "field":
      return fieldKind(subject.field_type)
    case "meta":
      return (metaKinds as Record<string, Kind>)[subject.meta_type]
    case "trigger":
      // All headers or parameters together have no text form.
      if ("key" in subject && subject.key !== undefined) return payloadKinds.text
      return subject.trigger_type === "webhook_payload_property"
        ? payloadKinds[subject.data_type]
        : (triggerOutputKinds as Record<string, Kind>)[subject.trigger_type]
    case "action":
      return subject.action_type === "file_collection" ? fileCollectionKind : undefined
    default:
      return undefined
  }
}

const blank = (items: ReadonlyArray<unknown>) => items.every((item) => typeof item === "string" && item.trim() === "")

export const isEmptyValue = (value: FilterValue): boolean => {
  switch (value.type) {
    case "text":
      return blank(value.text)
    case "number":
      return blank(value.number)
    case "ids":
      return value.ids.length === 0
    case "date":
      return blank(value.date.amount)
    default:
      return false
  }
}

/** Yields the mistakes of one tree. `inAction`: an empty group is allowed and always true (decisions A12). */
export function* filterMistakes(group: FilterGroup, path: Path, inAction: boolean): Iterable<Mistake> {
  if (group.rows.length === 0 && !inAction) {
    const message =
      path.length === 1
        ? "an empty group is not allowed; send `filter: null` to run unfiltered"
        : "an empty group is not allowed"
    yield { path, message }
  }
  for (const [index, row] of group.rows.entries()) yield* rowMistakes(row, [...path, "rows", index], inAction)
}

function* rowMistakes(row: FilterRow, path: Path, inAction: boolean): Iterable<Mistake> {
  if (isGroup(row)) yield* filterMistakes(row, path, inAction)
  else if (isScript(row)) {
    if (blank(row.code)) yield { path: [...path, "code"], message: "the code is empty" }
  } else yield* conditionMistakes(row, path)
}

function* conditionMistakes({ operator, subject, value }: Condition, path: Path): Iterable<Mistake> {
  const kind = subjectKind(subject)
  if (kind === undefined) {
    yield { path, message: `${subjectName(subject)} cannot be compared` }
    return
  }
  const { arity } = operators[operator]
  if (arity === "none") {
    if (value !== undefined) yield { path, message: `operator \`${operator}\` takes no value` }
    return
  }
  const expected = kind.channels.map((channel) => `\`${channel}\``).join(" or ")
  if (value === undefined) {
    yield { path, message: `operator \`${operator}\` needs a value of type ${expected}` }
  } else if (!kind.channels.includes(value.type)) {
    yield { path, message: `${subjectName(subject)} takes a value of type ${expected}, not \`${value.type}\`` }
  } else if (isEmptyValue(value)) {
    yield { path, message: `the comparison value is empty; operator \`${operator}\` needs one` }
  } else if (arity === "single" && value.type === "ids" && value.ids.length > 1) {
    yield { path, message: `operator \`${operator}\` takes exactly one id, not ${value.ids.length}` }
  }
}

const subjectName = (subject: Reference): string => {
  switch (subject.source) {
    case "field":
      return `a field of type \`${subject.field_type}\``
    case "meta":
      return `metadata \`${subject.meta_type}\``
    case "trigger":
      return `trigger output \`${subject.trigger_type}\``
    case "action":
      return `action output \`${subject.action_type}\``
    default:
      return `a ${subject.source} reference`
  }
}

/** True for a has-changed condition as it reads, `{ id, subject }`, that a caller sends back (service.md 2.7, write rule 7). */
export const isChangeTracking = ({ path }: Mistake, body: unknown): boolean => {
  if (path.at(-1) !== "operator" || path.at(-3) !== "rows") return false
  let row = body
  for (const key of path.slice(0, -1)) row = (row as Record<PropertyKey, unknown> | undefined)?.[key]
  return isPlainObject(row) && "subject" in row && Object.keys(row).every((key) => key === "id" || key === "subject")
}

/** Names the condition instead of the operator that it lacks. */
export const changeTrackingHint = ({ path }: Mistake): Mistake => ({
  path: path.slice(0, -1),
  message: "a has-changed condition is read-only and cannot be sent back; remove it"
})
