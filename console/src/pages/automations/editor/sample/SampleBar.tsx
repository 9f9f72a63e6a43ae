// The bar above the flow: which data its steps are tested with, the test of all steps, and what came of it. With a failed run as the sample, the
// mended steps go on from where it failed.
import { isApiError } from "@millrace/client"
import { useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useRef, useState } from "react"
import { Failure } from "../../../../ui/states.tsx"
import { failedStepOf } from "../../../runs/runQueries.ts"
import { StatusTag } from "../../../runs/runWords.tsx"
import { useEditor, useLabels } from "../context.ts"
import { stepOf } from "../model/steps.ts"
import { SamplePicker } from "./SamplePicker.tsx"
import { useSample } from "./useSample.ts"
import "./sample.css"

const useSampleName = () => {
  const { draft } = useEditor()
  const { needsRecord, sample } = useSample()
  if (sample === undefined)
    return needsRecord
      ? "no record yet"
      : draft.now.trigger?.type === "webhook_received"
        ? "last request"
        : "none needed"
  if (sample.kind === "record") return sample.title || `No. ${sample.record_id}`
  return sample.kind === "run" ? `run ${sample.run_id}` : "pasted payload"
}

/** A failed run goes on with the mended steps; what hinders it names the steps by their labels. */
const FailedRun = () => {
  const { choose, draft } = useEditor()
  const label = useLabels()
  const { runFromHere, sampleRun } = useSample()
  const isFailed = sampleRun?.status === "failed"
  const failedId = useQuery({ ...failedStepOf(sampleRun?.id ?? ""), enabled: isFailed }).data?.id
  if (!isFailed) return null
  const nameOf = (id: string) => {
    const step = stepOf(draft.now.actions, id)
    return step === undefined ? "a step that was deleted" : step.custom_name || label(step.type)
  }
  const error = runFromHere.error
  const changed = isApiError(error, "conflict_error")
    ? ((error.body.errors ?? []) as ReadonlyArray<{ readonly action_id?: string | null }>).flatMap(({ action_id }) =>
        typeof action_id === "string" ? [action_id] : []
      )
    : []
  return (
    <div className="note bad failed-sample">
      <p>
        Run {sampleRun.id} failed{failedId !== undefined && <> at “{nameOf(failedId)}”</>}: {sampleRun.error_message}
      </p>
      <div className="actions">
        {failedId !== undefined && (
          <button type="button" className="quiet small" onClick={() => choose(failedId)}>
            Show the step
          </button>
        )}
        {sampleRun.type !== "simulation" && (
          <button
            type="button"
            className="small"
            disabled={runFromHere.isPending}
            onClick={() => runFromHere.mutate(sampleRun.id)}
          >
            Publish and run from here
          </button>
        )}
      </div>
      {changed.length > 0 ? (
        <p role="alert">
          It cannot go on from here: {changed.map(nameOf).join(", ")} had finished and was changed since. Undo that
          change, or retry the run from its start.
        </p>
      ) : (
        runFromHere.isError && <Failure what="It did not go on." error={error} />
      )}
    </div>
  )
}

export const SampleBar = () => {
  const { draft } = useEditor()
  const { allRun, isReal, sampleRun, setReal, testAll } = useSample()
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  // A test runs what the service has, and a saved change of an active automation is in force.
  const isPublished = draft.dirty && draft.server.status === "active"
  const shownRun = allRun ?? sampleRun
  const isAwaited = testAll.isPending || (testAll.data != null && allRun === undefined)
  return (
    <section className="sample-bar" aria-label="Sample">
      <button
        ref={opener}
        type="button"
        className="quiet small"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        Sample: {useSampleName()}
      </button>
      <button
        type="button"
        className="small"
        disabled={testAll.isPending}
        title={draft.dirty ? "Saves, and runs all steps with the sample" : "Runs all steps with the sample"}
        onClick={() => testAll.mutate()}
      >
        {isPublished ? "Publish and test all" : "Test all"}
      </button>
      <div className="pick">
        <input id="sample-real" type="checkbox" checked={isReal} onChange={() => setReal(!isReal)} />
        <label htmlFor="sample-real" title="Otherwise steps only say what they would write, send and call">
          For real: write, send and call
        </label>
      </div>
      <span role="status">
        {isAwaited ? (
          "Testing"
        ) : shownRun === undefined ? null : (
          <>
            <StatusTag status={shownRun.status} />{" "}
            <Link to="/runs/$runId" params={{ runId: shownRun.id }} search={{}}>
              Open the run
            </Link>
          </>
        )}
        {testAll.data === null && "Asked for. No run comes where the filter turns the record away."}
      </span>
      {allRun?.error_message != null && <p className="error-line">{allRun.error_message}</p>}
      {testAll.isError && <Failure what="It was not tested." error={testAll.error} />}
      {isOpen && (
        <SamplePicker
          close={() => {
            setOpen(false)
            opener.current?.focus()
          }}
        />
      )}
      <FailedRun />
    </section>
  )
}
