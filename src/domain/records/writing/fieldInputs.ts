// Write rules of developer-api.md 4.3: parses inputs to cells, and compares cells. Pure.
import { isDeepStrictEqual } from "node:util"
import { Result } from "effect"
import type { Cell, Cells } from "../../../platform/primitives/Cell.ts"
import { formatDate } from "../../../platform/primitives/dates.ts"
import { nearestHint } from "../../../platform/text/nearest.ts"
import { calculate, type RelatedRecords } from "../calculations/calculate.ts"
import { isObject } from "../fields/input/writeInput.ts"
import {
  type Field,
  type FileView,
  type Found,
  type Mentions,
  mentionsNothing,
  noMentions,
  type ParseContext,
  type Problem,
  type RecordFacts
} from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import { type AppDefinition, cellOf, fieldByKey } from "../model/AppDefinition.ts"

/** `{ <external_id or field id>: input }`, as sent. */
export type FieldInputs = Readonly<Record<string, unknown>>
/** New entries that a write sets, by field. */
export type SetCells = ReadonlyMap<Field, Cell>
/** Changes of a revision, by field id. */
export type Delta = Readonly<Record<string, { readonly from: Cell; readonly to: Cell }>>

/** Upper bound of the new entries with ids that the inputs create. */
export const entryIdsNeeded = (definition: AppDefinition, inputs: FieldInputs): number => {
  let count = 0
  for (const [key, input] of Object.entries(inputs)) {
    const field = fieldByKey(definition, key)
    if (field !== undefined && typeOf(field).entryIds) count += Array.isArray(input) ? input.length : 1
  }
  return count
}

/** Applies rules 1 and 2. A problem begins with its place. */
export const parseFields = (
  definition: AppDefinition,
  inputs: unknown,
  previous: Cells,
  context: Omit<ParseContext, "previous">
): Result.Result<SetCells, Problem> => {
  if (!isObject(inputs)) return Result.fail("fields: must be an object")
  const settings = new Map<Field, Cell>()
  for (const [key, input] of Object.entries(inputs)) {
    const field = fieldByKey(definition, key)
    if (field === undefined)
      return Result.fail(`fields.${key}: the app has no such field${nearestHint(key, [...definition.bySlug.keys()])}`)
    if (settings.has(field)) return Result.fail(`fields.${key}: the field is named twice`)
    const type = typeOf(field)
    if (!type.assignable) return Result.fail(`fields.${key}: is a computed field and cannot be written`)
    const cellResult =
      input === null || input === undefined
        ? Result.succeed<Cell>([])
        : type.parse(input, field, { ...context, previous: previous[field.field_id] ?? [] })
    if (Result.isFailure(cellResult)) return Result.fail(`fields.${key}: ${cellResult.failure}`)
    if (field.required && cellResult.success.length === 0) return Result.fail(`fields.${key}: is required`)
    settings.set(field, cellResult.success)
  }
  return Result.succeed(settings)
}

/** A new record has every required field. */
export const missingRequired = (definition: AppDefinition, settings: SetCells): Problem | null => {
  const missing = definition.fields.find((field) => field.required && typeOf(field).assignable && !settings.has(field))
  return missing === undefined ? null : `fields.${missing.slug}: is required`
}

export const mentionSetCells = (settings: SetCells, into: Mentions) => {
  for (const [field, cell] of settings) typeOf(field).mention?.(cell, into)
}

/** True if the inputs name a field that is unique or may mention something: its entries may need lookups. */
export const mayNeedLookups = (definition: AppDefinition, inputs: FieldInputs): boolean =>
  isObject(inputs) &&
  Object.keys(inputs).some((key) => {
    const field = fieldByKey(definition, key)
    return field !== undefined && (field.unique || typeOf(field).mention !== undefined)
  })

/** True if the entries need no lookup: they mention nothing, and no other record must be without them. */
export const isPlain = (settings: SetCells): boolean => {
  const mentions = noMentions()
  mentionSetCells(settings, mentions)
  return mentionsNothing(mentions) && [...settings.keys()].every(({ unique }) => !unique)
}

/** Rule 3, once everything mentioned is looked up. */
export const checkSetCells = (settings: SetCells, found: Found): Problem | null => {
  for (const [field, cell] of settings) {
    const problem = typeOf(field).check?.(cell, field, found) ?? null
    if (problem !== null) return `fields.${field.slug}: ${problem}`
  }
  return null
}

/** Temporary file ids become the ids of the attached files. */
export const withAttached = (settings: SetCells, attached: ReadonlyMap<string, number>): SetCells =>
  attached.size === 0
    ? settings
    : new Map(
        [...settings].map(([field, cell]) => [
          field,
          typeOf(field).refersTo === "files"
            ? [...new Set(cell.map((entry) => attached.get(entry as string) ?? entry))]
            : cell
        ])
      )

