// Another type for a field (developer-api.md 11.4): first what becomes of its values and what uses it, then the button that converts them,
// and how far the job has come.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useId, useState } from "react"
import { targetsOf } from "../../../../src/domain/records/conversion/conversionTable.ts"
import { client } from "../../api/client.ts"
import { againWhile } from "../../api/goingOn.ts"
import type { App, Field } from "../../api/types.ts"
import { changeType as texts } from "../../texts/apps/fields.ts"
import { Failure } from "../../ui/states.tsx"
import { appChanged } from "./appQueries.ts"
import { ConversionJob } from "./ConversionJob.tsx"
import { Outcome } from "./ConversionOutcome.tsx"
import { kindOf } from "./fieldKinds.tsx"
import { optionsAsDraft, optionsAsInput } from "./settings/options.ts"
import type { Settings } from "./settings/settings.ts"

type FieldType = Field["field_type"]

/** Settings to begin with: those of the field as far as the new type has them. */
const firstSettings = (field: Field, target: FieldType): Settings => {
  const former = field.config.settings as Settings
  const first = kindOf(target).first?.() ?? {}
  if ("options" in first)
    return "options" in former ? optionsAsDraft(former) : target === "status" ? first : { options: [] }
  return Object.fromEntries(Object.entries(first).map(([key, value]) => [key, key in former ? former[key] : value]))
}
const inputOf = (settings: Settings) => ("options" in settings ? optionsAsInput(settings) : settings)

interface ChangeTypeProps {
  readonly app: App
  readonly field: Field
  readonly changed: (label: string) => void
}
export const ChangeType = ({ app, changed, field }: ChangeTypeProps) => {
  const id = useId()
  const queries = useQueryClient()
  const targets = targetsOf(field.field_type) as ReadonlyArray<FieldType>
  const [target, setTarget] = useState<FieldType>(targets[0]!)
  const [settings, setSettings] = useState<Settings>(() => firstSettings(field, targets[0]!))
  const { about, Form } = kindOf(target)
  const body = { field_type: target, ...(Form === undefined ? {} : { config: { settings: inputOf(settings) } }) }
  const convert = (dry_run: boolean) =>
    client.apps.convertField({ field_id: field.field_id, body: { ...body, dry_run } as never })
  const preview = useMutation({ mutationFn: () => convert(true) })
  const start = useMutation({ mutationFn: () => convert(false) })
  const job_id = start.data?.job_id ?? preview.data?.job_id ?? null
  const job = useQuery({
    queryKey: ["job", job_id],
    queryFn: ({ signal }) => client.jobs.get({ job_id: job_id! }, { signal }),
    enabled: job_id !== null,
    refetchInterval: ({ state }) => againWhile(state.data === undefined || state.data.completed_at === null, 1_000)
  })
  const isConverted = start.data !== undefined && job.data?.status === "completed"
  useEffect(() => {
    if (!isConverted) return
    void appChanged(queries, app.app_id)
    changed(field.label)
  }, [isConverted, queries, app.app_id, changed, field.label])
  const choose = (chosenType: FieldType) => {
    setTarget(chosenType)
    setSettings(firstSettings(field, chosenType))
    preview.reset()
  }
  if (start.data !== undefined)
    return job.data === undefined ? <p>{texts.conversionBegins}</p> : <ConversionJob job={job.data} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        preview.mutate()
      }}
    >
      <div className="field">
        <label htmlFor={`${id}-type`}>{texts.newType}</label>
        <select id={`${id}-type`} value={target} onChange={({ target: { value } }) => choose(value as FieldType)}>
          {targets.map((type) => (
            <option key={type} value={type}>
              {kindOf(type).name}
            </option>
          ))}
        </select>
        <small>{about}</small>
      </div>
      {Form !== undefined && (
        <Form
          settings={settings}
          onChange={(next) => {
            setSettings(next)
            preview.reset()
          }}
        />
      )}
      {preview.isError && <Failure what={texts.thisCannotBeConverted} error={preview.error} />}
      {preview.data !== undefined && <Outcome conversion={preview.data} job={job.data} />}
      {start.isError && <Failure what={texts.conversionDidNotStart} error={start.error} />}
      <div className="buttons">
        <button type="submit" className="quiet" disabled={preview.isPending}>
          {texts.preview}
        </button>
        {preview.data !== undefined && (
          <button type="button" disabled={start.isPending} onClick={() => start.mutate()}>
            {texts.changeType}
          </button>
        )}
      </div>
    </form>
  )
}
