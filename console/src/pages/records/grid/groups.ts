// Groups of a grid's rows (developer-api.md 11.6), as the API lists them, and where their heads and rows stand. Plain functions without a page.
import type { Field, RecordFilter, RecordGroup } from "../../../api/types.ts"
import { groups as texts } from "../../../texts/records/gridWords.ts"
import { numberText } from "../../../ui/numberText.ts"
import type { GroupUnit } from "./look.ts"

export interface Group {
  readonly key: string
  readonly label: string
  readonly filter: RecordFilter
  /** Number of its records as the groups were listed; undefined of the line that lists more groups. */
  readonly count: number | undefined
  /** Values of the field in a record of the group; of dates the first day. */
  readonly values: ReadonlyArray<unknown>
}

/** Types that the API does not group by: no condition tells one value of theirs from another. */
const ungrouped: ReadonlySet<Field["field_type"]> = new Set<Field["field_type"]>([
  ...(["multi_text", "checklist", "multi_email", "multi_phone", "multi_link", "single_location"] as const),
  ...(["single_attachment", "multi_attachment", "multi_image"] as const)
])
export const isGroupable = ({ field_type }: Field): boolean => !ungrouped.has(field_type)

const dated: ReadonlySet<Field["field_type"]> = new Set<Field["field_type"]>([
  ...(["single_date", "range_date", "created_at", "last_modified_at"] as const)
])
const resultOf = ({ config, field_type }: Field) =>
  field_type === "calculation" ? (config.settings as { readonly result?: string }).result : undefined

/** Groups of the field are days, months or years. */
export const isDated = (field: Field): boolean => dated.has(field.field_type) || resultOf(field) === "date"

const formats = {
  day: new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" }),
  year: new Intl.DateTimeFormat(undefined, { year: "numeric", timeZone: "UTC" })
}

/** A text that is no date stays as it is: one odd group keeps no grid from its others. */
const dayLabel = (unit: GroupUnit, text: string): string => {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? text : formats[unit].format(date)
}

const labelOf = (field: Field, unit: GroupUnit, { filter, text, values }: RecordGroup): string => {
  if (filter.match_type === "empty") return texts.noLabel(field.label)
  if (isDated(field)) return dayLabel(unit, text)
  if (resultOf(field) === "boolean") return text === "true" ? texts.yes : texts.no
  if (field.field_type === "number" || resultOf(field) === "number")
    return numberText((values[0] as { readonly value: number }).value, field)
  return text === "" ? texts.deletedLabel(field.label) : text
}

export const asGroup = (field: Field, unit: GroupUnit, group: RecordGroup): Group => ({
  key: JSON.stringify(group.filter),
  label: labelOf(field, unit, group),
  filter: group.filter,
  count: group.count,
  values: group.values
})

const MORE = "more"
/** The line behind the groups that are listed. @param left number of groups that are not */
export const moreGroups = (left: number): Group => ({
  ...{ key: MORE, label: texts.showMoreGroupsLeft(left.toLocaleString()) },
  ...{ filter: { type: "", match_type: "" } as unknown as RecordFilter, count: undefined, values: [] }
})
export const isMore = ({ key }: Group): boolean => key === MORE

/** Fields whose value a new record takes from its group: others are calculated, or their group covers several values. */
const preset: ReadonlySet<Field["field_type"]> = new Set<Field["field_type"]>([
  ...(["single_text", "number", "status", "single_category", "multi_category"] as const),
  ...(["single_user", "multi_user", "single_relation", "multi_relation"] as const)
])
/** True where a new record can begin in the group. */
export const takesRecords = (field: Field, group: Group): boolean =>
  !isMore(group) && preset.has(field.field_type) && (group.values.length > 0 || !field.config.required)

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
