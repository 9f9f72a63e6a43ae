// Cancels, retries or deletes runs as a job: those that are ticked, or all that the filters select; each says first what it will do.
import type { InputOf } from "@millrace/client"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../../api/client.ts"
import { bulkActions as texts } from "../../texts/runs/runs.ts"
import { Confirm } from "../../ui/Confirm.tsx"
import { Failure } from "../../ui/states.tsx"
import { JobList } from "./JobList.tsx"
import { type Status, statuses } from "./runWords.tsx"
import type { RunTicks } from "./useRunTicks.ts"

type Selection = NonNullable<InputOf<"automationRuns.cancelMany">["body"]>

const acts = {
  cancel: {
    label: texts.acts.cancel.label,
    on: ["pending", "running"],
    say: texts.acts.cancel.say,
    begin: (body: Selection) => client.automationRuns.cancelMany({ body })
  },
  retry: {
    label: texts.acts.retry.label,
    on: ["failed", "cancelled"],
    say: texts.acts.retry.say,
    begin: (body: Selection) => client.automationRuns.retryMany({ body })
  },
  delete: {
    label: texts.acts.delete.label,
    on: ["completed", "failed", "cancelled"],
    say: texts.acts.delete.say,
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
      label={texts.labelRuns(acts[act].label)}
      about={about}
      title={`${acts[act].label} ${runs}?`}
      yes={texts.labelRuns(acts[act].label)}
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

const countOf = (count: number) => texts.runs(count)

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
        <div className="tools bulk" role="toolbar" aria-label={texts.selectedRuns}>
          <span role="status">{texts.countSelected(ticked.length, isFull && texts.asManyAsMayBe)}</span>
          <ActButtons
            possible={possibleOn(ticked.map(({ status }) => status))}
            about={texts.selected}
            runs={countOf(ticked.length)}
            isBusy={begin.isPending}
            begin={(act) => begin.mutate({ act, selection: { run_ids: ticked.map(({ id }) => id) } })}
          />
          <button type="button" className="quiet small" onClick={clear}>
            {texts.clearSelection}
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
              <label htmlFor="all-runs">{texts.selectAllRuns(total)}</label>
            </div>
            {isAllChosen && (
              <ActButtons
                possible={possibleOn(filters.status === undefined ? everyStatus : [filters.status])}
                about={texts.found}
                runs={texts.allRuns(total)}
                isBusy={begin.isPending}
                begin={(act) => begin.mutate({ act, selection: filters })}
              />
            )}
          </div>
        )
      )}
      {begin.isError && <Failure what={texts.jobWasNotStarted} error={begin.error} />}
      <JobList />
    </>
  )
}
