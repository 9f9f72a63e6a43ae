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
import { importPage as texts } from "../../texts/automations/import.ts"

type PortableFile = Readonly<Record<string, unknown>>

/** Larger ones are no definition. */
const BYTES_AT_MOST = 524_288

class NoFile extends Error {}

const read = async (text: string): Promise<PortableFile> => {
  if (text.length > BYTES_AT_MOST) throw new NoFile(texts.fileIsLargerThanHalf)
  const { parse } = await import("yaml")
  let value: unknown
  try {
    value = parse(text, { maxAliasCount: 0 })
  } catch (error) {
    throw new NoFile(texts.fileIsNeitherJsonNor(error instanceof Error ? error.message : ""))
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new NoFile(texts.fileHoldsNoAutomation)
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
      title={texts.importAnAutomation}
      trail={
        <Link to="/automations" search={{}}>
          {texts.automations}
        </Link>
      }
      lead={texts.fileThatWasExportedHere}
    >
      <section className="card" aria-label={texts.theFile}>
        <div className="field">
          <label htmlFor={`${id}f`}>{texts.fileJsonOrYaml}</label>
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
          <label htmlFor={`${id}a`}>{texts.intoWhichApp}</label>
          <ChoiceOfMany
            id={`${id}a`}
            value={app}
            none={texts.oneThatTheFileNames}
            choices={knownApps.map(({ app_id, name }) => [app_id, name])}
            onChange={(into) => {
              setApp(into)
              if (file !== undefined) dryRun.mutate({ name: file, into })
            }}
          />
        </div>
        {openFile.isError && <Fault what={texts.fileCouldNotBeRead} error={openFile.error} />}
        {dryRun.isError && <Fault what={texts.itCannotBeImported} error={dryRun.error} />}
      </section>
      <div role="status">
        {preview !== undefined && file !== undefined && (
          <section className="card" aria-labelledby={`${id}w`}>
            <h2 id={`${id}w`}>
              {preview.missing.length > 0
                ? texts.whatIsMissingHere
                : preview.automation_id === null
                  ? texts.whatItWouldMake
                  : preview.changes.length === 0
                    ? texts.nothingToDo
                    : texts.whatItWouldChange}
            </h2>
            {preview.missing.length > 0 && (
              <>
                <p>{texts.makeTheseFirstOrChoose}</p>
                <ul>
                  {preview.missing.map((one) => (
                    <li key={one}>{one}</li>
                  ))}
                </ul>
              </>
            )}
            {preview.missing.length === 0 && preview.automation_id === null && (
              <p>
                {texts.automationAsADraft(
                  String(file["name"]),
                  Array.isArray(file["actions"]) && texts.withCountSteps(file["actions"].length)
                )}
              </p>
            )}
            {preview.automation_id !== null && (
              <>
                <p>
                  {texts.thisFileHasMade(
                    <Link to="/automations/$automationId" params={{ automationId: String(preview.automation_id) }}>
                      {texts.anAutomation}
                    </Link>,
                    preview.changes.length === 0 ? texts.andItIsAsTheFile : "."
                  )}
                </p>
                <ul>
                  {preview.changes.map((one) => (
                    <li key={one}>{one}</li>
                  ))}
                </ul>
              </>
            )}
            {bring.isError && <Fault what={texts.itWasNotImported} error={bring.error} />}
            {preview.missing.length === 0 && (preview.automation_id === null || preview.changes.length > 0) && (
              <button type="button" disabled={bring.isPending} onClick={() => bring.mutate(file)}>
                {preview.automation_id === null ? texts.importIt : texts.changeIt}
              </button>
            )}
          </section>
        )}
      </div>
    </Page>
  )
}
