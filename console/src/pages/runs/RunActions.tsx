// Cancelling and retrying a run, with what each will do said before it is done.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { runActions as texts } from "../../texts/runs/run.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { Failure } from "../../ui/states.tsx"
import { isOver, type RunWithLogs } from "./runWords.tsx"

interface AskProps {
  readonly run: RunWithLogs
  readonly close: () => void
}

const useAct = (act: () => Promise<unknown>, close: () => void) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      close()
      await Promise.all([
        queries.invalidateQueries({ queryKey: ["run"] }),
        queries.invalidateQueries({ queryKey: ["runs"] })
      ])
    }
  })
}

const Cancel = ({ run, close }: AskProps) => {
  const cancel = useAct(() => client.automationRuns.cancel({ run_id: run.id }), close)
  return (
    <Dialog title={texts.cancelThisRun} close={close}>
      <p>{texts.whatItHasDoneStays}</p>
      {run.waiting !== null && <p>{texts.itWaitsAtTheMoment}</p>}
      {run.waiting?.why === "called_run" && <p>{texts.runsThatItHasCalled}</p>}
      {cancel.isError && <Failure what={texts.itWasNotCancelled} error={cancel.error} />}
      <button type="button" className="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
        {texts.cancelTheRun}
      </button>
    </Dialog>
  )
}

/** Ways to retry: where it begins, and by which definition. */
const retries = {
  failed: {
    body: { from: "failed_step", definition: "original" },
    words: texts.retries.failed.words
  },
  mended: {
    body: { from: "failed_step", definition: "current" },
    words: texts.retries.mended.words
  },
  start: {
    body: { from: "start", definition: "current" },
    words: texts.retries.start.words
  }
} as const
type RetryKind = keyof typeof retries

const Retry = ({ run, close }: AskProps) => {
  const [kind, setKind] = useState<RetryKind>(run.status === "failed" ? "failed" : "start")
  const retry = useAct(() => client.automationRuns.retry({ run_id: run.id, body: retries[kind].body }), close)
  return (
    <Dialog title={texts.retryThisRun} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          retry.mutate()
        }}
      >
        <fieldset>
          <legend>{texts.fromWhere}</legend>
          {(Object.keys(retries) as ReadonlyArray<RetryKind>).map((name) => (
            <div className="pick" key={name}>
              <input
                id={`from-${name}`}
                type="radio"
                name="from"
                checked={kind === name}
                onChange={() => setKind(name)}
              />
              <label htmlFor={`from-${name}`}>{retries[name].words}</label>
            </div>
          ))}
        </fieldset>
        {retry.isError && <Failure what={texts.itWasNotRetried} error={retry.error} />}
        <button type="submit" disabled={retry.isPending}>
          {texts.retry}
        </button>
      </form>
    </Dialog>
  )
}

export const RunActions = ({ run }: { readonly run: RunWithLogs }) => {
  const [asking, setAsking] = useState<"cancel" | "retry">()
  const close = () => setAsking(undefined)
  const mayRetry = run.type !== "simulation" && (run.status === "failed" || run.status === "cancelled")
  return (
    <>
      {!isOver(run.status) && (
        <button type="button" className="quiet small" onClick={() => setAsking("cancel")}>
          {texts.cancel}
        </button>
      )}
      {mayRetry && (
        <button type="button" className="small" onClick={() => setAsking("retry")}>
          {texts.retry}
        </button>
      )}
      {asking === "cancel" && <Cancel run={run} close={close} />}
      {asking === "retry" && <Retry run={run} close={close} />}
    </>
  )
}
