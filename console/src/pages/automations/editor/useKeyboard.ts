// The keys of the editor: those of commands.ts, and the clipboard's own events. Who types into a field, or has a dialog open, types.
import { useLayoutEffect, useRef } from "react"
import { type Command, commandOf } from "./commands.ts"
import { focusCard, type StepEdits } from "./useStepEdits.ts"

const isTyping = (element: EventTarget | undefined) =>
  element instanceof HTMLElement && (element.isContentEditable || element.matches("input, textarea, select, dialog *"))

/** Arrows, Enter, Escape and Delete belong to the flow while the keyboard is in it, or nowhere. */
const ofFlow: ReadonlySet<Command> = new Set<Command>(["previous", "next", "up", "down", "in", "out", "remove", "edit"])
const isInFlow = (path: ReadonlyArray<EventTarget>) =>
  path[0] === document.body ||
  path.some(
    (one) => one instanceof HTMLElement && (one.matches(".editor-flow") || (one === path[0] && one.id === "content"))
  )

const isOpen = () => document.querySelector("dialog[open]") !== null

interface KeyboardProps {
  readonly run: Partial<Record<Command, () => void>>
  readonly edits: StepEdits
  readonly chosen: string
}
export const useKeyboard = (props: KeyboardProps) => {
  const live = useRef(props)
  live.current = props
  // Registers with the first paint: keys that are pressed then already count.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const path = event.composedPath()
      if (event.defaultPrevented || isOpen()) return
      const { chosen, run } = live.current
      const command = commandOf(event, isTyping(path[0]))
      if (command === undefined) return
      if (command === "back") return focusCard(chosen)
      if (ofFlow.has(command) && !isInFlow(path)) return
      // Enter opens the form of the chosen card; it presses any other button, that of another card too, which chooses it.
      if (command === "edit" && path[0] instanceof HTMLButtonElement && path[0].dataset["step"] !== chosen) return
      event.preventDefault()
      run[command]?.()
    }
    const onClipboard = (event: ClipboardEvent) => {
      if (isTyping(event.composedPath()[0]) || isOpen() || String(getSelection()) !== "") return
      const { edits } = live.current
      if (event.type === "paste") {
        if (edits.paste(event.clipboardData?.getData("text/plain") ?? "")) event.preventDefault()
        return
      }
      const text = edits.copied()
      if (text === undefined) return
      event.clipboardData?.setData("text/plain", text)
      event.preventDefault()
      if (event.type === "cut") edits.cut()
    }
    document.addEventListener("keydown", onKey)
    for (const type of ["copy", "cut", "paste"] as const) document.addEventListener(type, onClipboard)
    return () => {
      document.removeEventListener("keydown", onKey)
      for (const type of ["copy", "cut", "paste"] as const) document.removeEventListener(type, onClipboard)
    }
  }, [])
}
