// Computes an update of a record (developer-api.md 4.3 rule 4): the record after it, and the row to write. Pure.
import type { Former } from "../../../engine/outbox/Event.ts"
import type { Cells } from "../../../platform/primitives/Cell.ts"
import { type ChangedLine, changedLine } from "../../../platform/text/searchLine.ts"
import type { Found } from "../fields/model/Field.ts"
import type { AppDefinition } from "../model/AppDefinition.ts"
import { factsOf, type RecordRow, type WriteEffects } from "../model/RecordRow.ts"
import { shownTitle, titleOf } from "../model/recordTitle.ts"
import * as Inputs from "./fieldInputs.ts"

export interface ChangedRow extends ChangedLine {
  readonly record_id: number
  readonly revision: number
  readonly cells: Cells
  readonly previous: Cells
  readonly former: Former
  readonly title: string | null
  readonly shown: string
  readonly delta: Inputs.Delta
  readonly changed: ReadonlyArray<number>
  readonly links: { readonly added: ReadonlyArray<Inputs.Link>; readonly removed: ReadonlyArray<Inputs.Link> }
  readonly files: { readonly added: ReadonlyArray<Inputs.Link>; readonly removed: ReadonlyArray<Inputs.Link> }
  /** Changes of one statement may come from different writes. */
  readonly write: WriteEffects
}

/** A record as search takes it: by its number where it has no title. */
const searchedOf = ({ app_record_id, cells, title }: RecordRow) => ({ title: title ?? String(app_record_id), cells })

export interface WrittenChange {
  readonly record: RecordRow
  readonly row: ChangedRow
}

interface Changing extends Inputs.Calculating {
  /** Lookup of the write's mentions. */
  readonly found: Found
  readonly write: WriteEffects
}

/** Null if nothing differs. */
export const changeOf = (
  definition: AppDefinition,
  before: RecordRow,
  settings: Inputs.SetCells,
  changing: Changing
): WrittenChange | null => {
  const facts = factsOf({ ...before, last_modified_on: changing.at, last_modified_by: changing.write.author })
  const change = Inputs.applyWrite(definition, before.cells, settings, facts, changing)
  return change === null ? null : changedTo(definition, before, change, changing)
}

/** The change of a record to other cells. */
export const changedTo = (
  definition: AppDefinition,
  before: RecordRow,
  { cells, delta }: Inputs.CellsChange,
  { at, found, write }: Pick<Changing, "at" | "found" | "write">
): WrittenChange => {
  const titleChanged = definition.titleField !== undefined && delta[definition.titleField.field_id] !== undefined
  const record: RecordRow = {
    ...before,
    cells,
    revision: before.revision + 1,
    title: titleChanged ? titleOf(definition, cells, before, found) : before.title,
    last_modified_on: at,
    last_modified_by: write.author
  }
  const { last_modified_by, last_modified_on } = factsOf(before)
  const titleText = (title: string | null) => shownTitle(title, definition.item_name, record.app_record_id)
  const row: ChangedRow = {
    record_id: record.record_id,
    revision: record.revision,
    cells,
    previous: before.cells,
    former: { ...(titleChanged ? { title: titleText(before.title) } : {}), last_modified_on, last_modified_by },
    title: record.title,
    shown: titleText(record.title),
    delta,
    changed: Inputs.changedFields(definition, delta, factsOf(before), factsOf(record)),
    links: Inputs.linksOf(definition, delta, "records"),
    files: Inputs.linksOf(definition, delta, "files"),
    // The former title may be known as it was before another record was renamed.
    ...changedLine(titleChanged ? null : searchedOf(before), searchedOf(record), definition.htmlFields),
    write
  }
  return { record, row }
}