/** Adds uploads to the lookup as the files that they have become: titles contain their names. The API never shows these. */
export const foundAttached = (found: Found, attached: ReadonlyMap<string, number>): Found =>
  attached.size === 0
    ? found
    : {
        ...found,
        files: new Map([
          ...found.files,
          ...[...found.temporary].map(([temporary, upload]): [number, FileView] => {
            const id = attached.get(temporary)!
            return [id, { ...upload, id, size: 0, download_url: "" }]
          })
        ])
      }

export interface CellsChange {
  readonly cells: Cells
  readonly delta: Delta
}

/** Cells after the write and their differences; `null` if there are none (rule 4). */
export const applySetCells = (previous: Cells, settings: SetCells): CellsChange | null => {
  const cells: Record<string, Cell> = { ...previous }
  const delta: Record<string, { from: Cell; to: Cell }> = {}
  for (const [{ field_id }, to] of settings) {
    const from = previous[field_id] ?? []
    if (isDeepStrictEqual(from, to)) continue
    delta[field_id] = { from, to }
    if (to.length === 0) delete cells[field_id]
    else cells[field_id] = to
  }
  return Object.keys(delta).length === 0 ? null : { cells, delta }
}

/**
 * Cells after the write with what is calculated from them (11.3), and the differences; `null` if the write changes nothing.
 * @param facts of the record after the write
 */
export const applyWrite = (
  definition: AppDefinition,
  previous: Cells | null,
  settings: SetCells,
  facts: RecordFacts,
  { at, related }: Calculating
): CellsChange | null => {
  const change = applySetCells(previous ?? {}, settings)
  if (change === null && previous !== null) return null
  const { cells: written, delta } = change ?? { cells: {}, delta: {} }
  const { cells: calculated } = calculate(definition, written, facts, formatDate(at), related)
  if (calculated.size === 0) return { cells: written, delta }
  const more = applySetCells(written, calculated)
  return more === null ? { cells: written, delta } : { cells: more.cells, delta: { ...delta, ...more.delta } }
}

/** Facts that results depend on beside the record itself. */
export interface Calculating {
  readonly at: Date
  readonly related: RelatedRecords
}

/** Cells after the write as far as they are set, for a lookup of related records. */
export const cellsAfter = (previous: Cells, settings: SetCells): Cells => ({
  ...previous,
  ...Object.fromEntries([...settings].map(([{ field_id }, cell]) => [field_id, cell]))
})

/** Ids of the changed fields, computed ones included. */
export const changedFields = (
  definition: AppDefinition,
  delta: Delta,
  before: RecordFacts | null,
  after: RecordFacts
): ReadonlyArray<number> =>
  definition.fields
    .filter((field) =>
      typeOf(field).compute === undefined
        ? delta[field.field_id] !== undefined
        : !isDeepStrictEqual(before === null ? [] : cellOf(field, {}, before), cellOf(field, {}, after))
    )
    .map((field) => field.field_id)

/** Records that the fields point to after the write but not before. */
export const newlyPointed = (before: Cells, settings: SetCells): ReadonlyArray<number> =>
  [...settings].flatMap(([field, cell]) => {
    if (typeOf(field).refersTo !== "records") return []
    const formerIds = new Set(before[field.field_id])
    return (cell as ReadonlyArray<number>).filter((id) => !formerIds.has(id))
  })

/** Users whose names become the title. */
export const namedByTitle = ({ titleField }: AppDefinition, settings: SetCells): ReadonlyArray<number> =>
  titleField === undefined || typeOf(titleField).kind !== "users"
    ? []
    : [...settings].flatMap(([{ field_id }, cell]) =>
        field_id === titleField.field_id ? (cell as ReadonlyArray<number>) : []
      )

export interface Link {
  readonly field_id: number
  readonly target_id: number
}

/** Rows of `record_links` or `file_links` that a change adds and removes. */
export const linksOf = (definition: AppDefinition, delta: Delta, kind: "records" | "files") => {
  const added: Array<Link> = []
  const removedLinks: Array<Link> = []
  for (const [id, { from, to }] of Object.entries(delta)) {
    const field = definition.byId.get(Number(id))
    if (field === undefined || typeOf(field).refersTo !== kind) continue
    const link = (target: unknown): Link => ({ field_id: field.field_id, target_id: target as number })
    const [before, after] = [new Set(from), new Set(to)]
    added.push(...to.filter((target) => !before.has(target)).map(link))
    removedLinks.push(...from.filter((target) => !after.has(target)).map(link))
  }
  return { added, removed: removedLinks }
}
