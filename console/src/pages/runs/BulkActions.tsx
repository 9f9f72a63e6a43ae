// Cancels, retries or deletes runs as a job: those that are ticked, or all that the filters select; each says first what it will do.
import type { InputOf } from "@millrace/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Failure } from "../../ui/states.tsx"
import { JobList } from "./JobList.tsx"
import { type Status, statuses } from "./runWords.tsx"
import type { RunTicks } from "./useRunTicks.ts"

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

const everyStatus = Object.keys(statuses) as ReadonlyArray<Status>

interface ActButtonsProps {
  readonly possible: ReadonlyArray<Act>
  /** Words for which runs: `found`, `selected`. */
  readonly about: string
  /** Words for the runs: `1 run`, `all 12 runs`. */
  readonly runs: string
  readonly isBusy: boolean
  readonly begin: (act: Act) => void
}
const ActButtons = ({ about, begin, isBusy, possible, runs }: ActButtonsProps) =>
  possible.map((act) => (
    <Confirm
      key={act}
      label={`${acts[act].label} runs`}
      about={about}
      title={`${acts[act].label} ${runs}?`}
      yes={`${acts[act].label} runs`}
      busy={isBusy}
      onYes={() => begin(act)}
    >
      <p>{acts[act].say}</p>
    </Confirm>
  ))

const possibleOn = (present: ReadonlyArray<Status>) =>
  (Object.keys(acts) as Array<Act>).filter((act) =>
    present.some((status) => (acts[act].on as ReadonlyArray<Status>).includes(status))
  )

const countOf = (count: number) => (count === 1 ? "1 run" : `${count} runs`)

interface BulkProps {
  /** The filters of the list, as the API takes them. */
  readonly filters: Selection
  readonly total: number
  readonly ticks: RunTicks
}
export const BulkActions = ({ filters, ticks, total }: BulkProps) => {
  const queries = useQueryClient()
  const [isAllChosen, setAllChosen] = useState(false)
  const begin = useMutation({
    mutationFn: ({ act, selection }: { readonly act: Act; readonly selection: Selection }) =>
      acts[act].begin(selection),
    onSuccess: async () => {
      setAllChosen(false)
      ticks.clear()
      await queries.invalidateQueries({ queryKey: ["jobs"] })
    }
  })
  const { clear, isFull, ticked } = ticks
  return (
    <>
      {ticked.length > 0 ? (
        <div className="tools bulk" role="toolbar" aria-label="Selected runs">
          <span role="status">
            {ticked.length} selected{isFull && ", as many as may be"}
          </span>
          <ActButtons
            possible={possibleOn(ticked.map(({ status }) => status))}
            about="selected"
            runs={countOf(ticked.length)}
            isBusy={begin.isPending}
            begin={(act) => begin.mutate({ act, selection: { run_ids: ticked.map(({ id }) => id) } })}
          />
          <button type="button" className="quiet small" onClick={clear}>
            Clear selection
          </button>
        </div>
      ) : (
        total > 0 && (
          <div className="tools">
            <div className="pick">
              <input
                id="all-runs"
                type="checkbox"
                checked={isAllChosen}
                onChange={({ target }) => setAllChosen(target.checked)}
              />
              <label htmlFor="all-runs">{total === 1 ? "Select 1 run" : `Select all ${total} runs`}</label>
            </div>
            {isAllChosen && (
              <ActButtons
                possible={possibleOn(filters.status === undefined ? everyStatus : [filters.status])}
                about="found"
                runs={total === 1 ? "1 run" : `all ${total} runs`}
                isBusy={begin.isPending}
                begin={(act) => begin.mutate({ act, selection: filters })}
              />
            )}
          </div>
        )
      )}
      {begin.isError && <Failure what="The job was not started." error={begin.error} />}
      <JobList />
    </>
  )
}
