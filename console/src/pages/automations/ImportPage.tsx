// A portable file, JSON or YAML, brought into this organization: first what it would make, change or miss, then the import itself.

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useNavigate } from "@tanstack/react-router"
import { useId, useState } from "react"
import { client } from "../../api/client.ts"
import { apps } from "../../api/queries.ts"
import { ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"
import { Page } from "../../ui/Page.tsx"
import { Failure } from "../../ui/states.tsx"
import "./automations.css"

type PortableFile = Readonly<Record<string, unknown>>

/** Larger ones are no definition. */
const BYTES_AT_MOST = 524_288

class NoFile extends Error {}

const read = async (text: string): Promise<PortableFile> => {
  if (text.length > BYTES_AT_MOST) throw new NoFile("The file is larger than half a megabyte: that is no automation.")
  const { parse } = await import("yaml")
  let value: unknown
  try {
    value = parse(text, { maxAliasCount: 0 })
  } catch (error) {
    throw new NoFile(`The file is neither JSON nor YAML: ${error instanceof Error ? error.message : ""}`)
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new NoFile("The file holds no automation.")
  return value as PortableFile
}

const Fault = ({ error, what }: { readonly error: unknown; readonly what: string }) =>
  error instanceof NoFile ? (
    <div className="note bad" role="alert">
      <p>{error.message}</p>
    </div>
  ) : (
    <Failure what={what} error={error} />
  )

export const ImportPage = () => {
  const id = useId()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [file, setFile] = useState<PortableFile>()
  const [app, setApp] = useState<number>()
  const knownApps = useQuery(apps).data?.apps ?? []
  const body = (name: PortableFile, into: number | undefined) => ({
    file: { ...name },
    ...(into === undefined ? {} : { app_id: into })
  })
  const dryRun = useMutation({
    mutationFn: ({ into, name }: { readonly name: PortableFile; readonly into: number | undefined }) =>
      client.automations.import({ body: { ...body(name, into), dry_run: true } })
  })
  const openFile = useMutation({
    mutationFn: async (chosen: Blob) => read(await chosen.text()),
    onSuccess: (name) => {
      setFile(name)
      dryRun.mutate({ name, into: app })
    }
  })
  const bring = useMutation({
    mutationFn: (name: PortableFile) => client.automations.import({ body: body(name, app) }),
    onSuccess: async ({ automation_id }) => {
      await queries.invalidateQueries({ queryKey: ["automations"] })
      await queries.invalidateQueries({ queryKey: ["automation", automation_id] })
      await navigate({ to: "/automations/$automationId", params: { automationId: String(automation_id) } })
    }
  })
  const preview = dryRun.data
  return (
    <Page
      title="Import an automation"
      trail={
        <Link to="/automations" search={{}}>
          Automations
        </Link>
      }
      lead="A file that was exported here or elsewhere names apps, fields and people instead of numbering them. Imported again, it changes the automation that it has made."
    >
      <section className="card" aria-label="The file">
        <div className="field">
          <label htmlFor={`${id}f`}>File (JSON or YAML)</label>
          <input
            id={`${id}f`}
            type="file"
            accept=".json,.yaml,.yml,application/json,application/yaml"
            onChange={({ target }) => {
              const [chosen] = target.files ?? []
              setFile(undefined)
              dryRun.reset()
              bring.reset()
              if (chosen !== undefined) openFile.mutate(chosen)
            }}
          />
        </div>
        <div className="field">
          <label htmlFor={`${id}a`}>Into which app</label>
          <ChoiceOfMany
            id={`${id}a`}
            value={app}
            none="The one that the file names"
            choices={knownApps.map(({ app_id, name }) => [app_id, name])}
            onChange={(into) => {
              setApp(into)
              if (file !== undefined) dryRun.mutate({ name: file, into })
            }}
          />
        </div>
        {openFile.isError && <Fault what="The file could not be read." error={openFile.error} />}
        {dryRun.isError && <Fault what="It cannot be imported." error={dryRun.error} />}
      </section>
      <div role="status">
        {preview !== undefined && file !== undefined && (
          <section className="card" aria-labelledby={`${id}w`}>
            <h2 id={`${id}w`}>
              {preview.missing.length > 0
                ? "What is missing here"
                : preview.automation_id === null
                  ? "What it would make"
                  : preview.changes.length === 0
                    ? "Nothing to do"
                    : "What it would change"}
            </h2>
            {preview.missing.length > 0 && (
              <>
                <p>Make these first, or choose another app. Nothing has been changed.</p>
                <ul>
                  {preview.missing.map((one) => (
                    <li key={one}>{one}</li>
                  ))}
                </ul>
              </>
            )}
            {preview.missing.length === 0 && preview.automation_id === null && (
              <p>
                The automation “{String(file["name"])}”
                {Array.isArray(file["actions"]) && ` with ${file["actions"].length} steps`}, as a draft: it does nothing
                until it is activated. You are its owner.
              </p>
            )}
            {preview.automation_id !== null && (
              <>
                <p>
                  This file has made{" "}
                  <Link to="/automations/$automationId" params={{ automationId: String(preview.automation_id) }}>
                    an automation
                  </Link>{" "}
                  already{preview.changes.length === 0 ? ", and it is as the file says." : "."}
                </p>
                <ul>
                  {preview.changes.map((one) => (
                    <li key={one}>{one}</li>
                  ))}
                </ul>
              </>
            )}
            {bring.isError && <Fault what="It was not imported." error={bring.error} />}
            {preview.missing.length === 0 && (preview.automation_id === null || preview.changes.length > 0) && (
              <button type="button" disabled={bring.isPending} onClick={() => bring.mutate(file)}>
                {preview.automation_id === null ? "Import it" : "Change it"}
              </button>
            )}
          </section>
        )}
      </div>
    </Page>
  )
}
