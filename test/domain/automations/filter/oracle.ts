// A second formulation of developer-api.md 3.4 and decisions A8 to A11, written apart from the evaluator: day by day on local
// calendars, word by word on texts, set by set on ids.
import { fromZonedTime } from "date-fns-tz"
import type { FieldTypeTag, GeneratedOperand, Operator } from "./generate.ts"

const sets = {
  text: "is is_not contains does_not_contain starts_with ends_with is_empty is_not_empty",
  number: "is is_not greater_than greater_or_equal_than less_than less_or_equal_than is_empty is_not_empty",
  one: "is is_not is_any_of is_none_of is_empty is_not_empty",
  status: "is is_not is_any_of is_none_of is_empty is_not_empty is_completed is_incomplete",
  many: "has_any_of has_all_of has_none_of is_exactly is_empty is_not_empty",
  date: "is is_not is_before is_after is_empty is_not_empty",
  list: "is contains does_not_contain starts_with ends_with is_empty is_not_empty",
  link: "contains does_not_contain starts_with ends_with is_empty is_not_empty",
  location: "contains does_not_contain is_empty is_not_empty",
  checklist: "contains does_not_contain is_completed is_incomplete is_empty is_not_empty"
}
const family: Record<FieldTypeTag, keyof typeof sets> = {
  single_text: "text",
  multi_text: "text",
  number: "number",
  single_category: "one",
  multi_category: "many",
  status: "status",
  single_date: "date",
  range_date: "date",
  single_relation: "one",
  multi_relation: "many",
  single_user: "one",
  multi_user: "many",
  checklist: "checklist",
  multi_email: "list",
  multi_phone: "list",
  multi_link: "link",
  single_location: "location",
  single_attachment: "text",
  multi_attachment: "text",
  multi_image: "text",
  unique_id: "number",
  calculation: "text",
  created_at: "date",
  last_modified_at: "date",
  created_by: "one",
  last_modified_by: "one"
}

const words = (text: string) =>
  text
    .split(/\s/)
    .filter((word) => word.length > 0)
    .join(" ")
const stripped = (html: string) => words(html.replace(/<[^>]+>/g, "\n").replace(/&amp;/g, "&"))

/** The texts that people would read in the cell. */
const readable = (type: FieldTypeTag, cell: ReadonlyArray<any>, fileName: (id: number) => string | undefined) => {
  switch (type) {
    case "multi_text":
      return cell.map(stripped)
    case "checklist":
      return cell.map((entry) => words(entry.title))
    case "multi_link":
      return cell.map((entry) => words(entry.url))
    case "multi_email":
    case "multi_phone":
    case "single_location":
      return cell.map((entry) => words(entry.value))
    case "single_attachment":
    case "multi_attachment":
    case "multi_image":
      return cell.flatMap((id) => fileName(id) ?? []).map(words)
    default:
      return cell.map((entry) => words(String(entry)))
  }
}

const clock = (moment: string) => Date.parse(`${moment.replace(" ", "T")}Z`)
const calendars = new Map<string, Intl.DateTimeFormat>()
/** The date that a calendar on the wall of the zone shows. */
const localDay = (millis: number, zone: string) => {
  const calendar = calendars.get(zone) ?? new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" })
  calendars.set(zone, calendar)
  return calendar.format(millis)
}
const timed = (moment: string) => moment.includes(":")

const onDates = (
  entry: { start: string; end?: string },
  operator: Operator,
  base: string,
  unit: string,
  zone: string
) => {
  const start = entry.start
  const end = entry.end ?? start
  if (unit === "hour") {
    const millisOf = (moment: string) =>
      timed(moment) ? clock(moment) : fromZonedTime(`${moment}T00:00:00`, zone).getTime()
    const baseMillis = millisOf(base)
    const isWithin =
      entry.end === undefined
        ? millisOf(start) === baseMillis
        : timed(start)
          ? millisOf(start) <= baseMillis && baseMillis <= millisOf(end)
          : start <= localDay(baseMillis, zone) && localDay(baseMillis, zone) <= end
    if (operator === "is") return isWithin
    if (operator === "is_not") return !isWithin
    return operator === "is_before" ? millisOf(start) < baseMillis : millisOf(start) > baseMillis
  }
  const dayOf = (moment: string) => (timed(moment) ? localDay(clock(moment), zone) : moment)
  const baseDay = dayOf(base)
  const overlaps = dayOf(start) <= baseDay && baseDay <= dayOf(end)
  if (operator === "is") return overlaps
  if (operator === "is_not") return !overlaps
  return operator === "is_before" ? dayOf(start) < baseDay : dayOf(start) > baseDay
}

