// Values as a CSV file holds them: what a text in it means for a field, and how a cell reads in one. Days and times are written as ISO
// writes them, several values with a semicolon between.
import type { App, Cell, Field } from "../../../api/types.ts"
import { htmlOf, plainText } from "../../../ui/plainText.ts"

/** What a text becomes, or why it is none of the field's. */
type Read = { readonly input: unknown } | { readonly refused: string; readonly related?: boolean }
/** The record that a text names, or why it names none. */
export type RelatedRead = { readonly record_id: number } | { readonly refused: string }

export interface ReadContext {
  /** By name and by mail address, in small letters. */
  readonly people: ReadonlyMap<string, number>
  /** What `3/4/2026` means. */
  readonly slashes: "month first" | "day first"
  readonly related: (field: Field, text: string) => RelatedRead
}
type Reader = (text: string, field: Field, context: ReadContext) => Read

const taken = (input: unknown): Read => ({ input })
const refused = (why: string): Read => ({ refused: why })
const parts = (text: string) =>
  text
    .split(/[;\n]/)
    .map((one) => one.trim())
    .filter((one) => one !== "")

const optionsOf = ({ config: { settings } }: Field) =>
  "options" in settings ? (settings.options as ReadonlyArray<{ readonly id: number; readonly text: string }>) : []
const optionId = (text: string, field: Field) =>
  optionsOf(field).find((one) => one.text.toLowerCase() === text.toLowerCase())?.id

const each = (text: string, idOf: (one: string) => number | undefined, what: string): Read => {
  const ids = parts(text).map((one) => [one, idOf(one)] as const)
  const stray = ids.find(([, id]) => id === undefined)
  return stray === undefined ? taken(ids.map(([, id]) => id)) : refused(`“${stray[0]}” is no ${what}`)
}
const one = (id: number | undefined, text: string, what: string): Read =>
  id === undefined ? refused(`“${text}” is no ${what}`) : taken(id)

const two = (part: number | string) => String(part).padStart(2, "0")

/** A day, with a time where there is one: `2026-04-01`, `1.4.2026`, `4/1/2026`, `Jun 12 1998`. */
const momentOf = (text: string, { slashes }: ReadContext): string | undefined => {
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d\d))?/.exec(text)
  if (iso !== null) {
    const [, year, month, day, hour, minute] = iso
    return `${year}-${two(month!)}-${two(day!)}${hour === undefined ? "" : ` ${two(hour)}:${minute}`}`
  }
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  if (dotted !== null) return `${dotted[3]}-${two(dotted[2]!)}-${two(dotted[1]!)}`
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  if (slashed !== null) {
    const [month, day] = slashes === "month first" ? [slashed[1]!, slashed[2]!] : [slashed[2]!, slashed[1]!]
    return `${slashed[3]}-${two(month)}-${two(day)}`
  }
  const at = new Date(text)
  return Number.isNaN(at.getTime()) || !/[a-z]/i.test(text)
    ? undefined
    : `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
const timed = ({ config }: Field) => (config.settings as { readonly time?: string }).time !== "disabled"
const dateOf: Reader = (text, field, context) => {
  const moment = momentOf(text, context)
  return moment === undefined ? refused(`“${text}” is no date`) : taken(timed(field) ? moment : moment.slice(0, 10))
}

const asItIs: Reader = (text) => (text.length > 500 ? refused("it is longer than 500 characters") : taken(text))
const list: Reader = (text) => taken(parts(text))
const option: Reader = (text, field) => one(optionId(text, field), text, "option")
const person: Reader = (text, _, { people }) => one(people.get(text.toLowerCase()), text, "person of the organization")

const plainOf = (text: string) => text.trim().replace(/^'(?=[=+\-@])/, "")
/** The texts that name records: of one alone the whole, since a title may have a semicolon. */
export const partsOf = (text: string, { field_type }: Field) =>
  field_type === "multi_relation" ? parts(plainOf(text)) : [plainOf(text)].filter((one) => one !== "")
const records: Reader = (text, field, { related }) => {
  const found = partsOf(text, field).map((one) => related(field, one))
  const stray = found.find((one) => "refused" in one)
  if (stray !== undefined && "refused" in stray) return { ...stray, related: true }
  const ids = [...new Set(found.flatMap((one) => ("record_id" in one ? [one.record_id] : [])))]
  return taken(field.field_type === "multi_relation" ? ids : ids[0])
}

/** Fields without a reader take nothing from a file: files, and what is computed. */
const readers: Partial<Record<Field["field_type"], Reader>> = {
  single_text: asItIs,
  multi_text: (text) => taken(htmlOf(text)),
  number: (text) => {
    const plain = text.replace(/[\s_']/g, "")
    return /^-?\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,3})?$/i.test(plain) ? taken(plain) : refused(`“${text}” is no number`)
  },
  single_category: option,
  status: option,
  multi_category: (text, field) => each(text, (name) => optionId(name, field), "option"),
  single_date: dateOf,
  range_date: (text, field, context) => {
    const [start = "", end, more] = text.split(" - ").map((side) => momentOf(side.trim(), context))
    const cut = (moment: string) => (timed(field) ? moment : moment.slice(0, 10))
    if (start === "" || more !== undefined) return refused(`“${text}” is no period`)
    return taken(end === undefined ? { start: cut(start) } : { start: cut(start), end: cut(end) })
  },
  single_user: person,
  multi_user: (text, _, { people }) =>
    each(text, (name) => people.get(name.toLowerCase()), "person of the organization"),
  checklist: list,
  multi_email: list,
  multi_phone: list,
  multi_link: list,
  single_location: asItIs,
  single_relation: records,
  multi_relation: records
}

export const importable = ({ fields }: App) => fields.filter(({ field_type }) => readers[field_type] !== undefined)

/** An empty text leaves the field empty. */
export const readText = (text: string, field: Field, context: ReadContext): Read | undefined => {
  const plain = plainOf(text)
  return plain === "" ? undefined : readers[field.field_type]!(plain, field, context)
}

const shown = (value: any): string => value?.text ?? value?.title ?? value?.name ?? value?.filename ?? String(value)
const moment = (date: string | null, time: string | null) =>
  date === null ? "" : time === null ? date : `${date} ${time.slice(0, 5)}`

/** An entry of a cell as a text in the file. */
const entryText = (entry: any): string => {
  if ("start_date_utc" in entry) {
    const start = moment(entry.start_date_utc, entry.start_time_utc)
    return entry.end_date_utc == null ? start : `${start} - ${moment(entry.end_date_utc, entry.end_time_utc)}`
  }
  return shown(entry.value ?? entry.url ?? entry.title)
}

export const cellText = (cell: Cell | undefined): string => {
  if (cell === undefined) return ""
  const values = cell.values as ReadonlyArray<any>
  return cell.field_type === "multi_text" ? plainText(values[0]?.value ?? "") : values.map(entryText).join("; ")
}
