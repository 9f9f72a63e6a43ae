// Chooses the sample: a record by its title, one of the latest runs, or the payload of a webhook.
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { type KeyboardEvent, useEffect, useRef, useState } from "react"
import { client } from "../../../../api/client.ts"
import { samplePicker as texts } from "../../../../texts/automations/editorSample.ts"
import { Search } from "../../../../ui/Search.tsx"
import { Failure } from "../../../../ui/states.tsx"
import { Time } from "../../../../ui/Time.tsx"
import { StatusTag } from "../../../runs/runWords.tsx"
import { useEditor } from "../context.ts"
import { JsonValue } from "../form/JsonValue.tsx"
import type { Sample } from "./sampleState.ts"
import { useSample } from "./useSample.ts"

/** Records that match, and runs, that are offered at a time. */
const OFFERED = 20

interface PickProps {
  readonly pick: (sample: Sample) => void
}

const Records = ({ pick }: PickProps) => {
  const { app } = useEditor()
  const [title, setTitle] = useState("")
  const matches = useQuery({
    queryKey: ["records", app.app_id, "sample", title.trim()],
    queryFn: ({ signal }) =>
      client.listings.filter(
        {
          app_id: app.app_id,
          limit: OFFERED,
          total: "none",
          body: { filters: [] },
          ...(title.trim() === "" ? {} : { title: title.trim() })
        },
        { signal }
      ),
    placeholderData: keepPreviousData
  })
  const records = matches.data?.records ?? []
  return (
    <section aria-labelledby="sample-records">
      <h2 id="sample-records">{texts.recordsOf(app.name)}</h2>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const [first] = records
          if (first !== undefined && !matches.isPlaceholderData)
            pick({ kind: "record", record_id: first.record_id, title: first.title })
        }}
      >
        <Search
          label={texts.findARecord}
          value={title}
          onChange={setTitle}
          count={texts.countRecords(records.length)}
        />
      </form>
      {matches.isError && <Failure what={texts.loadingTheRecordsFailed} error={matches.error} />}
      {matches.isSuccess && records.length === 0 && (
        <p className="muted">{title === "" ? texts.appHasNoRecordYet : texts.noRecordBegins}</p>
      )}
      <ul className="plain sample-choices">
        {records.map(({ record_id, title: recordTitle }) => (
          <li key={record_id}>
            <button
              type="button"
              className="quiet small"
              onClick={() => pick({ kind: "record", record_id, title: recordTitle })}
            >
              {recordTitle || texts.noRecordId(record_id)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const LatestRuns = ({ pick }: PickProps) => {
  const { draft } = useEditor()
  const { id } = draft.server
  const latest = useQuery({
    queryKey: ["runs", "sample", id],
    queryFn: ({ signal }) => client.automationRuns.listAutomation({ id, body: { limit: OFFERED } }, { signal })
  })
  const runs = (latest.data?.automation_runs ?? []).filter(({ type }) => type !== "simulation")
  return (
    <section aria-labelledby="sample-runs">
      <h2 id="sample-runs">{texts.latestRuns}</h2>
      {latest.isError && <Failure what={texts.loadingTheRunsFailed} error={latest.error} />}
      {latest.isSuccess && runs.length === 0 && <p className="muted">{texts.itHasNotRunYet}</p>}
      <ul className="plain sample-choices">
        {runs.map((run) => (
          <li key={run.id}>
            <button type="button" className="quiet small" onClick={() => pick({ kind: "run", run_id: run.id })}>
              {texts.runId(run.id)} <StatusTag status={run.status} /> <Time at={run.created_at} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Payload = ({ pick }: PickProps) => {
  const { sample } = useSample()
  const [payload, setPayload] = useState<unknown>(sample?.kind === "payload" ? sample.payload : {})
  return (
    <section aria-labelledby="sample-payload">
      <h2 id="sample-payload">{texts.aPayload}</h2>
      <p className="muted">{texts.pasteWhatTheWebhookBrings}</p>
      <JsonValue label={texts.payload} value={payload} onChange={setPayload} />
      <button type="button" onClick={() => pick({ kind: "payload", payload: payload ?? {} })}>
        {texts.useThisPayload}
      </button>
    </section>
  )
}

export const SamplePicker = ({ close }: { readonly close: () => void }) => {
  const { draft } = useEditor()
  const { choose, needsRecord } = useSample()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.querySelector<HTMLElement>("input, button, [tabindex]")?.focus(), [])
  const pick = (sample: Sample) => {
    choose(sample)
    close()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === "Escape") close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes it from wherever the keyboard is inside
    <div ref={element} className="sample-picker card" onKeyDown={onKeyDown}>
      {needsRecord && <Records pick={pick} />}
      {draft.now.trigger?.type === "webhook_received" && <Payload pick={pick} />}
      <LatestRuns pick={pick} />
    </div>
  )
}
