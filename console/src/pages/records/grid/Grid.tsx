// A grid of any number of records: only the rows that are seen are drawn and asked for; cells are walked and edited as in a spreadsheet.
// The keyboard stays at the grid, which names the cell that it is at, so that no row is lost by being scrolled away.
import { useNavigate } from "@tanstack/react-router"
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from "react"
import type { App, Field, RecordRow } from "../../../api/types.ts"
import { Dialog } from "../../../ui/Dialog.tsx"
import { shortcutsKey } from "../../../ui/Shortcuts.tsx"
import { editorOf } from "../editors/catalogue.ts"
import { FieldForm } from "../editors/FieldForm.tsx"
import type { GridSearch } from "../recordQueries.ts"
import { entriesOfField } from "../writes/CellWrite.ts"
import { writeCell } from "../writes/writeQueue.ts"
import { useWrites } from "../writes/writeStore.ts"
import type { CellInput, Onward } from "./CellEditor.tsx"
import { columnsOf, titleFieldOf, widthOf } from "./columns.ts"
import { GridRow } from "./GridRow.tsx"
import { SortHead } from "./SortHead.tsx"
import { type CellPlace, useCells } from "./useCells.ts"
import type { useRows } from "./useRows.ts"
import type { useWindow } from "./useWindow.ts"
import { ROW } from "./virtualRows.ts"

const onwards: Readonly<Record<Onward, CellPlace>> = {
  stay: { row: 0, column: 0 },
  down: { row: 1, column: 0 },
  right: { row: 0, column: 1 },
  left: { row: 0, column: -1 }
}

interface Editing extends CellPlace {
  readonly typed?: string
  /** As it was when the edit began, whatever comes to its row meanwhile. */
  readonly record: RecordRow
}

