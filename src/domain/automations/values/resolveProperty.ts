// Resolves a property of a value, in the form that code gets and in that of templates: the table "Resolution" of developer-api.md 7.4. Pure.
import type {
  Cell,
  ChecklistEntry,
  ContactEntry,
  DateEntry,
  Entry,
  LinkEntry,
  LocationEntry
} from "../../../platform/primitives/Cell.ts"
import { momentOfInstant } from "../../../platform/primitives/dates.ts"
import { numberText } from "../../../platform/primitives/decimals.ts"
import { localMoment, wallOf } from "../../../platform/primitives/zones.ts"
import type { DataKind } from "../../records/fields/contract/FieldType.ts"
import { palette } from "../../records/fields/input/optionColors.ts"
import { dateTitle } from "../../records/fields/kinds/dateFields.ts"
import { type AnyOption, optionById } from "../../records/fields/kinds/optionFields.ts"
import type { Field, Found } from "../../records/fields/model/Field.ts"
import { typeOf } from "../../records/fields/registry.ts"
import { recordUrl } from "../../records/model/recordUrl.ts"
import type { Property } from "../schema/dynamicValues.ts"
import { type Data, foundWith } from "./resolveData.ts"

export interface ShowContext {
  readonly found: Found
  /** IANA zone of the automation. */
  readonly zone: string
  readonly baseUrl: string
}

/** Entry in both forms. */
interface Item {
  readonly code: unknown
  readonly text: string
}
const same = (value: unknown): Item => ({ code: value ?? null, text: textOf(value) })

const textOf = (value: unknown): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null)
        ? value.map(textOf).join(", ")
        : JSON.stringify(value)
      : typeof value === "number"
        ? numberText(value)
        : String(value)

const part = (moment: string, which: string): string | null =>
  which === "date" ? moment.slice(0, 10) : which === "time" ? (moment.length > 10 ? moment.slice(11) : null) : moment

/** The global `current_date` displays only its day. */
const todayItem = ({ start }: DateEntry, property: Property | undefined, zone: string): Item => {
  const local = localMoment(start, zone).slice(0, 10)
  if (property === "formatted") return same(dateTitle([{ start: local }]))
  return property === undefined ? { code: start.slice(0, 10), text: local } : dateItem({ start }, property, zone)
}

const dateItem = ({ end, start }: DateEntry, property: Property | undefined, zone: string): Item => {
  if (property === "formatted") {
    const local = { start: localMoment(start, zone), ...(end === undefined ? {} : { end: localMoment(end, zone) }) }
    return same(dateTitle([local]))
  }
  const [side = "start", ...rest] = (property ?? "start").split("_")
  const moment = side === "end" ? end : start
  if (moment === undefined) return same(null)
  const which = rest[0] === "date" || rest[0] === "time" ? rest[0] : "full"
  const utc = part(moment, which)
  const local = part(localMoment(moment, zone), which)
  if (rest.includes("utc")) return same(utc)
  return property === undefined ? { code: utc, text: local ?? "" } : same(local)
}

const optionItem = (option: AnyOption, property: Property | undefined): Item => {
  switch (property) {
    case "id":
      return same(option.id)
    case "color":
      return same(palette[option.color])
    case "completed":
      return same(option.means_completed ?? null)
    default:
      return same(option.text)
  }
}

const userItem = (id: number, property: Property | undefined, found: Found): Item => {
  const user = found.users.get(id)
  const name = user?.name ?? found.automations.get(-id)?.name ?? ""
  const userId = id > 0 ? id : null
  switch (property) {
    case "user_id":
    case "id":
      return same(userId)
    case "name":
      return same(name)
    case "email":
      return same(user?.mail[0] ?? null)
    default:
      return { code: userId, text: name }
  }
}

const checklistItem = (entry: ChecklistEntry, property: Property | undefined, { found, zone }: ShowContext): Item => {
  const assignee = entry.assignee === null ? null : (found.users.get(entry.assignee) ?? null)
  switch (property) {
    case "completed":
      return same(entry.completed)
    case "due_at":
      return { code: entry.due_at, text: entry.due_at === null ? "" : localMoment(entry.due_at, zone) }
    case "assign_user_formatted":
      return same(assignee?.name ?? null)
    case "title":
      return same(entry.title)
    default: {
      const { completed, completed_at, description, due_at, id, title } = entry
      return {
        code: { id, title, description, due_at, completed, completed_at, assignee: entry.assignee },
        text: title
      }
    }
  }
}

interface ShownKind {
  readonly item: (entry: Entry, field: Field, property: Property | undefined, context: ShowContext) => Item
  /** Form in code: always a list of all, or the first one unless `all` are requested; else one or a list, as the type allows. */
  readonly inCode?: "all" | "first"
  /** Separator in templates; a comma by default. */
  readonly separator?: string
}

const plainKind: ShownKind = {
  item: (entry, field, property, { found }) =>
    property === "formatted" ? same(typeOf(field).title?.([entry], field, found) ?? String(entry)) : same(entry)
}

