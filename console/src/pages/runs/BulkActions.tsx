// Cancels, retries or deletes all runs that the filters select, as a job; each says first what it will do.
import type { InputOf } from "@millrace/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Failure } from "../../ui/states.tsx"
import { JobList } from "./JobList.tsx"
import type { Status } from "./runWords.tsx"

type Selection = NonNullable<InputOf<"automationRuns.cancelMany">["body"]>

const acts = {
  cancel: {
    label: "Cancel",
    on: ["pending", "running"],
    say: "Those that wait or run end before their next step. What they have done stays done.",
    begin: (body: Selection) => client.automationRuns.cancelMany({ body })
  },
  retry: {
    label: "Retry",
    on: ["failed", "cancelled"],
    say: "Those that failed or were cancelled start once more, by their automations as they are now. One that was retried already is left out.",
    begin: (body: Selection) => client.automationRuns.retryMany({ body })
  },
  delete: {
    label: "Delete",
    on: ["completed", "failed", "cancelled"],
    say: "Those that are over are deleted with their logs. They cannot be brought back.",
    begin: (body: Selection) => client.automationRuns.deleteMany({ body })
  }
} as const satisfies Record<string, { readonly on: ReadonlyArray<Status> } & Record<string, unknown>>

type Act = keyof typeof acts

interface BulkProps {
  /** The filters of the list, as the API takes them. */
  readonly selection: Selection
  readonly total: number
}
export const BulkActions = ({ selection, total }: BulkProps) => {
  const queries = useQueryClient()
  const [chosen, setChosen] = useState(false)
  const begin = useMutation({
    mutationFn: (act: Act) => acts[act].begin(selection),
    onSuccess: async () => {
      setChosen(false)
      await queries.invalidateQueries({ queryKey: ["jobs"] })
    }
  })
  const status = selection.status
  const possible = (Object.keys(acts) as Array<Act>).filter(
    (act) => status === undefined || (acts[act].on as ReadonlyArray<Status>).includes(status)
  )
  return (
    <>
      {total > 0 && (
        <div className="tools">
          <div className="pick">
            <input
              id="all-runs"
              type="checkbox"
              checked={chosen}
              onChange={({ target }) => setChosen(target.checked)}
            />
            <label htmlFor="all-runs">{total === 1 ? "Select 1 run" : `Select all ${total} runs`}</label>
          </div>
          {chosen &&
            possible.map((act) => (
              <Confirm
                key={act}
                label={`${acts[act].label} runs`}
                about="found"
                title={total === 1 ? `${acts[act].label} 1 run?` : `${acts[act].label} all ${total} runs?`}
                yes={`${acts[act].label} runs`}
                busy={begin.isPending}
                onYes={() => begin.mutate(act)}
              >
                <p>{acts[act].say}</p>
              </Confirm>
            ))}
        </div>
      )}
      {begin.isError && <Failure what="The job was not started." error={begin.error} />}
      <JobList />
    </>
  )
}
