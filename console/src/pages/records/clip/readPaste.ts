// Reads the texts of a pasted block as an import of CSV files does (src/domain/imports): dates, numbers, options, people and related records
// by their names. A text that does not fit says why.
import { isImportable, type Read, readText, recordsNamed } from "../../../../../src/domain/imports/cellValues.ts"
import { peopleNames, type ReadContext } from "../../../../../src/domain/imports/csvField.ts"
import { unmarked } from "../../../../../src/domain/imports/csvText.ts"
import { guessSlashes } from "../../../../../src/domain/imports/dateTexts.ts"
import { type DecimalSign, guessDecimal } from "../../../../../src/domain/imports/numberTexts.ts"
import { queryClient } from "../../../api/client.ts"
import { users } from "../../../api/queries.ts"
import type { Field } from "../../../api/types.ts"
import { readPaste as pageTexts } from "../../../texts/records/clip.ts"
import { RelatedRecords } from "../csv/related.ts"
import { editorOf } from "../editors/catalogue.ts"
import { entriesAsInput } from "../entriesAsInput.ts"
import type { Entries } from "../writes/CellWrite.ts"
import { type Shown, shownEntries } from "./shownEntries.ts"

/** A cell of a block. @property own entries of the cell that it was copied from, in this tab */
export interface PastedCell {
  readonly text: string
  readonly own?: { readonly field: Field; readonly entries: Entries }
}

export type ReadCell = { readonly input: unknown; readonly shown: Entries | undefined } | { readonly refused: string }

/** Types whose entries mean the same in another field of the type; options and related records belong to theirs. */
const PORTABLE = new Set(["single_text", "multi_text", "number", "single_user", "multi_user", "checklist"])
const isSameKind = (from: Field, to: Field) =>
  from.field_id === to.field_id || (from.field_type === to.field_type && PORTABLE.has(to.field_type))

const toUtc = (wallTime: string): string | undefined => {
  const local = new Date(wallTime.replace(" ", "T"))
  return Number.isNaN(local.getTime()) ? undefined : local.toISOString().slice(0, 19).replace("T", " ")
}

const isRelation = ({ field_type }: Field) => field_type === "single_relation" || field_type === "multi_relation"

const localDecimal = (): DecimalSign => ((1.5).toLocaleString().includes(",") ? "," : ".")

/** @param columns texts of each field that is pasted into @param isExport true if the texts are written as an export writes them */
export const makeReader = async (
  columns: ReadonlyArray<{ readonly field: Field; readonly texts: ReadonlyArray<string> }>,
  isExport: boolean
) => {
  const related = new RelatedRecords()
  const patience = { signal: new AbortController().signal, waits: () => {} }
  for (const { field, texts } of columns.filter(({ field }) => isRelation(field)))
    await related.lookUp(
      field,
      texts.flatMap((text) => recordsNamed(text, field)),
      patience
    )
  const people = (await queryClient.fetchQuery(users)).users
  const allTexts = columns.flatMap(({ texts }) => texts)
  const numbers = columns.filter(({ field }) => field.field_type === "number").flatMap(({ texts }) => texts)
  const slashes = guessSlashes(allTexts) ?? (/^en(-US)?$/i.test(navigator.language) ? "month first" : "day first")
  const context: ReadContext = {
    person: peopleNames(people),
    related: related.read,
    slashes,
    toUtc,
    decimal: isExport ? "." : guessDecimal(numbers, localDecimal())
  }
  const shownValues: Shown = {
    person: (id) => people.find(({ user_id }) => user_id === id),
    title: related.titleOf
  }
  return (cell: PastedCell, field: Field): ReadCell => {
    if (editorOf(field) === undefined) return { refused: pageTexts.itIsCalculated }
    if (cell.own !== undefined && isSameKind(cell.own.field, field)) {
      const { entries } = cell.own
      const input = entriesAsInput({ field_type: field.field_type, values: entries })
      return input === null && field.config.required ? { refused: pageTexts.itNeedsAValue } : { input, shown: entries }
    }
    if (cell.text.trim() === "")
      return field.config.required ? { refused: pageTexts.itNeedsAValue } : { input: null, shown: [] }
    if (!isImportable(field)) return { refused: pageTexts.filesAreNotPasted }
    const read: Read | undefined = readText(unmarked(cell.text), field, context)
    if (read === undefined) return { input: null, shown: [] }
    return "refused" in read
      ? { refused: read.refused }
      : { input: read.input, shown: shownEntries(field, read.input, shownValues) }
  }
}
