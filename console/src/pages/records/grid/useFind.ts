// Cells of a grid that hold a text, read as they are listed.
import { useEffect, useState } from "react"
import type { RecordRow } from "../../../api/types.ts"
import type { Sheet } from "../clip/pasteBlock.ts"
import { seenEntries } from "../edits/changes.ts"
import type { Column } from "./look.ts"
import type { CellPlace } from "./selection.ts"

/** Records that are looked at. */
export const MOST_FOUND_ROWS = 2_000
/** Matches that are kept. */
const MOST_MATCHES = 1_000
const STEP = 500
const AFTER_KEYS = 200

/** Texts in an entry, at any depth. */
const textsIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? [value]
    : typeof value === "number"
      ? [String(value), value.toLocaleString()]
      : typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([key, one]) => (NOT_SHOWN.has(key) ? [] : textsIn(one)))
        : []
const NOT_SHOWN = new Set(["id", "record_id", "user_id", "color", "download_url", "embed_id", "image", "type", "app"])

const matchesIn = (
  rows: ReadonlyArray<RecordRow>,
  first: number,
  columns: ReadonlyArray<Column>,
  text: string,
  entriesOf: ReturnType<typeof seenEntries>
): ReadonlyArray<CellPlace> => {
  const wantedText = text.toLowerCase()
  const holds = (record: RecordRow, { field, index }: Column) =>
    (field === undefined
      ? [record.title]
      : [...textsIn(entriesOf(record, field)), ...(index === 0 ? [record.title] : [])]
    ).some((one) => one.toLowerCase().includes(wantedText))
  return rows.flatMap((record, at) =>
    columns.flatMap((column) => (holds(record, column) ? [{ row: first + at, column: column.index }] : []))
  )
}

const noMatches: ReadonlyArray<CellPlace> = []

interface Finding {
  readonly text: string
  readonly matches: ReadonlyArray<CellPlace>
  readonly step: "reading" | "done" | "failed"
}

export const useFind = (sheet: Sheet, typed: string) => {
  const text = typed.trim()
  const [state, setState] = useState<Finding>()
  const { columns, load, total } = sheet
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is another function each time, and reads the same
  useEffect(() => {
    if (text === "") return setState(undefined)
    let isStopped = false
    const search = async () => {
      const matches: Array<CellPlace> = []
      for (let from = 0; from < Math.min(total, MOST_FOUND_ROWS) && matches.length < MOST_MATCHES; from += STEP) {
        const rows = await load(from, Math.min(total, from + STEP))
        if (isStopped) return
        matches.push(...matchesIn(rows, from, columns, text, seenEntries()))
        setState({ text, matches: [...matches], step: "reading" })
      }
      setState({ text, matches, step: "done" })
    }
    const timer = setTimeout(() => search().catch(() => setState({ text, matches: [], step: "failed" })), AFTER_KEYS)
    return () => {
      isStopped = true
      clearTimeout(timer)
    }
  }, [text, total, columns])
  const isOfText = state?.text === text
  return { matches: isOfText ? state.matches : noMatches, step: isOfText ? state.step : "reading" }
}
