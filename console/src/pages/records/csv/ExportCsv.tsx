// What the grid shows as a CSV file: its conditions and its order, page by page, until the last record.
import { useState } from "react"
import type { App, Cell } from "../../../api/types.ts"
import { Failure } from "../../../ui/states.tsx"
import { columnsOf, titleFieldOf } from "../grid/columns.ts"
import { type GridSearch, pageOf } from "../recordQueries.ts"

const PAGE = 500

interface ExportCsvProps {
  readonly app: App
  readonly search: GridSearch
}
export const ExportCsv = ({ app, search }: ExportCsvProps) => {
  const [done, setDone] = useState<number>()
  const [total, setTotal] = useState(0)
  const [control, setControl] = useState<AbortController>()
  const [error, setError] = useState<unknown>()
  const write = async (signal: AbortSignal) => {
    const { csvOf, download } = await import("./csvFile.ts")
    const { cellText } = await import("./csvValues.ts")
    const title = titleFieldOf(app)
    const fields = [...(title === undefined ? [] : [title]), ...columnsOf(app)]
    const rowOf = (record: { readonly fields: ReadonlyArray<Cell> }) =>
      fields.map(({ field_id }) => cellText(record.fields.find((cell) => cell.field_id === field_id)))
    const parts = ["\uFEFF", csvOf([fields.map(({ label }) => label)])]
    let count = 0
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await pageOf(
        app.app_id,
        search,
        { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
        signal
      )
      if (page.records.length > 0) parts.push(csvOf(page.records.map(rowOf)))
      count += page.records.length
      setDone(count)
      setTotal(page.total)
      cursor = page.cursor
    }
    download(`${app.name}.csv`, parts)
  }
  const start = async () => {
    const begun = new AbortController()
    setControl(begun)
    setError(undefined)
    setDone(0)
    try {
      await write(begun.signal)
    } catch (cause) {
      if (!begun.signal.aborted) setError(cause)
    } finally {
      setDone(undefined)
      setControl(undefined)
    }
  }
  return (
    <>
      {control === undefined ? (
        <button type="button" className="quiet small" onClick={() => void start()}>
          Export CSV
        </button>
      ) : (
        <button type="button" className="quiet small" onClick={() => control.abort()}>
          Stop the export
        </button>
      )}
      {done !== undefined && (
        <span role="status" className="muted">
          {done.toLocaleString()} of {total.toLocaleString()}
        </span>
      )}
      {error !== undefined && <Failure what="The export was interrupted." error={error} />}
    </>
  )
}
