// The keyboard shortcuts of the console, shown by `?` wherever nobody types, and by Ctrl+/ everywhere: in a grid `?` goes into the cell. The
// editor of automations shows its own with them.
import { useEffect, useState } from "react"
import { Dialog } from "./Dialog.tsx"

/** A key, or several by commas, and what it does. */
export type KeyRow = readonly [keys: string, words: string]

export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
const COMMAND = isApple ? "⌘" : "Ctrl+"

/** Opens the list also where `?` is text. */
export const shortcutsKey = `${COMMAND}/`

export const everywhereKeys: ReadonlyArray<KeyRow> = [
  [`${COMMAND}K`, "Search records, comments, automations and apps"],
  [`?, ${shortcutsKey}`, "Show keyboard shortcuts"],
  ["Esc", "Close a dialog, cancel an edit"]
]

const gridKeys: ReadonlyArray<KeyRow> = [
  ["Arrow keys", "Move to another cell"],
  ["Page Up, Page Down", "Move by a screen"],
  ["Home, End", "First or last cell of the row"],
  [`${COMMAND}Home, ${COMMAND}End`, "First or last cell of the grid"],
  ["Shift+Arrow keys", "Select several cells"],
  [`${COMMAND}A`, "Select all cells"],
  ["Enter, F2", "Edit the cell; Enter again saves it and moves down"],
  ["Any character", "Replace the value of the cell"],
  ["Tab, Shift+Tab", "While editing: save and move right or left"],
  ["Delete", "Clear the selected cells"],
  [`${COMMAND}C, ${COMMAND}X, ${COMMAND}V`, "Copy, cut, paste"],
  [`${COMMAND}D`, "Fill down"],
  [`${COMMAND}Z, ${isApple ? "⇧⌘Z" : "Ctrl+Y"}`, "Undo, redo"],
  ["Space", "Open the record beside the grid"],
  ["Shift+Space", "Select the record"],
  [isApple ? "Shift+F10" : "Menu, Shift+F10", "Open the menu of the cell"],
  [`${COMMAND}F`, "Find in the grid"]
]

const layoutKeys: ReadonlyArray<KeyRow> = [
  ["Arrow keys", "Move to another card or record"],
  ["Enter", "Open it beside the layout"],
  ["Space", "Pick it up; the arrow keys then carry it, Space drops it, Esc puts it back"],
  [isApple ? "Shift+F10" : "Menu, Shift+F10", "Open its menu, which moves it too"],
  [`${COMMAND}Z, ${isApple ? "⇧⌘Z" : "Ctrl+Y"}`, "Undo, redo"]
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
    <Dialog title="Keyboard shortcuts" close={() => setIsOpen(false)}>
      <KeyTable title="Everywhere" rows={everywhereKeys} />
      <KeyTable title="Grid" rows={gridKeys} />
      <KeyTable title="Board and calendar" rows={layoutKeys} />
    </Dialog>
  )
}
