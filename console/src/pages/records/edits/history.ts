// Undo and redo of a grid's changes (docs/console.md, "Undo"): the last fifty, as plain functions without a page. A change knows the values
// before and after it, so that a cell that somebody else has changed since is left alone.
import type { Field } from "../../../api/types.ts"
import { type Entries, isSameValue } from "../writes/CellWrite.ts"

export interface CellEdit {
  readonly recordId: number
  readonly recordTitle: string
  readonly field: Field
  /** Revision of the record over which the edit was made. */
  readonly revision: number
  readonly before: Entries
  /** Undefined until the service has answered, where the saved entries cannot be known before. */
  readonly after: Entries | undefined
}

export interface Change {
  /** The change in a few words, as "Paste". */
  readonly label: string
  readonly edits: ReadonlyArray<CellEdit>
  /** Ids of records that the change created, and of those that it deleted. */
  readonly created: ReadonlyArray<number>
  readonly deleted: ReadonlyArray<number>
}

export interface History {
  readonly undo: ReadonlyArray<Change>
  readonly redo: ReadonlyArray<Change>
}

const MOST_CHANGES = 50

export const emptyHistory: History = { undo: [], redo: [] }

/** After a new change nothing can be redone. */
export const withChange = ({ undo }: History, change: Change): History => ({
  undo: [...undo, change].slice(-MOST_CHANGES),
  redo: []
})

/** The change that turns another one back. */
export const inverse = ({ created, deleted, edits, label }: Change): Change => ({
  label,
  edits: edits.map((edit) => ({ ...edit, before: edit.after ?? [], after: edit.before })),
  created: deleted,
  deleted: created
})

/** Takes the last change off one side; its inverse goes to the other. */
export const stepped = (history: History, side: "undo" | "redo"): { history: History; change: Change } | undefined => {
  const lastStep = history[side].at(-1)
  if (lastStep === undefined) return undefined
  const change = inverse(lastStep)
  const [undo, redo] =
    side === "undo"
      ? [history.undo.slice(0, -1), [...history.redo, change]]
      : [[...history.undo, change], history.redo.slice(0, -1)]
  return { history: { undo, redo }, change }
}

/** The saved entries of a cell: what a later undo compares with. Only the last change of the cell is meant. */
export const withSaved = (history: History, { fieldId, recordId, saved, shown }: SavedCell): History => {
  const isMeant = (edit: CellEdit) =>
    edit.recordId === recordId &&
    edit.field.field_id === fieldId &&
    (edit.after === undefined || shown === undefined || isSameValue(edit.field, edit.after, shown))
  const index = history.undo.findLastIndex(({ edits }) => edits.some(isMeant))
  if (index < 0) return history
  const change = history.undo[index]!
  const edits = change.edits.map((edit) => (isMeant(edit) ? { ...edit, after: saved } : edit))
  return { ...history, undo: history.undo.with(index, { ...change, edits }) }
}

export interface SavedCell {
  readonly recordId: number
  readonly fieldId: number
  readonly saved: Entries
  /** Entries as they were shown until then. */
  readonly shown: Entries | undefined
}

/** The edits that may be made, and those whose cells somebody else has changed since. @param current entries now; undefined if not known */
export const partEdits = (
  { edits }: Change,
  current: (edit: CellEdit) => Entries | undefined
): { readonly open: ReadonlyArray<CellEdit>; readonly overtaken: ReadonlyArray<CellEdit> } => {
  const isOvertaken = (edit: CellEdit) => {
    const entries = current(edit)
    return entries !== undefined && !isSameValue(edit.field, entries, edit.before)
  }
  return { open: edits.filter((edit) => !isOvertaken(edit)), overtaken: edits.filter(isOvertaken) }
}
