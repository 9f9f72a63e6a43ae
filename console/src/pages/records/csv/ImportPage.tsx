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
      <section className="card" aria-label="File">
        <div className="field">
          <label htmlFor={id}>CSV file</label>
          <input
            id={id}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            disabled={upload.isPending}
            onChange={({ target }) => choose(target.files?.[0])}
          />
          <small>Its first line names the columns. No record is written before you press Import.</small>
        </div>
        {upload.isPending && <progress className="import-progress" aria-label="Upload" value={part} />}
        {upload.isError && <Failure what="The file was not uploaded." error={upload.error} />}
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
