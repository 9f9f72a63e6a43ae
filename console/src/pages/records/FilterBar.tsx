// The conditions of a listing: those that hold as chips that can be taken away, and a form for one more. Those of a view are one chip that opens.
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { users } from "../../api/queries.ts"
import type { App, RecordFilter } from "../../api/types.ts"
import { filterBar as texts } from "../../texts/records/records.ts"
import { Dialog } from "../../ui/Dialog.tsx"
import { FilterForm } from "./FilterForm.tsx"
import { asksOf, optionsOf, periods } from "./filterWords.ts"
import type { GridSearch } from "./recordQueries.ts"

/** A condition in words: "State is In port". */
const useWords = () => {
  const { data } = useQuery(users)
  return (filter: RecordFilter, { fields }: App): string => {
    const field = fields.find(({ field_id }) => field_id === filter.field_id)
    if (field === undefined) return texts.fieldThatIsGone
    const matchingAsk = asksOf(field).find(({ match }) => match === filter.match_type)
    const value = filter.values?.[0]?.value
    const renderValue = (): string => {
      switch (matchingAsk?.given) {
        case "option":
          return optionsOf(field).find(({ id }) => id === value)?.text ?? String(value)
        case "user":
          if (filter.include_active_user === true) return texts.you
          return data?.users.find(({ user_id }) => user_id === value)?.name ?? texts.user(String(value))
        case "period":
          return periods[filter.relative_date_range_type as keyof typeof periods] ?? ""
        case "date":
          return typeof value === "object" ? (value.date ?? "") : String(value)
        case "nothing":
          return ""
        default:
          return `“${String(value)}”`
      }
    }
    return `${field.label} ${matchingAsk?.words ?? filter.match_type} ${renderValue()}`.trim()
  }
}

interface FilterBarProps {
  readonly app: App
  readonly search: GridSearch
  readonly change: (next: GridSearch) => void
  /** Conditions and order are those of the view. */
  readonly isOfView: boolean
  /** Field of a condition that somebody begins elsewhere. */
  readonly fieldId: number | undefined
  readonly setFieldId: (fieldId: number | undefined) => void
}

/** "Filtered by 1 · sorted by Weight"; empty where the view keeps neither. */
const viewWords = ({ filters = [], sort }: GridSearch, { fields }: App): string => {
  const label = fields.find(({ external_id }) => external_id === sort)?.label
  const words = [
    ...(filters.length > 0 ? [texts.filteredByCount(filters.length)] : []),
    ...(label === undefined ? [] : [texts.sortedByLabel(label)])
  ].join(" · ")
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

export const FilterBar = ({ app, search, change, fieldId, isOfView, setFieldId }: FilterBarProps) => {
  const [isAsked, setAsked] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setAsked(false)
    setFieldId(undefined)
  }
  const wordsOf = useWords()
  const filters = search.filters ?? []
  const { filters: _, ...rest } = search
  return (
    <>
      <button type="button" className="quiet small" onClick={() => setAsked(true)}>
        {texts.filter}
      </button>
      {isOfView && viewWords(search, app) !== "" && (
        <button
          type="button"
          className="quiet small view-words"
          aria-expanded={isOpen}
          title={viewWords(search, app)}
          onClick={() => setOpen(!isOpen)}
        >
          {viewWords(search, app)}
        </button>
      )}
      {(isOfView && !isOpen ? [] : filters).map((filter, index) => (
        <span className="chip" key={JSON.stringify(filter)}>
          {wordsOf(filter, app)}
          <button
            type="button"
            aria-label={texts.removeWords(wordsOf(filter, app))}
            onClick={() => {
              setOpen(false)
              change({ ...rest, filters: filters.filter((__, at) => at !== index) })
            }}
          >
            ×
          </button>
        </span>
      ))}
      {(isAsked || fieldId !== undefined) && (
        <Dialog title={texts.addACondition} close={close}>
          <FilterForm
            app={app}
            fieldId={fieldId}
            add={(filter) => {
              close()
              change({ ...rest, filters: [...filters, filter] })
            }}
          />
        </Dialog>
      )}
    </>
  )
}