export interface Facts {
  readonly fileName: (id: number) => string | undefined
  readonly isLive: (recordId: number) => boolean
  readonly completedOptions: ReadonlySet<number>
  readonly zone: string
}

export const oracle = (
  type: FieldTypeTag,
  raw: ReadonlyArray<any>,
  operator: Operator,
  operand: GeneratedOperand | null,
  { completedOptions, fileName, isLive, zone }: Facts
): boolean | undefined => {
  const kind = family[type]
  if (!sets[kind].split(" ").includes(operator)) return false
  const cell = type.endsWith("relation") ? raw.filter(isLive) : raw
  const texts = ["text", "list", "link", "location", "checklist"].includes(kind) ? readable(type, cell, fileName) : []
  // Coordinates alone make a location; files that are gone make nothing.
  const empty =
    kind === "location" || kind === "checklist"
      ? cell.length === 0
      : texts.length > 0
        ? texts.join("") === ""
        : kind === "text" || cell.length === 0
  switch (operator) {
    case "is_empty":
      return empty
    case "is_not_empty":
      return !empty
    case "is_completed":
    case "is_incomplete": {
      if (empty) return false
      const isOpen =
        kind === "checklist" ? cell.some((entry) => entry.completed === false) : !completedOptions.has(cell[0])
      return operator === "is_completed" ? !isOpen : isOpen
    }
  }
  if (operand === null) return undefined
  if (empty) return ["is_not", "does_not_contain", "has_none_of", "is_none_of"].includes(operator)
  if (operand.type === "number") {
    const [held] = cell
    const order = held === operand.number ? 0 : held > operand.number ? 1 : -1
    const accepted: Record<string, ReadonlyArray<number>> = {
      is: [0],
      is_not: [1, -1],
      greater_than: [1],
      greater_or_equal_than: [0, 1],
      less_than: [-1],
      less_or_equal_than: [0, -1]
    }
    return accepted[operator]!.includes(order)
  }
  if (operand.type === "ids") {
    const cellIds = new Set<number>(cell)
    const operandIds = new Set(operand.ids)
    const common = [...cellIds].filter((id) => operandIds.has(id)).length
    if (operator === "has_all_of") return common === operandIds.size
    if (operator === "is_exactly") return common === operandIds.size && common === cellIds.size
    return ["is", "is_any_of", "has_any_of"].includes(operator) ? common > 0 : common === 0
  }
  if (operand.type === "date") return onDates(cell[0], operator, operand.date.base, operand.date.unit, zone)
  if (operand.type !== "text") return undefined
  const searchWords = words(operand.text)
  const exact = type === "single_text" || type === "multi_text"
  // Not by the table: case as the runtime has it, accents as marks that are taken away (A25).
  const uncased = (text: string) =>
    [...text].map((one) => (one === "İ" ? "i" : one.toUpperCase().toLowerCase().replaceAll("ς", "σ"))).join("")
  const low = (text: string) =>
    uncased(text)
      .normalize("NFD")
      .replaceAll(/[\u0300-\u036f]/g, "")
      .normalize("NFC")
  const same = (text: string) => (exact ? text === searchWords : uncased(text) === uncased(searchWords))
  switch (operator) {
    case "is":
      return texts.some(same)
    case "is_not":
      return texts.every((text) => !same(text))
    case "contains":
      return texts.some((text) => low(text).indexOf(low(searchWords)) >= 0)
    case "does_not_contain":
      return texts.every((text) => low(text).indexOf(low(searchWords)) < 0)
    case "starts_with":
      return texts.some((text) => low(text).slice(0, low(searchWords).length) === low(searchWords))
    default:
      return texts.some(
        (text) =>
          low(text).length >= low(searchWords).length &&
          low(text).slice(low(text).length - low(searchWords).length) === low(searchWords)
      )
  }
}
