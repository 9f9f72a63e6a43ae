// Groups of a grid's rows (developer-api.md 11.6): the values of a field that holds one out of few, each with the condition that lists its
// records, and a last group for all others. Plain functions without a page.
import type { Field, RecordFilter } from "../../../api/types.ts"
import { optionsOf } from "../filterWords.ts"

export interface Group {
  readonly key: string
  readonly label: string
  readonly filter: RecordFilter
}

const people: ReadonlySet<string> = new Set(["single_user", "created_by", "last_modified_by"])
const choices: ReadonlySet<string> = new Set(["status", "single_category"])

export const holdsPeople = ({ field_type }: Field): boolean => people.has(field_type)

const isYesOrNo = ({ config, field_type }: Field) =>
  field_type === "calculation" && (config.settings as { readonly result?: string }).result === "boolean"

/** The API takes it for `group_by`. */
export const isGroupable = (field: Field): boolean =>
  choices.has(field.field_type) || holdsPeople(field) || isYesOrNo(field)

/** Ids that one condition takes. */
const MOST_VALUES = 500

/** @param users people of the organization, for a field that holds them */
export const groupsOf = (
  field: Field,
  users: ReadonlyArray<{ readonly user_id: number; readonly name: string }>
): ReadonlyArray<Group> => {
  const condition = (match_type: string, values?: ReadonlyArray<unknown>) =>
    ({
      field_id: field.field_id,
      type: field.type,
      match_type,
      ...(values === undefined ? {} : { values: values.map((value) => ({ value })) })
    }) as RecordFilter
  const choicesOfField = holdsPeople(field)
    ? users.slice(0, MOST_VALUES).map(({ name, user_id }) => ({ value: user_id, label: name }))
    : isYesOrNo(field)
      ? ["true", "false"].map((value) => ({ value, label: value === "true" ? "Yes" : "No" }))
      : optionsOf(field).map(({ id, text }) => ({ value: id, label: text }))
  const groups = choicesOfField.map(({ label, value }) => ({
    key: String(value),
    label,
    filter: condition("equal", [value])
  }))
  // Values outside of the list are people who have left, or automations.
  const otherKeys =
    holdsPeople(field) && choicesOfField.length > 0
      ? {
          key: "others",
          label: "Nobody, or somebody else",
          filter: condition(
            "none",
            choicesOfField.map(({ value }) => value)
          )
        }
      : { key: "empty", label: `No ${field.label}`, filter: condition("empty") }
  return [...groups, otherKeys]
}

/** A group as it stands in the grid. */
export interface GroupSpan {
  readonly group: Group
  /** Number of its records; undefined until they are asked for. */
  readonly total: number | undefined
  readonly isOpen: boolean
  /** Position of its head among the lines of the grid. */
  readonly line: number
  /** Position of its first record among the rows that are shown. */
  readonly first: number
  /** Records that are shown. */
  readonly count: number
}

/** Lays out groups one after another; groups without a record are left out. */
export const spansOf = (
  groups: ReadonlyArray<{ readonly group: Group; readonly total: number | undefined; readonly isOpen: boolean }>
): ReadonlyArray<GroupSpan> => {
  let nextLine = 0
  let nextRow = 0
  return groups
    .filter(({ total }) => total !== 0)
    .map((one) => {
      const count = one.isOpen ? (one.total ?? 0) : 0
      const span = { ...one, line: nextLine, first: nextRow, count }
      nextLine += count + 1
      nextRow += count
      return span
    })
}

/** The last span for which the position, which grows from span to span, is not beyond. */
const lastUpTo = (spans: ReadonlyArray<GroupSpan>, at: number, position: (span: GroupSpan) => number) => {
  let [low, high] = [0, spans.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (position(spans[middle]!) <= at) low = middle
    else high = middle - 1
  }
  return spans[low]
}

/** Content of a line of the grid: the head of a group, or a row. */
export const lineAt = (spans: ReadonlyArray<GroupSpan>, line: number): GroupSpan | number => {
  const span = lastUpTo(spans, line, (one) => one.line)
  return span === undefined ? line : span.line === line ? span : span.first + line - span.line - 1
}

const lastRowOf = ({ count, first }: GroupSpan) => first + count - 1

/** The group of a row. */
export const spanOfRow = (spans: ReadonlyArray<GroupSpan>, row: number): GroupSpan | undefined => {
  const filled = spans.filter(({ count }) => count > 0)
  const span = lastUpTo(filled, row, (one) => one.first)
  return span !== undefined && row >= span.first && row <= lastRowOf(span) ? span : undefined
}

export const lineOfRow = (spans: ReadonlyArray<GroupSpan>, row: number): number => {
  const span = spanOfRow(spans, row)
  return span === undefined ? row : span.line + 1 + row - span.first
}
