// Exports the records of the grid as a CSV file, with its filters and its order, page by page, until the last record. An import of the file
// makes equal records; times carry their zone.
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { BOM, csvOf } from "../../../../../src/domain/imports/csvText.ts"
import { users } from "../../../api/queries.ts"
import type { App, RecordRow } from "../../../api/types.ts"
import { exportCsv as texts } from "../../../texts/records/csv.ts"
import { download } from "../../../ui/download.ts"
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
  const queries = useQueryClient()
  const write = async (signal: AbortSignal) => {
    const { cellText } = await import("./csvCells.ts")
    const { peopleNames } = await import("../../../../../src/domain/imports/csvField.ts")
    const { RelatedRecords } = await import("./related.ts")
    const title = titleFieldOf(app)
    const fields = [...(title === undefined ? [] : [title]), ...columnsOf(app)]
    const related = new RelatedRecords()
    const person = peopleNames((await queries.fetchQuery(users)).users)
    const names = { person, related: related.read }
    const rowOf = (record: RecordRow) =>
      fields.map((field) =>
        cellText(
          record.fields.find((cell) => cell.field_id === field.field_id),
          field,
          names
        )
      )
    const parts = [BOM, csvOf([fields.map(({ label }) => label)])]
    let count = 0
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await pageOf(
        app.app_id,
        search,
        { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
        signal
      )
      await related.lookUpShown(page.records, fields, { signal, waits: () => {} })
      if (page.records.length > 0) parts.push(csvOf(page.records.map(rowOf)))
      count += page.records.length
      setDone(count)
      setTotal(page.total ?? count)
      cursor = page.cursor
    }
    download(`${app.name}.csv`, parts)
  }
  const start = async () => {
    const controller = new AbortController()
    setControl(controller)
    setError(undefined)
    setDone(0)
    try {
      await write(controller.signal)
    } catch (cause) {
      if (!controller.signal.aborted) setError(cause)
    } finally {
      setDone(undefined)
      setControl(undefined)
    }
  }
  return (
    <>
      {control === undefined ? (
        <button type="button" className="quiet small" onClick={() => void start()}>
          {texts.exportCsv}
        </button>
      ) : (
        <button type="button" className="quiet small" onClick={() => control.abort()}>
          {texts.stopTheExport}
        </button>
      )}
      {done !== undefined && (
        <span role="status" className="muted">
          {texts.doneOfTotal(done.toLocaleString(), total.toLocaleString())}
        </span>
      )}
      {error !== undefined && <Failure what={texts.exportWasInterrupted} error={error} />}
    </>
  )
}
