// Commands on steps and their keys: the one table that the keyboard, the buttons of a step and the help (`?`) read.
import { removeStep, type Step } from "./model/steps.ts"

export const commands = {
  add: { keys: "A", words: "Add a step below" },
  edit: { keys: "Enter", words: "Go to the form of what is chosen" },
  back: { keys: "Escape", words: "Go back from the form to the flow" },
  up: { keys: "Alt+ArrowUp", words: "Move up" },
  down: { keys: "Alt+ArrowDown", words: "Move down" },
  in: { keys: "Alt+ArrowRight", words: "Move into the branch above, or on into “otherwise”" },
  out: { keys: "Alt+ArrowLeft", words: "Move out of the branch" },
  duplicate: { keys: "Ctrl+D", words: "Duplicate" },
  copy: { keys: "Ctrl+C", words: "Copy" },
  cut: { keys: "Ctrl+X", words: "Cut" },
  paste: { keys: "Ctrl+V", words: "Paste below, also from another automation" },
  remove: { keys: "Delete", words: "Delete" },
  fold: { keys: "C", words: "Collapse or expand a branch or loop" },
  undo: { keys: "Ctrl+Z", words: "Undo" },
  redo: { keys: "Ctrl+Shift+Z", words: "Redo" },
  save: { keys: "Ctrl+S", words: "Save" },
  activate: { keys: "Ctrl+Enter", words: "Publish, or pause" },
  try: { keys: "T", words: "Test all steps with the sample" },
  text: { keys: "J", words: "Show as JSON or YAML" },
  previous: { keys: "ArrowUp", words: "Choose the one above" },
  next: { keys: "ArrowDown", words: "Choose the one below" },
  help: { keys: "?", words: "Show all keys" }
} as const
export type Command = keyof typeof commands

/** Commands that work wherever the focus is, also while typing. */
const everywhere: ReadonlySet<Command> = new Set<Command>(["save", "activate", "back"])
/** Commands that the clipboard's own events trigger, since the browser gives access to the clipboard only in them. */
const byClipboard: ReadonlySet<Command> = new Set<Command>(["copy", "cut", "paste"])

interface KeyPress {
  readonly key: string
  readonly altKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly shiftKey: boolean
}

const keysOf = ({ altKey, ctrlKey, key, metaKey, shiftKey }: KeyPress): string => {
  const name = key.length === 1 ? key.toUpperCase() : key
  const shift = shiftKey && (key.length > 1 || ctrlKey || metaKey)
  return `${ctrlKey || metaKey ? "Ctrl+" : ""}${altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${name}`
}

/** @param typing the keyboard is in a field: letters belong to it */
export const commandOf = (press: KeyPress, typing: boolean): Command | undefined => {
  const keys = keysOf(press)
  const matchingCommand = (Object.keys(commands) as Array<Command>).find((name) => commands[name].keys === keys)
  if (matchingCommand === undefined || byClipboard.has(matchingCommand)) return undefined
  return typing && !everywhere.has(matchingCommand) ? undefined : matchingCommand
}

/** Step to select after a removal: the next one, the previous one, or the parent. */
export const chosenAfter = (order: ReadonlyArray<{ readonly step: Step }>, id: string): string => {
  const stepIndex = order.findIndex(({ step }) => step.id === id)
  const remainingSteps = removeStep(
    order.map(({ step }) => step),
    id
  )
  return remainingSteps[stepIndex]?.id ?? remainingSteps[stepIndex - 1]?.id ?? "trigger"
}
