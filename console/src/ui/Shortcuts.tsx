// The keyboard shortcuts of the console, shown by `?` wherever nobody types, and by Ctrl+/ everywhere: in a grid `?` goes into the cell. The
// editor of automations shows its own with them.
import { useEffect, useState } from "react"
import { shortcuts as texts } from "../texts/ui/shortcuts.ts"
import { Dialog } from "./Dialog.tsx"

/** A key, or several by commas, and what it does. */
export type KeyRow = readonly [keys: string, words: string]

export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
const COMMAND = isApple ? "⌘" : "Ctrl+"

/** Opens the list also where `?` is text. */
export const shortcutsKey = `${COMMAND}/`

export const everywhereKeys: ReadonlyArray<KeyRow> = [
  [`${COMMAND}K`, texts.searchRecordsCommentsAutomations],
  [`?, ${shortcutsKey}`, texts.showKeyboardShortcuts],
  [texts.esc, texts.closeADialogCancel]
]

const gridKeys: ReadonlyArray<KeyRow> = [
  [texts.arrowKeys, texts.moveToAnotherCell],
  [texts.pageUpPageDown, texts.moveByAScreen],
  [texts.homeEnd, texts.firstOrLastCell],
  [texts.homeEndByCommand(COMMAND), texts.firstOrLastCellOfTheGrid],
  [texts.shiftArrowKeys, texts.selectSeveralCells],
  [`${COMMAND}A`, texts.selectAllCells],
  [texts.enterOrF2, texts.editTheCell],
  [texts.anyCharacter, texts.replaceTheValue],
  [texts.tabShiftTab, texts.whileEditing],
  ["Delete", texts.clearTheSelectedCells],
  [texts.copyCutPasteKeys(COMMAND), texts.copyCutPaste],
  [`${COMMAND}D`, texts.fillDown],
  [texts.undoRedoKeys(COMMAND, isApple ? "⇧⌘Z" : "Ctrl+Y"), texts.undoRedo],
  ["Space", texts.openTheRecordBeside],
  ["Shift+Space", texts.selectTheRecord],
  [isApple ? "Shift+F10" : texts.menuKeys, texts.openTheMenu],
  [`${COMMAND}F`, texts.findInTheGrid]
]

const layoutKeys: ReadonlyArray<KeyRow> = [
  [texts.arrowKeys, texts.moveToAnotherCard],
  ["Enter", texts.openItBesideTheLayout],
  ["Space", texts.pickItUp],
  [isApple ? "Shift+F10" : texts.menuKeys, texts.openItsMenuWhichMoves],
  [texts.undoRedoKeys(COMMAND, isApple ? "⇧⌘Z" : "Ctrl+Y"), texts.undoRedo]
]

interface KeyTableProps {
  readonly title: string
  readonly rows: ReadonlyArray<KeyRow>
}
export const KeyTable = ({ title, rows }: KeyTableProps) => (
  <section>
    <h3>{title}</h3>
    <dl className="keys">
      {rows.map(([keys, words]) => (
        <div key={keys}>
          <dt>
            {keys.split(", ").map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  </section>
)

const isTyping = (target: EventTarget | undefined) =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"))

export const Shortcuts = () => {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = event.key === "/" && (event.ctrlKey || event.metaKey)
      const isHelp = event.key === "?" && !isTyping(event.composedPath()[0])
      if (!(isCommand || isHelp) || event.defaultPrevented) return
      if (document.querySelector("dialog[open]") !== null) return
      event.preventDefault()
      setIsOpen(true)
    }
    window.addEventListener("keydown", onKey)
    return () => window.removeEventListener("keydown", onKey)
  }, [])
  if (!isOpen) return null
  return (
    <Dialog title={texts.keyboardShortcuts} close={() => setIsOpen(false)}>
      <KeyTable title={texts.everywhere} rows={everywhereKeys} />
      <KeyTable title={texts.grid} rows={gridKeys} />
      <KeyTable title={texts.boardAndCalendar} rows={layoutKeys} />
    </Dialog>
  )
}
