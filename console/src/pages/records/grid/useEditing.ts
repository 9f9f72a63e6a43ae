// The cell of a grid that is being edited: begun by a key or a press, and what becomes of it.
import { type RefObject, useState } from "react"
import { flushSync } from "react-dom"
import type { App, Field, RecordRow } from "../../../api/types.ts"
import { useEditing as texts } from "../../../texts/records/gridWords.ts"
import { editorOf } from "../editors/catalogue.ts"
import { changeCells } from "../edits/changes.ts"
import type { CellInput, Onward } from "./CellEditor.tsx"
import type { Column } from "./look.ts"
import type { CellPlace } from "./selection.ts"

interface Editing extends CellPlace {
  readonly typed?: string
  /** Record as it was when the edit began, whatever comes to its row meanwhile. */
  readonly record: RecordRow
  readonly field: Field
}

const onwards: Readonly<Record<Exclude<Onward, "stay" | "leave">, CellPlace>> = {
  down: { row: 1, column: 0 },
  right: { row: 0, column: 1 },
  left: { row: 0, column: -1 }
}

interface EditingProps {
  readonly app: App
  readonly columns: ReadonlyArray<Column>
  readonly rowAt: (index: number) => RecordRow | undefined
  /** Row of a record that is loaded. */
  readonly rowOf: (recordId: number) => number | undefined
  readonly grid: RefObject<HTMLElement | null>
  readonly go: (place: CellPlace) => void
}
export const useEditing = ({ app, columns, go, grid, rowAt, rowOf }: EditingProps) => {
  const [edited, setEditing] = useState<Editing>()
  const mayEdit = app.permission_level >= 3

  /** Record, field and editor of a cell, if it can be edited. */
  const editable = ({ column, row }: CellPlace) => {
    const [record, field] = [rowAt(row), columns[column]?.field]
    const editor = field === undefined || !mayEdit ? undefined : editorOf(field)
    return record === undefined || field === undefined || editor === undefined ? undefined : { record, field, editor }
  }
  /**
   * Begins an edit. Where the editor does not begin with a text of its own, as a list or a date, it is opened before the browser gives the
   * character to what has the keyboard.
   * @returns true if the character is left to the browser
   */
  const edit = (place: CellPlace, typed?: string): boolean => {
    const target = editable(place)
    if (target === undefined) return false
    const { editor, field, record } = target
    const isLeft = typed !== undefined && editor.typed === undefined
    const begin = () =>
      setEditing({ ...place, record, field, ...(typed !== undefined && editor.typed !== undefined && { typed }) })
    if (isLeft) flushSync(begin)
    else begin()
    return isLeft
  }
  /** The cell where it stands now: rows and columns may have come before it. */
  const editing: Editing | undefined = edited && {
    ...edited,
    row: rowOf(edited.record.record_id) ?? edited.row,
    column: columns.findIndex(({ field }) => field?.field_id === edited.field.field_id)
  }
  const close = () => {
    setEditing(undefined)
    grid.current?.focus({ preventScroll: true })
  }
  const finish = (onward: Onward, input?: CellInput) => {
    if (input !== undefined && editing !== undefined) {
      const { field, record } = editing
      changeCells(app.app_id, texts.edit, [{ record, field, input: input.value, shown: input.shown }])
    }
    // The keyboard has gone elsewhere, and is left there.
    if (onward === "leave") return setEditing(undefined)
    close()
    if (editing === undefined || onward === "stay") return
    const step = onwards[onward]
    go({ row: editing.row + step.row, column: editing.column + step.column })
  }
  const target = editing && editable(editing)
  /** The cell whose editor opens next to it, as it does not fit. */
  const nextCell =
    target !== undefined && target.editor.shown === undefined ? { ...target, record: editing!.record } : undefined
  return { editing, edit, finish, close, beside: nextCell }
}