interface GridProps {
  readonly app: App
  readonly rows: ReturnType<typeof useRows>
  readonly seen: ReturnType<typeof useWindow>
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
}
export const Grid = ({ app, rows, seen, search, change }: GridProps) => {
  const id = useId()
  const grid = useRef<HTMLTableElement>(null)
  const navigate = useNavigate()
  const [editing, setEditing] = useState<Editing>()
  const writes = useWrites()
  const { rowAt, total } = rows
  const { after, before, box, first, last, show } = seen
  const title = titleFieldOf(app)
  const columns = [title, ...columnsOf(app)]
  const mayEdit = app.permission_level >= 3
  const { cell, go, onKey } = useCells(total, columns.length, seen.page, show)

  const searchKey = JSON.stringify(search)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question begins at its first row
  useEffect(() => show(0), [searchKey])

  /** Record, field and editor of a cell, if it can be edited. */
  const editable = ({ column, row }: CellPlace) => {
    const [record, field] = [rowAt(row), columns[column]]
    const editor = field === undefined || !mayEdit ? undefined : editorOf(field)
    return record === undefined || field === undefined || editor === undefined ? undefined : { record, field, editor }
  }
  const edit = (place: CellPlace, typed?: string) => {
    const what = editable(place)
    if (what === undefined || (typed !== undefined && what.editor.typed === undefined)) return
    setEditing({ ...place, record: what.record, ...(typed !== undefined && { typed }) })
  }
  const close = () => {
    setEditing(undefined)
    grid.current?.focus()
  }
  const save = (record: RecordRow, field: Field, { shown, value }: CellInput) => {
    const { app_id, record_id, revision, title } = record
    const before = entriesOfField(record, field)
    writeCell({ appId: app_id, recordId: record_id, recordTitle: title, field, revision, before, input: value, shown })
  }
  const finishEdit = (onward: Onward, input?: CellInput) => {
    const field = editing && columns[editing.column]
    if (input !== undefined && editing !== undefined && field !== undefined) save(editing.record, field, input)
    close()
    const step = onwards[onward]
    if (editing !== undefined) go({ row: editing.row + step.row, column: editing.column + step.column })
  }
  const clear = () => {
    const what = editable(cell)
    if (what?.editor.shown === undefined || what.field.config.required) return
    save(what.record, what.field, { value: null, shown: [] })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || onKey(event)) return
    const hasNoModifier = !event.ctrlKey && !event.metaKey && !event.altKey
    const record = rowAt(cell.row)
    if (event.key === "Enter" || event.key === "F2") edit(cell)
    else if (event.key === "Delete" || event.key === "Backspace") clear()
    else if (event.key === " " && record !== undefined)
      void navigate({ to: "/records/$recordId", params: { recordId: String(record.record_id) } })
    else if (hasNoModifier && event.key.length === 1) edit(cell, event.key)
    else return
    event.preventDefault()
  }
  const onClick = (event: MouseEvent) => {
    const target = event.target as Element
    const clickedCell = target.closest<HTMLElement>("[data-row]")
    if (clickedCell === null || target.closest("a, input, select, textarea, button") !== null) return
    const clickedPosition = { row: Number(clickedCell.dataset["row"]), column: Number(clickedCell.dataset["column"]) }
    const isSecondClick =
      event.detail > 1 ||
      (clickedPosition.row === cell.row &&
        clickedPosition.column === cell.column &&
        clickedCell.dataset["met"] === "yes")
    go(clickedPosition)
    grid.current?.focus()
    if (isSecondClick) edit(clickedPosition)
  }
  const edited = editing && editable(editing)
  const editedCell = edited && editing && { ...edited, record: editing.record }
  const isCellDrawn = cell.row >= first && cell.row < last
  return (
    <>
      <section className="gridbox" ref={box} aria-label={`Records of ${app.name}`}>
        <table
          ref={grid}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is walked and edited by cells is a grid
          role="grid"
          className="records"
          tabIndex={0}
          aria-label={`Records of ${app.name}`}
          aria-describedby={`${id}-keys`}
          aria-rowcount={total + 1}
          aria-colcount={columns.length}
          aria-readonly={!mayEdit}
          aria-activedescendant={isCellDrawn ? `${id}-${cell.row}-${cell.column}` : undefined}
          onKeyDown={onKeyDown}
          onClick={onClick}
        >
          <colgroup>
            <col className="title-column" />
            {columns.slice(1).map((field) => (
              <col key={field!.field_id} style={{ width: widthOf(field!) }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              <SortHead
                name={title?.external_id ?? "title"}
                label={title?.label ?? app.item_name}
                search={search}
                change={change}
              />
              {columns.slice(1).map((field) => (
                <SortHead
                  key={field!.field_id}
                  name={field!.external_id}
                  label={field!.label}
                  search={search}
                  change={change}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {before > 0 && <tr className="spacer" style={{ height: before }} />}
            {Array.from({ length: last - first }, (_, at) => (
              <GridRow
                // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
                key={first + at}
                id={id}
                app={app}
                columns={columns}
                index={first + at}
                height={ROW}
                record={rowAt(first + at)}
                active={cell.row === first + at ? cell.column : undefined}
                editing={editing?.row === first + at ? editing : undefined}
                writes={writes}
                done={finishEdit}
              />
            ))}
            {after > 0 && <tr className="spacer" style={{ height: after }} />}
          </tbody>
        </table>
      </section>
      <p className="grid-keys">
        <small id={`${id}-keys`}>
          {mayEdit ? "Arrows move, Enter edits, Space opens the record." : "Arrows move, Space opens the record."}{" "}
          {shortcutsKey} shows all shortcuts.
        </small>
      </p>
      {editedCell !== undefined && editedCell.editor.shown === undefined && (
        <Dialog title={`${editedCell.field.label} of ${editedCell.record.title}`} close={close}>
          <FieldForm
            record={editedCell.record}
            field={editedCell.field}
            cell={editedCell.record.fields.find(({ field_id }) => field_id === editedCell.field.field_id)}
            editor={editedCell.editor}
            done={close}
          />
        </Dialog>
      )}
    </>
  )
}
