// Finds records, comments, automations and apps as one types (developer-api.md 11.1): a combobox whose arrow keys choose and whose Enter opens.
import { ApiError } from "@millrace/client"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type KeyboardEvent, useEffect, useId, useState } from "react"
import { client } from "../../api/client.ts"
import { apps } from "../../api/queries.ts"
import type { SearchResult } from "../../api/types.ts"
import { Dialog } from "../Dialog.tsx"
import { icons } from "../icons.tsx"
import { recentResults, rememberResult } from "./recentResults.ts"
import { SearchOption } from "./SearchOption.tsx"

const AFTER_KEYS = 150
const RESULTS = 12
/** A letter of an alphabet finds nearly everything; one of Chinese or Japanese is a word. */
const isWorthAsking = (q: string) => q.length > 1 || /[\u3000-\uffff]/.test(q)
const LONGEST = 200

/** The text, a moment after the last key. */
const useSettled = (text: string) => {
  const [settledText, setSettledText] = useState(text)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettledText(text), AFTER_KEYS)
    return () => window.clearTimeout(timer)
  }, [text])
  return settledText
}

const useResults = (text: string) => {
  const typedText = text.trim()
  const q = useSettled(typedText)
  const isAsked = isWorthAsking(q)
  const query = useQuery({
    queryKey: ["search", q],
    queryFn: ({ signal }) => client.search.find({ q, limit: RESULTS }, { signal }),
    enabled: isAsked,
    // Records change while the dialog is closed.
    staleTime: 0,
    placeholderData: keepPreviousData
  })
  /** True while what is listed is not of the text that was typed. */
  const isBehind = q !== typedText || (isAsked && query.isPlaceholderData)
  return { ...query, isAsked, isBehind, results: isAsked ? (query.data?.results ?? []) : recentResults() }
}

const statusOf = ({ data, error, isAsked, isPending, results }: ReturnType<typeof useResults>) => {
  if (!isAsked)
    return results.length === 0 ? "Records, comments, automations and apps, by the beginnings of words." : "Opened last"
  if (error instanceof ApiError && error.status === 400) return "The search has too many words. Leave some out."
  if (error !== null) return "The search failed. Try again in a moment."
  if (isPending) return "Searching…"
  if (results.length === 0) return "Nothing found."
  if (data?.cursor !== null) return `The first ${results.length} results. Type more to narrow them.`
  return `${results.length} ${results.length === 1 ? "result" : "results"}`
}

export const SearchDialog = ({ close }: { readonly close: () => void }) => {
  const id = useId()
  const navigate = useNavigate()
  const [text, setText] = useState("")
  const [chosen, setChosen] = useState(0)
  const found = useResults(text)
  const { results } = found
  const { data: allApps } = useQuery(apps)
  const active = Math.min(chosen, results.length - 1)
  const optionId = (n: number) => `${id}-option-${n}`

  const open = (result: SearchResult) => {
    rememberResult(result)
    close()
    if (result.kind === "app") return navigate({ to: "/apps/$appId", params: { appId: String(result.id) } })
    if (result.kind === "automation")
      return navigate({ to: "/automations/$automationId", params: { automationId: String(result.id) } })
    const recordId = String(result.record_id ?? result.id)
    const hash = result.kind === "comment" ? { hash: `comment-${result.id}` } : {}
    return navigate({ to: "/records/$recordId", params: { recordId }, ...hash })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || results.length === 0) return
    const next = { ArrowDown: active + 1, ArrowUp: active - 1 }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      const wrapped = (next + results.length) % results.length
      setChosen(wrapped)
      document.getElementById(optionId(wrapped))?.scrollIntoView({ block: "nearest" })
    } else if (event.key === "Enter") {
      event.preventDefault()
      if (!found.isBehind) void open(results[active]!)
    }
  }

  return (
    <Dialog title="Search" close={close}>
      <div className="find search-field">
        <label className="unseen" htmlFor={id}>
          Search everything
        </label>
        {icons.search}
        <input
          id={id}
          ref={(input) => {
            input?.focus()
          }}
          role="combobox"
          aria-expanded={results.length > 0}
          aria-controls={`${id}-results`}
          aria-autocomplete="list"
          aria-activedescendant={results.length > 0 ? optionId(active) : undefined}
          type="text"
          placeholder="Search everything"
          value={text}
          maxLength={LONGEST}
          autoComplete="off"
          spellCheck={false}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setText(target.value)
            setChosen(0)
          }}
        />
      </div>
      <p className="muted search-status" role="status">
        {statusOf(found)}
      </p>
      <div
        id={`${id}-results`}
        role="listbox"
        aria-label="Results"
        aria-busy={found.isBehind}
        className="search-results"
      >
        {results.map((result, n) => (
          <SearchOption
            key={`${result.kind}/${result.id}/${result.reply_id ?? ""}`}
            id={optionId(n)}
            result={result}
            app={allApps?.apps.find(({ app_id }) => app_id === result.app_id)?.name}
            isActive={n === active}
            onPoint={() => setChosen(n)}
            onOpen={() => void open(result)}
          />
        ))}
      </div>
    </Dialog>
  )
}
