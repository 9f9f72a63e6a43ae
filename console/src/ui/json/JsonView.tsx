// A JSON value to look into: as a tree, searched by names and values, copied as a whole.
import { useDeferredValue, useId, useMemo, useState } from "react"
import { jsonView as texts } from "../../texts/ui/json.ts"
import { isBranch, JsonTree, Leaf, sizeOf } from "./JsonTree.tsx"
import { searchJson } from "./jsonSearch.ts"

/** Values that are seen at a glance have no search field. */
const MOST_AT_A_GLANCE = 8

const isShort = (value: unknown) =>
  !isBranch(value) ||
  (Object.keys(value).length <= MOST_AT_A_GLANCE && !Object.values(value).some((member) => isBranch(member)))

const Matches = ({ text, value }: { readonly text: string; readonly value: unknown }) => {
  const { firstMatches: shown, total } = useMemo(() => searchJson(value, text), [value, text])
  return (
    <>
      <p role="status" className="muted">
        {total === 0
          ? texts.nothingInItMatches
          : total === shown.length
            ? texts.totalMatches(total)
            : texts.firstCountOfTotalMatches(shown.length, total.toLocaleString())}
      </p>
      <ul className="json-tree json-matches">
        {shown.map((match) => (
          <li key={match.path}>
            <code>{match.path}</code>{" "}
            {isBranch(match.value) ? <small>{sizeOf(match.value)}</small> : <Leaf value={match.value} />}
          </li>
        ))}
      </ul>
    </>
  )
}

/** @param name of the value, for the labels of its search and its copy: "what went in" */
export const JsonView = ({ name, value }: { readonly name: string; readonly value: unknown }) => {
  const [text, setText] = useState("")
  const [copyState, setCopyState] = useState<"copied" | "refused">()
  const searched = useDeferredValue(text.trim())
  const id = useId()
  // Browsers offer the clipboard to pages over https and of this machine alone.
  const { clipboard } = navigator as { readonly clipboard?: Clipboard }
  const copy = () =>
    clipboard?.writeText(JSON.stringify(value, null, 2)).then(
      () => setCopyState("copied"),
      () => setCopyState("refused")
    )
  return (
    <>
      <div className="json-tools">
        {!isShort(value) && (
          <input
            id={id}
            type="search"
            aria-label={texts.search(name)}
            placeholder={texts.searchNamesAndValues}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
        {clipboard !== undefined && (
          <button type="button" className="quiet small" aria-label={texts.copyJsonOf(name)} onClick={() => void copy()}>
            {texts.copyJson}
          </button>
        )}
        <output className="muted">
          {copyState === "copied" && texts.copied}
          {copyState === "refused" && texts.browserDidNotLet}
        </output>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="json-view" tabIndex={0} aria-label={name}>
        {searched === "" ? <JsonTree value={value} /> : <Matches text={searched} value={value} />}
      </section>
    </>
  )
}
