// Actions on the cells of a grid's range: copy, paste, clear, fill, undo. Their code comes with the grid, since edits go on while the
// service is away.
import { TransportError } from "@millrace/client"
import { type ClipboardEvent, useState } from "react"
import type { App, RecordRow } from "../../../api/types.ts"
import { useSheet as pageTexts } from "../../../texts/records/gridWords.ts"
import { errorWords } from "../../../ui/errorWords.ts"
import { copyBlock } from "../clip/copyBlock.ts"
import { pasteBlock, type Sheet } from "../clip/pasteBlock.ts"
import { tooMuch } from "../clip/pasteTargets.ts"
import { cellsWords, type GridReport } from "../clip/report.ts"
import { seenEntries, stepHistory } from "../edits/changes.ts"
import { duplicateRecords } from "../edits/duplicate.ts"
import { clearRange, fillRange } from "../edits/rangeEdits.ts"
import type { Column } from "./look.ts"
import { heightOf, type Range, rangeOf, type Selection, widthOf } from "./selection.ts"

interface SheetProps {
  readonly app: App
  readonly sheet: Sheet
  readonly selection: Selection
  readonly rowAt: (index: number) => RecordRow | undefined
}

/** A page that came by plain HTTP has none. */
const clipboard = (): Clipboard | undefined => navigator.clipboard

/**
 * Copies to the clipboard without the event of a key, as soon as the texts are there.
 * @returns false if the browser keeps the clipboard from the page
 */
const writeClipboard = async (copied: Promise<{ readonly text: string; readonly html: string }>): Promise<boolean> => {
  const part = (type: string, of: "text" | "html") => copied.then((all) => new Blob([all[of]], { type }))
  const item = () =>
    new ClipboardItem({ "text/plain": part("text/plain", "text"), "text/html": part("text/html", "html") })
  return clipboard() === undefined
    ? false
    : navigator.clipboard.write([item()]).then(
        () => true,
        () => false
      )
}

/** Reads the clipboard; a page that came by plain HTTP has none. @throws where the browser keeps it from the page */
const readClipboard = async () => {
  const items = await clipboard()?.read()
  const read = async (type: string) => {
    const item = items?.find(({ types }) => types.includes(type))
    return item === undefined ? "" : (await item.getType(type)).text()
  }
  return items && { text: await read("text/plain"), html: await read("text/html") }
}

/** Says why an action of the grid failed: it is not tried again by itself, unlike what a page loads. */
const failureWords = (error: unknown) =>
  error instanceof TransportError ? pageTexts.thereIsNoConnection : errorWords(error)

/** Rows that the grid can hold at once, more or less. */
const LOADED_MOST = 2_000

export const useSheet = ({ app, rowAt, selection, sheet }: SheetProps) => {
  const [report, setReport] = useState<GridReport>()
  const mayEdit = app.permission_level >= 3
  const range = rangeOf(selection)
  /** Runs an action and reports what became of it. */
  const run = (action: () => Promise<GridReport | undefined>) => {
    if (sheet.isFormer) return setReport({ summary: pageTexts.listIsLoading, problems: [] })
    setReport(undefined)
    action().then(setReport, (error) => setReport({ summary: failureWords(error), problems: [] }))
  }
  const copied = (rows: Parameters<typeof copyBlock>[0]) => {
    const entriesOf = seenEntries()
    return copyBlock(rows, sheet.columns.slice(range.left, range.right + 1), (record, column: Column) =>
      column.field === undefined ? [] : entriesOf(record, column.field)
    )
  }
  /** @param isCut true if the cells are cleared then */
  const copyLater = (isCut: boolean) =>
    run(async () => {
      const refusal = tooMuch(range)
      if (refusal !== undefined) return { summary: refusal, problems: [] }
      const texts = sheet.load(range.top, range.bottom + 1).then((rows) => copied(rows))
      const isWritten = await writeClipboard(texts)
      await texts
      if (!isWritten) return { summary: pageTexts.recordsAreLoadedNow, problems: [] }
      if (isCut) return clearRange(sheet, range)
      return { summary: pageTexts.cellsWordsCopied(cellsWords(heightOf(range) * widthOf(range))), problems: [] }
    })
  /** @returns false if rows are not loaded yet */
  const copyNow = (event: ClipboardEvent): boolean => {
    event.preventDefault()
    const rows = Array.from({ length: Math.min(heightOf(range), LOADED_MOST) }, (_, at) => rowAt(range.top + at))
    const loadedRows = rows.flatMap((row) => row ?? [])
    if (loadedRows.length < heightOf(range)) return false
    const { html, text } = copied(loadedRows)
    event.clipboardData.setData("text/plain", text)
    event.clipboardData.setData("text/html", html)
    return true
  }
  const copy = (event: ClipboardEvent) => {
    if (!copyNow(event)) return copyLater(false)
    const words = cellsWords(heightOf(range) * widthOf(range))
    setReport({ summary: pageTexts.wordsCopied(words), problems: [] })
  }
  const clear = () => mayEdit && run(() => clearRange(sheet, range))
  const cut = (event: ClipboardEvent) => {
    if (!mayEdit) return copy(event)
    if (copyNow(event)) clear()
    else copyLater(true)
  }
  /** Pastes what the clipboard holds, as far as the browser lets a page read it. */
  const pasteLater = () =>
    run(async () => {
      const pasted = await readClipboard().catch(() => undefined)
      if (pasted !== undefined) return pasteBlock(sheet, range, pasted)
      return { summary: pageTexts.browserKeepsTheClipboard, problems: [] }
    })
  const duplicate = (records: Parameters<typeof duplicateRecords>[1]) => run(() => duplicateRecords(app, records))
  const paste = ({ clipboardData }: ClipboardEvent) => {
    const pasted = { text: clipboardData.getData("text/plain"), html: clipboardData.getData("text/html") }
    if (mayEdit) run(() => pasteBlock(sheet, range, pasted))
  }
  const fill = (source: Range, target: Range) => mayEdit && run(() => fillRange(sheet, source, target))
  /** The first row into the others; a single row takes the one above. */
  const fillDown = () => {
    const isRow = heightOf(range) === 1
    if (isRow && range.top === 0) return
    const top = isRow ? range.top - 1 : range.top
    fill({ ...range, top, bottom: top }, { ...range, top: top + 1 })
  }
  /** The range into the rows below it, or above it. */
  const fillTo = (row: number) => {
    if (row > range.bottom) fill(range, { ...range, top: range.bottom + 1, bottom: row })
    else if (row < range.top) fill(range, { ...range, top: row, bottom: range.top - 1 })
  }
  const step = (side: "undo" | "redo") =>
    mayEdit && run(async () => ({ summary: await stepHistory(app.app_id, side), problems: [] }))
  return {
    ...{ report, setReport, run, duplicate, clear, fillDown, fillTo, step },
    ...{ copy, copyLater: () => copyLater(false), cut, cutLater: () => copyLater(true), paste, pasteLater }
  }
}
