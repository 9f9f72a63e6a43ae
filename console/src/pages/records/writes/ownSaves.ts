// Revisions that this tab has made itself. A cell whose editing began before one of them was over the record as it was; nobody else has
// changed it in between, so it is saved over the later revision without a question.
import { type CellWrite, isSameValue } from "./CellWrite.ts"

type Write = Pick<CellWrite, "before" | "field" | "recordId" | "shown">

/** Saves that are remembered. */
const REMEMBERED = 2_000

const saves = new Map<string, { readonly to: number; readonly writes: ReadonlyArray<Write> }>()
const keyOf = (recordId: number, revision: number) => `${recordId}@${revision}`

/** @param writes cells of one record that were saved together */
export const rememberSave = (writes: ReadonlyArray<Write>, from: number, to: number) => {
  const [first] = writes
  if (to !== from + 1 || first === undefined) return
  saves.set(keyOf(first.recordId, from), { to, writes })
  const [oldest] = saves.keys()
  if (saves.size > REMEMBERED) saves.delete(oldest!)
}

/** The revision behind this tab's own saves: of other cells, or of this one where its writer saw what was saved. */
export const behindOwnSaves = (write: Write, revision: number): number => {
  const save = saves.get(keyOf(write.recordId, revision))
  if (save === undefined) return revision
  const isSeen = save.writes.every(
    ({ field, shown }) =>
      field.field_id !== write.field.field_id || (shown !== undefined && isSameValue(field, shown, write.before))
  )
  return isSeen ? behindOwnSaves(write, save.to) : revision
}
