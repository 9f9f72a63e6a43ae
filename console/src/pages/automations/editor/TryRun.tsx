// "Try it": a run by hand of what is saved, dry or real, of the automation or of one step, with every value that it has seen.
import { useMutation, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useId, useState } from "react"
import { client } from "../../../api/client.ts"
import { againWhile } from "../../../api/goingOn.ts"
import { Failure } from "../../../ui/states.tsx"
import { RunSteps } from "../../runs/RunSteps.tsx"
import { isOver, StatusTag } from "../../runs/runWords.tsx"
import { useEditor } from "./context.ts"
import { JsonValue } from "./form/JsonValue.tsx"

/** Polling interval of the requested run, in milliseconds, until it is over; events bring it sooner. */
const LOOK = 1_000
/** Newest runs that are searched for the requested one: it cannot be found by its id before it begins. */
const NEWEST = 100

const newest = async (id: number) =>
  (await client.automationRuns.listAutomation({ id, body: { limit: NEWEST } })).automation_runs

interface Asked {
  readonly automation: number
  /** `null` where something is still to be judged that may leave no run. */
  readonly run: string | null
  /** Runs that were there before. */
  readonly before: ReadonlyArray<string>
}

/** Returns the id of the requested run once it has started. */
const findStartedRun = async ({ automation, before, run }: Asked): Promise<string | null> => {
  const isIt = ({ id, type }: { readonly id: string; readonly type: string }) =>
    run === null ? type !== "regular" && !before.includes(id) : id === run
  return (await newest(automation)).find(isIt)?.id ?? null
}

const Outcome = ({ id }: { readonly id: string }) => {
  const { data } = useQuery({
    queryKey: ["run", id],
    queryFn: async ({ signal }) => (await client.automationRuns.get({ run_id: id }, { signal })).automation_run,
    refetchInterval: ({ state }) => againWhile(state.data && !isOver(state.data.status), LOOK)
  })
  if (data === undefined) return <p role="status">It begins.</p>
  return (
    <>
      <p role="status">
        <StatusTag status={data.status} />{" "}
        <Link to="/runs/$runId" params={{ runId: id }}>
          Open the run
        </Link>
      </p>
      {data.error_message !== null && <p className="note bad">{data.error_message}</p>}
      <RunSteps runId={id} />
    </>
  )
}

const Awaited = ({ asked }: { readonly asked: Asked }) => {
  const { data, error } = useQuery({
    queryKey: ["asked run", asked],
    queryFn: () => findStartedRun(asked),
    refetchInterval: ({ state }) => againWhile(!state.data, LOOK / 2)
  })
  if (data) return <Outcome id={data} />
  if (error !== null) return <Failure what="What came of it is not known." error={error} />
  return (
    <p role="status">
      It waits for its turn.
      {asked.run === null && " None comes where the filter turns the record away, or the record has no comment."}
    </p>
  )
}

export const TryRun = ({ step }: { readonly step?: string }) => {
  const { app, draft } = useEditor()
  const id = useId()
  const [record, setRecord] = useState<number>()
  const [real, setReal] = useState(false)
  const [payload, setPayload] = useState<unknown>({})
  const type = draft.now.trigger?.type
  const needsRecord = type !== "periodic" && type !== "webhook_received"
  const records = useQuery({
    queryKey: ["records", app.app_id, "try"],
    queryFn: ({ signal }) =>
      client.listings.filter({ app_id: app.app_id, limit: 50, body: { filters: [] } }, { signal }),
    enabled: needsRecord
  })
  const chosenRecordId = record ?? records.data?.records[0]?.record_id
  const run = useMutation({
    mutationFn: async () => {
      const automation_id = (await draft.save.mutateAsync(undefined)).id
      // Loads the records first if a quick user presses before they are there.
      const on = needsRecord ? (chosenRecordId ?? (await records.refetch()).data?.records[0]?.record_id) : undefined
      const body = needsRecord
        ? on === undefined
          ? {}
          : { record_id: on }
        : type === "webhook_received"
          ? { webhook_payload: payload }
          : {}
      const previousRunIds = (await newest(automation_id)).map((one) => one.id)
      const { run_id } = await (step !== undefined
        ? client.automationRuns.testStep({
            automation_id,
            body: { action_id: step, real, ...(on === undefined ? {} : { record_id: on }) }
          })
        : real
          ? client.automationRuns.manualRun({ automation_id, body: body as never })
          : client.automationRuns.simulate({ automation_id, body: body as never }))
      return { automation: automation_id, run: run_id, before: previousRunIds }
    }
  })
  const what = step === undefined ? "it" : "this step"
  return (
    <section className="try" aria-label={`Try ${what}`}>
      {step !== undefined && <h3>Try this step</h3>}
      {needsRecord ? (
        <div className="field">
          <label htmlFor={`${id}-record`}>On the record</label>
          <select
            id={`${id}-record`}
            value={chosenRecordId ?? ""}
            onChange={({ target }) => setRecord(Number(target.value))}
          >
            {(records.data?.records ?? []).map(({ record_id, title }) => (
              <option key={record_id} value={record_id}>
                {title || `No. ${record_id}`}
              </option>
            ))}
          </select>
          {records.data?.records.length === 0 && <small>There is no record to try it on.</small>}
        </div>
      ) : (
        type === "webhook_received" && (
          <fieldset className="field group">
            <legend>What the webhook brings</legend>
            <JsonValue label="What the webhook brings" value={payload} onChange={setPayload} />
          </fieldset>
        )
      )}
      <div className="pick">
        <input id={`${id}-real`} type="checkbox" checked={real} onChange={() => setReal(!real)} />
        <label htmlFor={`${id}-real`}>
          For real: it writes, sends and calls. Otherwise it only says what it would do.
        </label>
      </div>
      <button type="button" disabled={run.isPending} onClick={() => run.mutate()}>
        {draft.dirty ? `Save and try ${what}` : `Try ${what}`}
      </button>
      {run.isError && <Failure what="It was not tried." error={run.error} />}
      {run.data !== undefined && <Awaited asked={run.data} />}
    </section>
  )
}
