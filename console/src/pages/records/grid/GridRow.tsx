// Shows a row of a grid; a row that is still loading is empty.
import { Link } from "@tanstack/react-router"
import type { App, Field, RecordRow } from "../../../api/types.ts"
import { ShortValue } from "../../../ui/values.tsx"
import { editorOf } from "../editors/catalogue.ts"
import { CellEditor, type Onward } from "./CellEditor.tsx"

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
  readonly isSaving: (record: RecordRow, field: Field) => boolean
  readonly done: (onward: Onward, input?: { readonly value: unknown }) => void
}
export const GridRow = (props: GridRowProps) => {
  const { active, app, columns, done, editing, height, id, index, isSaving, record } = props
  const valuesOf = (field: Field) => record?.fields.find(({ field_id }) => field_id === field.field_id)
  const cellProps = (column: number, field: Field | undefined) => ({
    id: `${id}-${index}-${column}`,
    "data-row": index,
    "data-column": column,
    "data-met": active === column ? "yes" : undefined,
    "aria-colindex": column + 1,
    "aria-selected": active === column,
    "aria-busy": (record !== undefined && field !== undefined && isSaving(record, field)) || undefined
  })
  const edited = (column: number, field: Field) => {
    const editor = editorOf(field)
    return editing?.column === column && editor?.inCell === true && record !== undefined ? (
      <CellEditor
        field={field}
        editor={editor}
        values={valuesOf(field)?.values ?? []}
        typed={editing.typed}
        done={done}
      />
    ) : undefined
  }
  const [title, ...others] = columns
  return (
    <tr aria-rowindex={index + 2} style={{ height }} aria-busy={record === undefined || undefined}>
      <th scope="row" {...cellProps(0, title)}>
        {(title && edited(0, title)) ??
          (record && (
            <Link to="/records/$recordId" params={{ recordId: String(record.record_id) }} tabIndex={-1}>
              {record.title === "" ? `${app.item_name} ${record.app_record_id}` : record.title}
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
              <ShortValue cell={valuesOf(field!)} field={field!} />
            </div>
          )}
        </td>
      ))}
    </tr>
  )
}
