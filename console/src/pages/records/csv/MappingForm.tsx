// Which field each column of a file goes to, beside what its first rows hold.
import { useId } from "react"
import type { App } from "../../../api/types.ts"
import type { CsvRow } from "../../../ui/csvText.ts"
import type { DateReading } from "./dateTexts.ts"
import { importable, type Mapping } from "./mapping.ts"

interface MappingFormProps {
  readonly app: App
  readonly head: CsvRow
  readonly rows: ReadonlyArray<CsvRow>
  readonly mapping: Mapping
  readonly reading: DateReading
  /** True while the import is running. */
  readonly fixed: boolean
  readonly change: (mapping: Mapping) => void
  readonly changeReading: (reading: DateReading) => void
}
export const MappingForm = (props: MappingFormProps) => {
  const { app, change, changeReading, fixed, head, mapping, reading, rows } = props
  const id = useId()
  const fields = importable(app)
  const dates = mapping.filter((field) => field?.field_type === "single_date" || field?.field_type === "range_date")
  const isTimed = dates.some((field) => (field!.config.settings as { time?: string }).time !== "disabled")
  const set = (column: number, fieldId: string) =>
    change(
      mapping.map((before, at) => {
        const chosenField = fields.find(({ field_id }) => String(field_id) === fieldId)
        // A field is filled by one column.
        return at === column ? chosenField : before?.field_id === chosenField?.field_id ? undefined : before
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
      {dates.length > 0 && (
        <div className="inline">
          <div className="field">
            <label htmlFor={`${id}-slashes`}>3/4/2026 means</label>
            <select
              id={`${id}-slashes`}
              className="short"
              disabled={fixed}
              value={reading.slashes}
              onChange={({ target }) => changeReading({ ...reading, slashes: target.value as DateReading["slashes"] })}
            >
              <option value="month first">4 March 2026</option>
              <option value="day first">3 April 2026</option>
            </select>
          </div>
          {isTimed && (
            <div className="field">
              <label htmlFor={`${id}-zone`}>Times without a zone are in</label>
              <select
                id={`${id}-zone`}
                className="short"
                disabled={fixed}
                value={reading.zone}
                onChange={({ target }) => changeReading({ ...reading, zone: target.value as DateReading["zone"] })}
              >
                <option value="UTC">UTC</option>
                <option value="local">{Intl.DateTimeFormat().resolvedOptions().timeZone}</option>
              </select>
            </div>
          )}
        </div>
      )}
      <p className="muted">
        Several values stand with a semicolon between; one that has a semicolon itself stands in quotes. A related
        record is named by its title or its id. Files are not imported; they are added at the record.
      </p>
    </section>
  )
}
