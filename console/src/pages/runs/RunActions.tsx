// Cancelling and retrying a run, with what each will do said before it is done.
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
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
    <Dialog title="Cancel this run?" close={close}>
      <p>What it has done stays done. No further step begins, and it cannot be taken up where it was, only retried.</p>
      {run.waiting !== null && <p>It waits at the moment: that ends at once, and with it the run.</p>}
      {run.waiting?.why === "called_run" && <p>The runs that it has called and waits for are cancelled with it.</p>}
      {cancel.isError && <Failure what="It was not cancelled." error={cancel.error} />}
      <button type="button" className="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
        Cancel the run
      </button>
    </Dialog>
  )
}

/** Ways to retry: where it begins, and by which definition. */
const retries = {
  failed: {
    body: { from: "failed_step", definition: "original" },
    words: "The failed step. What is done is not repeated; the automation is taken as it was then."
  },
  mended: {
    body: { from: "failed_step", definition: "current" },
    words:
      "The failed step, by the automation as it is now. What is done is not repeated, if those steps are unchanged."
  },
  start: {
    body: { from: "start", definition: "current" },
    words: "The start. Everything is done once more, by the automation as it is now, if its filter still matches."
  }
} as const
type RetryKind = keyof typeof retries

const Retry = ({ run, close }: AskProps) => {
  const [kind, setKind] = useState<RetryKind>(run.status === "failed" ? "failed" : "start")
  const retry = useAct(() => client.automationRuns.retry({ run_id: run.id, body: retries[kind].body }), close)
  return (
    <Dialog title="Retry this run" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          retry.mutate()
        }}
      >
        <fieldset>
          <legend>From where</legend>
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
        {retry.isError && <Failure what="It was not retried." error={retry.error} />}
        <button type="submit" disabled={retry.isPending}>
          Retry
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
          Cancel
        </button>
      )}
      {mayRetry && (
        <button type="button" className="small" onClick={() => setAsking("retry")}>
          Retry
        </button>
      )}
      {asking === "cancel" && <Cancel run={run} close={close} />}
      {asking === "retry" && <Retry run={run} close={close} />}
    </>
  )
}
