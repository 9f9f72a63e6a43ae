// Finds records, comments, automations and apps (developer-api.md 11.1), pages and commands of the console, as one types: a combobox whose arrow keys
// choose and whose Enter opens.
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { type KeyboardEvent, useId, useState } from "react"
import { apps } from "../../api/queries.ts"
import { searchDialog as texts } from "../../texts/ui/search.ts"
import { Dialog } from "../Dialog.tsx"
import { icons } from "../icons.tsx"
import { type Listed, rememberResult } from "./recentResults.ts"
import { SearchOption } from "./SearchOption.tsx"
import { statusOf, useResults } from "./useResults.ts"

const LONGEST = 200

export const SearchDialog = ({ close }: { readonly close: () => void }) => {
  const id = useId()
  const navigate = useNavigate()
  const [text, setText] = useState("")
  const [chosen, setChosen] = useState(0)
  const search = useResults(text)
  const { results } = search
  const { data: allApps } = useQuery(apps)
  const active = Math.min(chosen, results.length - 1)
  const optionId = (n: number) => `${id}-option-${n}`

  const openResult = (result: Listed) => {
    rememberResult(result)
    close()
    if (result.kind === "command") return result.run(navigate)
    if (result.kind === "page") return navigate({ to: result.to })
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
      const chosenResult = results[active]!
      // Pages and commands are of what was typed, whatever the service has answered so far.
      if (!search.isBehind || chosenResult.kind === "page" || chosenResult.kind === "command")
        void openResult(chosenResult)
    }
  }

  return (
    <Dialog title={texts.search} close={close}>
      <div className="find search-field">
        <label className="unseen" htmlFor={id}>
          {texts.searchEverything}
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
          placeholder={texts.searchEverything}
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
        {statusOf(search)}
      </p>
      <div
        id={`${id}-results`}
        role="listbox"
        aria-label={texts.results}
        aria-busy={search.isBehind}
        className="search-results"
      >
        {results.map((result, n) => (
          <SearchOption
            key={`${result.kind}/${result.id}/${"reply_id" in result ? (result.reply_id ?? "") : ""}`}
            id={optionId(n)}
            result={result}
            app={"app_id" in result ? allApps?.apps.find(({ app_id }) => app_id === result.app_id)?.name : undefined}
            isActive={n === active}
            onPoint={() => setChosen(n)}
            onOpen={() => void openResult(result)}
          />
        ))}
      </div>
    </Dialog>
  )
}
