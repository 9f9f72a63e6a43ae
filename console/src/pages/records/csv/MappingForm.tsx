// Which field each column of a file goes to, beside what its first rows hold.
import { useId } from "react"
import type { App } from "../../../api/types.ts"
import type { CsvRow } from "./csvFile.ts"
import { importable } from "./csvValues.ts"
import type { Mapping } from "./mapping.ts"

type Slashes = "month first" | "day first"

interface MappingFormProps {
  readonly app: App
  readonly head: CsvRow
  readonly rows: ReadonlyArray<CsvRow>
  readonly mapping: Mapping
  readonly slashes: Slashes
  /** While the import is under way. */
  readonly fixed: boolean
  readonly change: (mapping: Mapping) => void
  readonly changeSlashes: (slashes: Slashes) => void
}
export const MappingForm = (props: MappingFormProps) => {
  const { app, change, changeSlashes, fixed, head, mapping, rows, slashes } = props
  const id = useId()
  const fields = importable(app)
  const hasDates = mapping.some((field) => field?.field_type === "single_date" || field?.field_type === "range_date")
  const set = (column: number, fieldId: string) =>
    change(
      mapping.map((before, at) => {
        const chosen = fields.find(({ field_id }) => String(field_id) === fieldId)
        // A field is filled by one column.
        return at === column ? chosen : before?.field_id === chosen?.field_id ? undefined : before
      })
    )
  return (
    <section className="card" aria-labelledby={`${id}-columns`}>
      <h2 id={`${id}-columns`}>Columns</h2>
      <div className="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Such as</th>
              <th scope="col">Goes to</th>
            </tr>
          </thead>
          <tbody>
            {head.map((name, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns may be called the same
              <tr key={at}>
                <th scope="row">{name}</th>
                <td className="muted">
                  {rows
                    .map((row) => row[at] ?? "")
                    .filter((text) => text !== "")
                    .slice(0, 2)
                    .join(", ")
                    .slice(0, 80)}
                </td>
                <td>
                  <select
                    className="short"
                    aria-label={`${name} goes to`}
                    disabled={fixed}
                    value={mapping[at]?.field_id ?? ""}
                    onChange={({ target }) => set(at, target.value)}
                  >
                    <option value="">Nowhere</option>
                    {fields.map(({ field_id, label }) => (
                      <option key={field_id} value={field_id}>
                        {label}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hasDates && (
        <div className="field">
          <label htmlFor={`${id}-slashes`}>3/4/2026 means</label>
          <select
            id={`${id}-slashes`}
            className="short"
            disabled={fixed}
            value={slashes}
            onChange={({ target }) => changeSlashes(target.value as Slashes)}
          >
            <option value="month first">4 March 2026</option>
            <option value="day first">3 April 2026</option>
          </select>
        </div>
      )}
      <p className="muted">
        Several values stand with a semicolon between. A related record is named by its title or its id. Files are not
        imported; they are added at the record.
      </p>
    </section>
  )
}
