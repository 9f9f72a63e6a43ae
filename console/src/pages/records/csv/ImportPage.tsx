// Records from a CSV file: the file is sent up, looked at, and imported by the service, which tells how far it is.

import { uploadFile } from "@millrace/client"
import { useMutation, useQuery } from "@tanstack/react-query"
import { getRouteApi, Link } from "@tanstack/react-router"
import { useId, useState } from "react"
import { client } from "../../../api/client.ts"
import { appOf } from "../../../api/queries.ts"
import type { App } from "../../../api/types.ts"
import { Page } from "../../../ui/Page.tsx"
import { Asked, Empty, Failure } from "../../../ui/states.tsx"
import "../records.css"
import { importPage as texts } from "../../../texts/records/csv.ts"
import { ImportJob } from "./ImportJob.tsx"
import { ImportSetup } from "./ImportSetup.tsx"

const route = getRouteApi("/apps/$appId/import")

const Import = ({ app }: { readonly app: App }) => {
  const id = useId()
  const [part, setPart] = useState(0)
  const upload = useMutation({
    mutationFn: (file: File) =>
      uploadFile(client.transport, file, {
        name: file.name,
        onProgress: ({ bytes, total }) => setPart(total === null ? 0 : bytes / total)
      })
  })
  const choose = (file: File | undefined) => {
    setPart(0)
    if (file === undefined) upload.reset()
    else upload.mutate(file)
  }
  return (
    <>
      <section className="card" aria-label={texts.file}>
        <div className="field">
          <label htmlFor={id}>{texts.csvFile}</label>
          <input
            id={id}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            disabled={upload.isPending}
            onChange={({ target }) => choose(target.files?.[0])}
          />
          <small>{texts.itsFirstLineNames}</small>
        </div>
        {upload.isPending && <progress className="import-progress" aria-label={texts.upload} value={part} />}
        {upload.isError && <Failure what={texts.fileWasNotUploaded} error={upload.error} />}
      </section>
      {upload.isSuccess && <ImportSetup key={upload.data.file_id} app={app} fileId={upload.data.file_id} />}
    </>
  )
}

export const ImportPage = () => {
  const { appId } = route.useParams()
  const { job } = route.useSearch()
  const app = useQuery(appOf(Number(appId)))
  const trail = (
    <>
      <Link to="/apps">{texts.apps}</Link> ›{" "}
      <Link to="/apps/$appId" params={{ appId }} search={{}}>
        {app.data?.name ?? texts.app}
      </Link>
    </>
  )
  return (
    <Page title={app.data === undefined ? texts.import : texts.importInto(app.data.name)} trail={trail}>
      <Asked query={app} failed={texts.loadingTheAppFailed}>
        {(known) =>
          known.permission_level < 3 ? (
            <Empty title={texts.youMayNotAddRecords}>
              <p>{texts.youMayLookAtThose}</p>
            </Empty>
          ) : job === undefined ? (
            <Import app={known} />
          ) : (
            <ImportJob app={known} jobId={job} />
          )
        }
      </Asked>
    </Page>
  )
}
