// Filters of the list of runs: status, app, automation, time, a part of their error, their record, what caused them. The address holds all
// of them.
import { useQuery } from "@tanstack/react-query"
import { useId, useState } from "react"
import { apps } from "../../api/queries.ts"
import { runFilters as texts } from "../../texts/runs/runs.ts"
import { ChoiceOfMany } from "../../ui/ChoiceOfMany.tsx"
import { Search } from "../../ui/Search.tsx"
import { useTyped } from "../../ui/useTyped.ts"
import { AutomationPicks } from "./AutomationPicks.tsx"
import { automationsIn, type RunSearch } from "./runSearch.ts"
import { type Status, statuses } from "./runWords.tsx"

interface FiltersProps {
  readonly search: RunSearch
  readonly change: (next: RunSearch) => void
  readonly found: string
}

const NumberField = ({
  label,
  value,
  change
}: {
  readonly label: string
  readonly value: number | undefined
  readonly change: (value: number | undefined) => void
}) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        pattern="[0-9]*"
        value={value ?? ""}
        onChange={({ target }) => {
          const number = Number(target.value)
          change(target.value !== "" && Number.isSafeInteger(number) && number > 0 ? number : undefined)
        }}
      />
    </div>
  )
}

const Moment = ({
  label,
  value,
  change
}: {
  readonly label: string
  readonly value: string | undefined
  readonly change: (value: string | undefined) => void
}) => {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="datetime-local"
        value={value ?? ""}
        onChange={({ target }) => change(target.value === "" ? undefined : target.value)}
      />
    </div>
  )
}

const ErrorText = ({ search, change, found }: FiltersProps) => {
  const [text, setText] = useTyped(search.error, (error) => change({ ...search, error }))
  return <Search label={texts.findAPart} value={text} onChange={setText} count={found} />
}

export const RunFilters = (props: FiltersProps) => {
  const { change, search } = props
  const knownApps = useQuery(apps).data?.apps ?? []
  const more = [search.record, search.cause, search.from, search.to].filter((one) => one !== undefined).length
  const id = useId()
  const [isOpen, setOpen] = useState(more > 0)
  const narrowed = Object.values(search).some((one) => one !== undefined)
  return (
    <div className="filter-bar run-filters">
      <div className="tools">
        <select
          aria-label={texts.status}
          id="status"
          className="short"
          value={search.status ?? ""}
          onChange={({ target }) => change({ ...search, status: (target.value || undefined) as Status | undefined })}
        >
          <option value="">{texts.anyStatus}</option>
          {Object.entries(statuses).map(([status, words]) => (
            <option key={status} value={status}>
              {words}
            </option>
          ))}
        </select>
        <ChoiceOfMany
          id="app-filter"
          label={texts.app}
          className="short"
          value={search.app}
          none={texts.anyApp}
          choices={knownApps.map(({ app_id, name, workspace_name }) => [app_id, name, workspace_name])}
          onChange={(app) => change({ ...search, app, automation: undefined })}
        />
        <AutomationPicks
          app={search.app}
          chosenIds={automationsIn(search)}
          onChange={(ids) => change({ ...search, automation: ids.length === 0 ? undefined : ids })}
        />
        <button
          type="button"
          className="quiet small"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {texts.recordCauseTime(more > 0 && ` (${more})`)}
        </button>
        {narrowed && (
          <button type="button" className="quiet small" onClick={() => change({})}>
            {texts.showEverything}
          </button>
        )}
      </div>
      <ErrorText {...props} />
      <div id={id} className="filter-fields" hidden={!isOpen}>
        <NumberField
          label={texts.numberOfTheRecord}
          value={search.record}
          change={(record) => change({ ...search, record })}
        />
        <NumberField
          label={texts.causedByTheRun}
          value={search.cause}
          change={(cause) => change({ ...search, cause })}
        />
        <Moment label={texts.from} value={search.from} change={(from) => change({ ...search, from })} />
        <Moment label={texts.to} value={search.to} change={(to) => change({ ...search, to })} />
      </div>
    </div>
  )
}
