// Values of records as an export holds them: judged entry by entry, since they were written by others, with the ids that they name. Keyed by
// the kinds of data, so that none is forgotten.
import { Result } from "effect"
import type { DataKind } from "../../../domain/records/fields/contract/FieldType.ts"
import { parseMoment } from "../../../domain/records/fields/input/moments.ts"
import { isId, isObject } from "../../../domain/records/fields/input/writeInput.ts"
import { typeOf } from "../../../domain/records/fields/registry.ts"
import type { Cell, Entry } from "../../../platform/primitives/Cell.ts"
import { sanitizeHtml } from "../../../platform/text/clean.ts"
import type { IdBook, IdKind } from "./IdBook.ts"

/** A field of the export: its id as it was. */
export interface ImportedField {
  readonly app_id: number
  readonly field_type: string
  /** Of a calculation, whose result decides what its entries are. */
  readonly settings?: unknown
}

/** Undefined: the entry is none of its kind. */
type Take = (entry: unknown, book: IdBook) => Entry | undefined

const id =
  (kind: IdKind): Take =>
  (entry, book) =>
    isId(entry) ? book.to(kind, entry) : undefined

const isText = (value: unknown): value is string => typeof value === "string"
const isTextOrNull = (value: unknown) => value === null || isText(value)
const isMoment = (value: unknown) => isText(value) && parseMoment(value) === value
const isMomentOrNull = (value: unknown) => value === null || isMoment(value)
const isBoolean = (value: unknown) => typeof value === "boolean"
const isNumber = (value: unknown) => typeof value === "number"
const isUrl = (value: unknown) => isText(value) && /^https?:\/\//i.test(value) && URL.canParse(value)

type Checks = Readonly<Record<string, (value: unknown) => boolean>>
/** An object of these members and no others. */
const members = (entry: unknown, needed: Checks, maybe: Checks = {}): Readonly<Record<string, any>> | undefined =>
  isObject(entry) &&
  Object.entries(needed).every(([key, is]) => is(entry[key])) &&
  Object.keys(entry).every((key) => key in needed || maybe[key]?.(entry[key]) === true)
    ? entry
    : undefined

const numbered = (entry: Readonly<Record<string, any>> | undefined, key: string, book: IdBook): Entry | undefined => {
  if (entry === undefined) return undefined
  // Before blocks are there every entry is met once.
  book.widen("entry", entry[key])
  return { ...entry, [key]: book.to("entry", entry[key]) } as unknown as Entry
}

const takeByKind: { readonly [K in DataKind]: Take } = {
  text: (entry) => (isText(entry) ? entry : undefined),
  number: (entry) => (typeof entry === "number" ? entry : undefined),
  options: id("option"),
  records: id("record"),
  users: id("user"),
  files: id("file"),
  dates: (entry) => members(entry, { start: isMoment }, { end: isMoment }) as Entry | undefined,
  contacts: (entry, book) => numbered(members(entry, { id: isId, value: isText, type: isText }), "id", book),
  links: (entry, book) =>
    numbered(members(entry, { embed_id: isId, url: isUrl }, { title: isText, description: isText }), "embed_id", book),
  location: (entry) =>
    members(
      entry,
      {
        ...{ value: isText, original_formatted_address: isTextOrNull, street_address: isTextOrNull },
        ...{ city: isTextOrNull, state: isTextOrNull, postal_code: isTextOrNull, country: isTextOrNull },
        map_in_sync: isBoolean
      },
      { latitude: isNumber, longitude: isNumber }
    ) as Entry | undefined,
  checklist: (entry, book) => {
    const checklistItem = members(entry, {
      ...{ id: isId, title: isText, description: isTextOrNull, due_at: isMomentOrNull, completed: isBoolean },
      ...{ completed_at: isMomentOrNull, assignee: (value: unknown) => value === null || isId(value) }
    })
    const { assignee = null } = checklistItem ?? {}
    return numbered(
      checklistItem && { ...checklistItem, assignee: assignee === null ? null : book.to("user", assignee) },
      "id",
      book
    )
  },
  result: (entry) => (entry === "true" || entry === "false" ? entry : undefined)
}

/** Imports the cell of one field. A field that is read from the record itself stores nothing. */
const importedCell = (field: ImportedField, cell: unknown, book: IdBook): Result.Result<Cell, string> => {
  const { html, kind } = typeOf(field)
  if (!Array.isArray(cell)) return Result.fail("is no list of entries")
  const entries: Array<Entry> = []
  for (const entry of cell) {
    const importedEntry = takeByKind[kind](entry, book)
    if (importedEntry === undefined) return Result.fail(`holds what is no entry of ${field.field_type}`)
    entries.push(html === true ? sanitizeHtml(importedEntry as string) : importedEntry)
  }
  return Result.succeed(entries)
}

/**
 * Maps cells to the new ids of their fields. Cells of a field that is gone are left out: nothing shows them any more.
 * @param of maps one field's value: its cell, or what changed in it
 */
const byField = <A>(
  cells: Readonly<Record<string, unknown>>,
  appId: number | null,
  fields: ReadonlyMap<number, ImportedField>,
  book: IdBook,
  of: (field: ImportedField, value: unknown) => Result.Result<A, string>
): Result.Result<Record<string, A>, string> => {
  const cellsByField: Record<string, A> = {}
  for (const [key, value] of Object.entries(cells)) {
    const field = fields.get(Number(key))
    if (field === undefined || (appId !== null && field.app_id !== appId) || typeOf(field).compute !== undefined)
      continue
    const result = of(field, value)
    if (Result.isFailure(result)) return Result.fail(`field ${key} ${result.failure}`)
    cellsByField[book.to("field", Number(key))] = result.success
  }
  return Result.succeed(cellsByField)
}

export const importedCells = (
  cells: Readonly<Record<string, unknown>>,
  appId: number,
  fields: ReadonlyMap<number, ImportedField>,
  book: IdBook
) => byField(cells, appId, fields, book, (field, cell) => importedCell(field, cell, book))

/** Changes of a revision (developer-api.md 4.5). */
export const importedDelta = (
  delta: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<number, ImportedField>,
  book: IdBook
) =>
  byField(delta, null, fields, book, (field, change) =>
    isObject(change)
      ? Result.all({ from: importedCell(field, change["from"], book), to: importedCell(field, change["to"], book) })
      : Result.fail("has no `from` and `to`")
  )
