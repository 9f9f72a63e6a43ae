// Records from a CSV file, in three steps: the file, which column goes to which field, and what of it would be refused; then the import, with
// its progress, which can be stopped and taken up again.
import { useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useId, useState } from "react"
import { appOf } from "../../../api/queries.ts"
import type { App } from "../../../api/types.ts"
import { Page } from "../../../ui/Page.tsx"
import { Asked, Empty, Failure } from "../../../ui/states.tsx"
import "../records.css"
import { type Beginning, type CsvFormat, formatOf, lookAt } from "./csvFile.ts"
import type { DateReading } from "./dateTexts.ts"
import { FormatForm } from "./FormatForm.tsx"
import { ImportRun } from "./ImportRun.tsx"
import { MappingForm } from "./MappingForm.tsx"
import { guessed, type Mapping } from "./mapping.ts"

const route = getRouteApi("/apps/$appId/import")

interface Chosen extends Beginning {
  readonly file: File
  readonly format: CsvFormat
}

const Import = ({ app }: { readonly app: App }) => {
  const id = useId()
  const [chosen, setChosen] = useState<Chosen>()
  const [error, setError] = useState<unknown>()
  const [mapping, setMapping] = useState<Mapping>([])
  const [reading, setReading] = useState<DateReading>({ slashes: "month first", zone: "UTC" })
  const [busy, setBusy] = useState(false)
  const choose = async (file: File | undefined, format: Partial<CsvFormat> = {}) => {
    setError(undefined)
    if (file !== chosen?.file) setChosen(undefined)
    if (file === undefined) return
    try {
      const detectedFormat = await formatOf(file, navigator.language, format)
      const beginning = await lookAt(file, detectedFormat)
      setMapping(guessed(app, beginning.head))
      setChosen({ ...beginning, file, format: detectedFormat })
    } catch (cause) {
      setError(cause)
    }
  }
  return (
    <>
      <section className="card" aria-label="File">
        <div className="field">
          <label htmlFor={id}>CSV file</label>
          <input
            id={id}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            disabled={busy}
            onChange={({ target }) => void choose(target.files?.[0])}
          />
          <small>Its first line names the columns. Nothing is written before you have seen what would be.</small>
        </div>
        {error !== undefined && <Failure what="The file could not be read." error={error} />}
        {chosen !== undefined && (
          <FormatForm
            format={chosen.format}
            letters={chosen.letters}
            fixed={busy}
            change={(format) => void choose(chosen.file, format)}
          />
        )}
        {chosen?.head.length === 0 && (
          <p className="note warn" role="status">
            The file is empty.
          </p>
        )}
      </section>
      {chosen !== undefined && chosen.head.length > 0 && (
        <>
          <MappingForm
            app={app}
            head={chosen.head}
            rows={chosen.rows}
            mapping={mapping}
            reading={reading}
            fixed={busy}
            change={setMapping}
            changeReading={setReading}
          />
          <ImportRun
            key={`${chosen.file.name} ${chosen.file.lastModified} ${chosen.file.size} ${Object.values({ ...chosen.format, ...reading }).join()} ${mapping.map((field) => field?.field_id ?? "").join()}`}
            app={app}
            file={chosen.file}
            format={chosen.format}
            head={chosen.head}
            mapping={mapping}
            reading={reading}
            setBusy={setBusy}
          />
        </>
      )}
    </>
  )
}

export const ImportPage = () => {
  const { appId } = route.useParams()
  const app = useQuery(appOf(Number(appId)))
  const trail = (
    <>
      <Link to="/apps">Apps</Link> ›{" "}
      <Link to="/apps/$appId" params={{ appId }} search={{}}>
        {app.data?.name ?? "App"}
      </Link>
    </>
  )
  return (
    <Page title={app.data === undefined ? "Import" : `Import into ${app.data.name}`} trail={trail}>
      <Asked query={app} what="the app">
        {(known) =>
          known.permission_level < 3 ? (
            <Empty title="You may not add records here">
              <p>You may look at those that are there.</p>
            </Empty>
          ) : (
            <Import app={known} />
          )
        }
      </Asked>
    </Page>
  )
}
