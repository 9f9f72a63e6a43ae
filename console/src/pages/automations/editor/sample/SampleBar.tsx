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
import { sampleBar as texts } from "../../../../texts/automations/editorSample.ts"

const useSampleName = () => {
  const { draft } = useEditor()
  const { needsRecord, sample } = useSample()
  if (sample === undefined)
    return needsRecord
      ? texts.noRecordYet
      : draft.now.trigger?.type === "webhook_received"
        ? texts.lastRequest
        : texts.noneNeeded
  if (sample.kind === "record") return sample.title || texts.noRecordId(sample.record_id)
  return sample.kind === "run" ? texts.runId(sample.run_id) : texts.pastedPayload
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
    return step === undefined ? texts.stepThatWasDeleted : step.custom_name || label(step.type)
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
        {texts.runIdFailed(sampleRun.id)}
        {failedId !== undefined && <> {texts.at(nameOf(failedId))}</>}: {sampleRun.error_message}
      </p>
      <div className="actions">
        {failedId !== undefined && (
          <button type="button" className="quiet small" onClick={() => choose(failedId)}>
            {texts.showTheStep}
          </button>
        )}
        {sampleRun.type !== "simulation" && (
          <button
            type="button"
            className="small"
            disabled={runFromHere.isPending}
            onClick={() => runFromHere.mutate(sampleRun.id)}
          >
            {texts.publishAndRunFromHere}
          </button>
        )}
      </div>
      {changed.length > 0 ? (
        <p role="alert">{texts.itCannotGo(changed.map(nameOf).join(", "))}</p>
      ) : (
        runFromHere.isError && <Failure what={texts.itDidNotGoOn} error={error} />
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
    <section className="sample-bar" aria-label={texts.sample}>
      <button
        ref={opener}
        type="button"
        className="quiet small"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {texts.sampleSampleName(useSampleName())}
      </button>
      <button
        type="button"
        className="small"
        disabled={testAll.isPending}
        title={draft.dirty ? texts.savesAndRunsAllSteps : texts.runsAllSteps}
        onClick={() => testAll.mutate()}
      >
        {isPublished ? texts.publishAndTestAll : texts.testAll}
      </button>
      <div className="pick">
        <input id="sample-real" type="checkbox" checked={isReal} onChange={() => setReal(!isReal)} />
        <label htmlFor="sample-real" title={texts.otherwiseStepsOnlySay}>
          {texts.forReal}
        </label>
      </div>
      <span role="status">
        {isAwaited ? (
          texts.testing
        ) : shownRun === undefined ? null : (
          <>
            <StatusTag status={shownRun.status} />{" "}
            <Link to="/runs/$runId" params={{ runId: shownRun.id }} search={{}}>
              {texts.openTheRun}
            </Link>
          </>
        )}
        {testAll.data === null && texts.askedForNo}
      </span>
      {allRun?.error_message != null && <p className="error-line">{allRun.error_message}</p>}
      {testAll.isError && <Failure what={texts.itWasNotTested} error={testAll.error} />}
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
