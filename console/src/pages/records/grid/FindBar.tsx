// Finds a text in the cells of a grid: from match to match, with the keyboard. It reads the records as the grid lists them, as far as a bound.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react"
import { findBar as texts } from "../../../texts/records/grid.ts"
import type { Sheet } from "../clip/pasteBlock.ts"
import type { CellPlace } from "./selection.ts"
import { MOST_FOUND_ROWS, useFind } from "./useFind.ts"

interface FindBarProps {
  readonly sheet: Sheet
  readonly go: (place: CellPlace) => void
  readonly onMatch: (place: CellPlace | undefined) => void
  readonly close: () => void
}
export const FindBar = ({ close, go, onMatch, sheet }: FindBarProps) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState("")
  const [at, setAt] = useState(0)
  const { matches, step: reading } = useFind(sheet, text)
  const match = matches[at]
  useEffect(() => input.current?.focus(), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: goes where the match is, as it changes
  useEffect(() => {
    onMatch(match)
    if (match !== undefined) go(match)
  }, [match?.row, match?.column])
  const step = (by: number) => matches.length > 0 && setAt((at + by + matches.length) % matches.length)
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "Enter" ? (event.shiftKey ? -1 : 1) : { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) step(by)
    else if (event.key === "Escape") close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const bound = sheet.total > MOST_FOUND_ROWS ? texts.inTheFirstMostFound(MOST_FOUND_ROWS.toLocaleString()) : ""
  const status =
    text.trim() === ""
      ? ""
      : matches.length > 0
        ? texts.atOfTotalBound((at + 1).toLocaleString(), matches.length.toLocaleString(), bound)
        : { reading: texts.searching, failed: texts.searchFailed, done: texts.nothingFoundBound(bound) }[reading]
  return (
    <search className="find-bar">
      <label className="unseen" htmlFor={id}>
        {texts.findInTheGrid}
      </label>
      <input
        id={id}
        ref={input}
        type="text"
        placeholder={texts.findInTheGrid}
        autoComplete="off"
        maxLength={200}
        value={text}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setText(target.value)
          setAt(0)
        }}
      />
      <output className="muted">{status}</output>
      <button type="button" className="quiet small" disabled={matches.length === 0} onClick={() => step(-1)}>
        {texts.previous}
      </button>
      <button type="button" className="quiet small" disabled={matches.length === 0} onClick={() => step(1)}>
        {texts.next}
      </button>
      <button type="button" className="quiet small" onClick={close}>
        {texts.close}
      </button>
    </search>
  )
}
