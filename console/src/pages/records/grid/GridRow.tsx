// Shows a row of a grid; a row that is still loading is empty. Columns that are out of view are left out.
import { Link } from "@tanstack/react-router"
import { memo, type ReactNode } from "react"
import type { App, Field, RecordRow } from "../../../api/types.ts"
import { gridRow as texts } from "../../../texts/records/grid.ts"
import { icons } from "../../../ui/icons.tsx"
import { ShortValue } from "../../../ui/values.tsx"
import { editorOf } from "../editors/catalogue.ts"
import { asCell, type CellWrite } from "../writes/CellWrite.ts"
import { CellEditor, type CellInput, type Onward } from "./CellEditor.tsx"
import type { Column } from "./look.ts"
import type { DrawnColumns } from "./useColumnWindow.ts"

export interface RowActions {
  readonly done: (onward: Onward, input?: CellInput) => void
  readonly tick: (index: number, record: RecordRow, isRange: boolean) => void
  readonly open: (record: RecordRow) => void
}

interface GridRowProps {
  readonly id: string
  readonly app: App
  readonly drawn: DrawnColumns
  readonly index: number
  /** Position among the lines of the grid, heads of groups counted. */
  readonly line: number
  readonly height: number
  readonly record: RecordRow | undefined
  /** The column of the cell that the keyboard is at. */
  readonly active: number | undefined
  /** First and last column of the range in this row. */
  readonly from: number | undefined
  readonly to: number | undefined
  /** The range ends with this row: its corner is the handle that fills. */
  readonly hasHandle: boolean
  /** The row is among those that are about to be filled. */
  readonly isToFill: boolean
  readonly editing: { readonly column: number; readonly typed?: string } | undefined
  /** Cells of the record that are not saved yet. */
  readonly writes: ReadonlyArray<CellWrite>
  readonly isTicked: boolean
  readonly mayTick: boolean
  /** Column whose cell was found, if the text that is searched for is in this row. */
  readonly match: number | undefined
  readonly actions: RowActions
}

const Row = (props: GridRowProps) => {
  const { actions, active, app, drawn, editing, height, id, index, record, writes } = props
  const unsaved = ({ field }: Column) =>
    field === undefined ? undefined : writes.findLast((write) => write.field.field_id === field.field_id)
  const cellOf = (column: Column, field: Field) => {
    const unsavedEntries = unsaved(column)?.shown
    return unsavedEntries === undefined
      ? record?.fields.find(({ field_id }) => field_id === field.field_id)
      : asCell(field, unsavedEntries)
  }
  const titleText = (column: Column, known: RecordRow) => {
    const entries = unsaved(column)?.shown as ReadonlyArray<{ readonly value: string }> | undefined
    const text = entries === undefined ? known.title : (entries[0]?.value ?? "")
    return text === "" ? `${app.item_name} ${known.app_record_id}` : text
  }
  const isInRange = (column: number) => props.from !== undefined && column >= props.from && column <= props.to!
  const cellProps = (column: Column) => {
    const write = unsaved(column)
    const columnIndex = column.index
    const classes = [
      column.field?.field_type === "number" ? "number" : "",
      columnIndex < drawn.fixed.length ? "fixed" : "",
      columnIndex === drawn.fixed.length - 1 ? "fixed-end" : "",
      props.isToFill && isInRange(columnIndex) ? "to-fill" : "",
      props.match === columnIndex ? "match" : ""
    ].filter((name) => name !== "")
    return {
      id: `${id}-${index}-${columnIndex}`,
      "data-row": index,
      "data-column": columnIndex,
      "aria-colindex": columnIndex + 2,
      "aria-selected": active === columnIndex || (!props.isToFill && isInRange(columnIndex)),
      "data-active": active === columnIndex || undefined,
      "data-write": write?.state.kind,
      "aria-invalid": (write !== undefined && write.state.kind !== "waiting") || undefined,
      className: classes.length === 0 ? undefined : classes.join(" "),
      ...(columnIndex < drawn.fixed.length && { style: { left: `calc(var(--row-head) + ${column.start}px)` } })
    }
  }
  const edited = (column: Column): ReactNode => {
    const { field } = column
    const editor = field === undefined ? undefined : editorOf(field)
    if (editing?.column !== column.index || field === undefined || editor?.shown === undefined || record === undefined)
      return undefined
    const values = cellOf(column, field)?.values ?? []
    return <CellEditor field={field} editor={editor} values={values} typed={editing.typed} done={actions.done} />
  }
  const handle = (column: Column) =>
    props.hasHandle && column.index === props.to ? (
      <span className="fill-handle" data-fill="" aria-hidden="true" />
    ) : null
  const cell = (column: Column) =>
    column.index === 0 ? (
      <th scope="row" key={column.id} {...cellProps(column)}>
        {edited(column) ??
          (record && (
            <div className="title-cell">
              <Link to="/records/$recordId" params={{ recordId: String(record.record_id) }} tabIndex={-1}>
                {titleText(column, record)}
              </Link>
              <button
                type="button"
                className="expand"
                tabIndex={-1}
                aria-label={texts.openTitleBesideTheGrid(titleText(column, record))}
                onClick={() => actions.open(record)}
              >
                {icons.expand}
              </button>
            </div>
          ))}
        {handle(column)}
      </th>
    ) : (
      <td key={column.id} {...cellProps(column)}>
        {edited(column) ?? (
          <div>
            <ShortValue cell={cellOf(column, column.field!)} field={column.field} />
          </div>
        )}
        {handle(column)}
      </td>
    )
  return (
    <tr
      aria-rowindex={props.line + 2}
      style={{ height }}
      aria-busy={record === undefined || undefined}
      data-ticked={props.isTicked || undefined}
    >
      <td className="row-head" aria-colindex={1}>
        <span className="row-number">{(index + 1).toLocaleString()}</span>
        {props.mayTick && record !== undefined && (
          <input
            type="checkbox"
            tabIndex={-1}
            checked={props.isTicked}
            aria-label={texts.selectTitle(record.title || `${app.item_name} ${record.app_record_id}`)}
            onChange={({ nativeEvent }) =>
              actions.tick(index, record, (nativeEvent as unknown as globalThis.MouseEvent).shiftKey === true)
            }
          />
        )}
      </td>
      {drawn.fixed.map(cell)}
      {drawn.before > 0 && <td role="presentation" />}
      {drawn.shown.map(cell)}
      {drawn.after > 0 && <td role="presentation" />}
    </tr>
  )
}
export const GridRow = memo(Row)
