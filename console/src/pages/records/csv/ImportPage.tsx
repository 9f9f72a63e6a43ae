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
import { beginningOf, type CsvRow } from "./csvFile.ts"
import { ImportRun } from "./ImportRun.tsx"
import { MappingForm } from "./MappingForm.tsx"
import { guessed, type Mapping } from "./mapping.ts"

const route = getRouteApi("/apps/$appId/import")

interface Chosen {
  readonly file: File
  readonly head: CsvRow
  readonly rows: ReadonlyArray<CsvRow>
}

const Import = ({ app }: { readonly app: App }) => {
  const id = useId()
  const [chosen, setChosen] = useState<Chosen>()
  const [error, setError] = useState<unknown>()
  const [mapping, setMapping] = useState<Mapping>([])
  const [slashes, setSlashes] = useState<"month first" | "day first">("month first")
  const [busy, setBusy] = useState(false)
  const choose = async (file: File | undefined) => {
    setError(undefined)
    setChosen(undefined)
    if (file === undefined) return
    try {
      const { head, rows } = await beginningOf(file)
      setMapping(guessed(app, head))
      setChosen({ file, head, rows })
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
            slashes={slashes}
            fixed={busy}
            change={setMapping}
            changeSlashes={setSlashes}
          />
          <ImportRun
            key={`${chosen.file.name} ${chosen.file.lastModified} ${chosen.file.size} ${slashes} ${mapping.map((field) => field?.field_id ?? "").join()}`}
            app={app}
            file={chosen.file}
            head={chosen.head}
            mapping={mapping}
            slashes={slashes}
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