/** A number in a text is formatted as its field displays it (decisions A30). */
const numberKind: ShownKind = {
  item: (entry, field, property, { found }) => {
    const { formatted, text, title } = typeOf(field)
    if (property === "formatted") return same(formatted?.(entry, field) ?? title?.([entry], field, found))
    return { code: entry, text: text(entry, field, found) }
  }
}

/** Rows of the table. */
const kinds: { readonly [K in DataKind]: ShownKind } = {
  text: plainKind,
  number: numberKind,
  result: { item: (entry) => ({ code: entry === "true", text: String(entry) }) },
  options: {
    item: (entry, field, property) => {
      const option = optionById(field, entry)
      return option === undefined ? same(null) : optionItem(option, property)
    }
  },
  dates: { item: (entry, _, property, { zone }) => dateItem(entry as DateEntry, property, zone) },
  records: {
    item: (entry, _, property, { baseUrl, found }) => {
      const title = found.records.get(entry as number)?.title ?? ""
      if (property === "title") return same(title)
      if (property === "record_url") return same(recordUrl(baseUrl, entry as number))
      if (property === "record_id" || property === "id") return same(entry)
      return { code: entry, text: title }
    }
  },
  users: { item: (entry, _, property, { found }) => userItem(entry as number, property, found) },
  checklist: {
    item: (entry, _, property, context) => checklistItem(entry as ChecklistEntry, property, context),
    inCode: "all",
    separator: "\n"
  },
  contacts: { item: (entry) => same((entry as ContactEntry).value), inCode: "first" },
  links: { item: (entry) => same((entry as LinkEntry).url), inCode: "first" },
  location: {
    item: (entry, _, property) => {
      const location = entry as LocationEntry & Record<string, unknown>
      return property === undefined || property === "all" ? same(location.value) : same(location[property] ?? null)
    },
    inCode: "first"
  },
  files: {
    item: (entry, _, property, { found }) => {
      const file = found.files.get(entry as number)
      if (property === "download_url") return same(file?.download_url ?? null)
      if (property === "filename") return same(file?.filename ?? null)
      return { code: file ?? null, text: file?.filename ?? "" }
    },
    inCode: "all"
  }
}
export const inCodeOf = (kind: DataKind) => kinds[kind].inCode

/** Returns the entries that a reader would see: trashed and deleted ones are left out (4.3 rule 6). */
export const visible = (cell: Cell, field: Field, found: Found): Cell => {
  const type = typeOf(field)
  return type.unlisted === true ? cell : cell.filter((entry) => type.render(entry, field, found) !== null)
}

const itemsOf = (data: Extract<Data, { type: "cells" }>, property: Property | undefined, context: ShowContext) => {
  const cellContext = { ...context, found: foundWith(data, context.found) }
  const { item } = kinds[typeOf(data.field).kind]
  return data.cells.flatMap((cell) =>
    visible(cell, data.field, cellContext.found).map((entry) =>
      data.today === true
        ? todayItem(entry as DateEntry, property, context.zone)
        : item(entry, data.field, property, cellContext)
    )
  )
}

/** Returns the non-empty values of the cells, for iterating, assigning or joining. */
export const entriesOf = (data: Data, property: Property | undefined, context: ShowContext): unknown =>
  data.type === "cells" && data.list
    ? itemsOf(data, property, context).map(({ code }) => code)
    : codeOf(data, property, context)

/** Returns the default code value, or that of a property. A column has one for each record, `null` for an empty cell. */
export const codeOf = (data: Data, property: Property | undefined, context: ShowContext): unknown => {
  switch (data.type) {
    case "cells": {
      const { kind, multiple } = typeOf(data.field)
      const { inCode } = kinds[kind]
      if (data.list) return data.cells.map((cell) => codeOf({ ...data, cells: [cell], list: false }, property, context))
      const codes = itemsOf(data, property, context).map(({ code }) => code)
      if (codes.length === 0) return null
      if (inCode === "all") return codes
      if (inCode === "first") return property === "all" ? codes : codes[0]
      return multiple ? codes : codes[0]
    }
    case "json":
      return propertyOf(data.value, property)
    case "html":
      return data.html
    case "time":
      return momentOfInstant(data.at).slice(11)
    case "named":
      return data.value
  }
}

const propertyOf = (value: unknown, property: Property | undefined): unknown => {
  if (property === undefined || typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.hasOwn(value, property) ? (value as Record<string, unknown>)[property] : value
}

export interface ShownText {
  readonly text: string
  /** True for ready-made HTML, which is not escaped in HTML templates. */
  readonly html: boolean
}

/** Returns the default text, or that of a property. */
export const templateOf = (data: Data, property: Property | undefined, context: ShowContext): ShownText => {
  const plainText = (text: string): ShownText => ({ text, html: false })
  switch (data.type) {
    case "cells": {
      const texts = itemsOf(data, property, context).map(({ text }) => text)
      const { html = false, kind } = typeOf(data.field)
      const text = texts.filter((one) => one !== "").join(kinds[kind].separator ?? ", ")
      return { text, html }
    }
    case "json":
      return plainText(textOf(propertyOf(data.value, property)))
    case "html":
      return { text: data.html, html: true }
    case "time":
      return plainText(wallOf(data.at, context.zone).time)
    case "named":
      return plainText(data.text)
  }
}
