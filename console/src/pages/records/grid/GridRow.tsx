// Shows a row of a grid; a row that is still loading is empty.
import { Link } from "@tanstack/react-router"
import type { App, Field, RecordRow } from "../../../api/types.ts"
import { ShortValue } from "../../../ui/values.tsx"
import { editorOf } from "../editors/catalogue.ts"
import { asCell, type CellWrite } from "../writes/CellWrite.ts"
import { writeOf } from "../writes/writeStore.ts"
import { CellEditor, type CellInput, type Onward } from "./CellEditor.tsx"

interface GridRowProps {
  readonly id: string
  readonly app: App
  /** The first one is the title's, which may be no field's. */
  readonly columns: ReadonlyArray<Field | undefined>
  readonly index: number
  readonly height: number
  readonly record: RecordRow | undefined
  /** The column of the cell that the keyboard is at. */
  readonly active: number | undefined
  readonly editing: { readonly column: number; readonly typed?: string } | undefined
  /** Cells that are not saved yet, of any record. */
  readonly writes: ReadonlyArray<CellWrite>
  readonly done: (onward: Onward, input?: CellInput) => void
}
export const GridRow = (props: GridRowProps) => {
  const { active, app, columns, done, editing, height, id, index, record, writes } = props
  const [title, ...others] = columns
  const unsaved = (field: Field | undefined) =>
    record === undefined || field === undefined ? undefined : writeOf(writes, record.record_id, field.field_id)
  const cellOf = (field: Field) => {
    const write = unsaved(field)
    return write?.shown === undefined
      ? record?.fields.find(({ field_id }) => field_id === field.field_id)
      : asCell(field, write.shown)
  }
  const titleText = (record: RecordRow) => {
    const entries = unsaved(title)?.shown as ReadonlyArray<{ readonly value: string }> | undefined
    const text = entries === undefined ? record.title : (entries[0]?.value ?? "")
    return text === "" ? `${app.item_name} ${record.app_record_id}` : text
  }
  const cellProps = (column: number, field: Field | undefined) => ({
    id: `${id}-${index}-${column}`,
    "data-row": index,
    "data-column": column,
    "data-met": active === column ? "yes" : undefined,
    "aria-colindex": column + 1,
    "aria-selected": active === column,
    "data-write": unsaved(field)?.state.kind,
    "aria-invalid": (unsaved(field) !== undefined && unsaved(field)?.state.kind !== "waiting") || undefined
  })
  const edited = (column: number, field: Field) => {
    const editor = editorOf(field)
    return editing?.column === column && editor?.shown !== undefined && record !== undefined ? (
      <CellEditor
        field={field}
        editor={editor}
        values={cellOf(field)?.values ?? []}
        typed={editing.typed}
        done={done}
      />
    ) : undefined
  }
  return (
    <tr aria-rowindex={index + 2} style={{ height }} aria-busy={record === undefined || undefined}>
      <th scope="row" {...cellProps(0, title)}>
        {(title && edited(0, title)) ??
          (record && (
            <Link to="/records/$recordId" params={{ recordId: String(record.record_id) }} tabIndex={-1}>
              {titleText(record)}
            </Link>
          ))}
      </th>
      {others.map((field, at) => (
        <td
          key={field!.field_id}
          className={field!.field_type === "number" ? "number" : undefined}
          {...cellProps(at + 1, field)}
        >
          {edited(at + 1, field!) ?? (
            <div>
              <ShortValue cell={cellOf(field!)} field={field!} />
            </div>
          )}
        </td>
      ))}
    </tr>
  )
}
