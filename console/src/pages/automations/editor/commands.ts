// Commands on steps and their keys: the one table that the keyboard, the buttons of a step and the help (`?`) read.

import { commands as texts } from "../../../texts/automations/editorWords.ts"
import { removeStep, type Step } from "./model/steps.ts"

export const commands = {
  add: texts.add,
  edit: texts.edit,
  back: texts.back,
  up: { keys: "Alt+ArrowUp", words: texts.up.words },
  down: { keys: "Alt+ArrowDown", words: texts.down.words },
  in: { keys: "Alt+ArrowRight", words: texts.in.words },
  out: { keys: "Alt+ArrowLeft", words: texts.out.words },
  duplicate: { keys: "Ctrl+D", words: texts.duplicate.words },
  copy: { keys: "Ctrl+C", words: texts.copy.words },
  cut: { keys: "Ctrl+X", words: texts.cut.words },
  paste: { keys: "Ctrl+V", words: texts.paste.words },
  remove: texts.remove,
  fold: texts.fold,
  undo: { keys: "Ctrl+Z", words: texts.undo.words },
  redo: { keys: "Ctrl+Shift+Z", words: texts.redo.words },
  save: { keys: "Ctrl+S", words: texts.save.words },
  activate: { keys: "Ctrl+Enter", words: texts.activate.words },
  try: texts.try,
  text: texts.text,
  previous: texts.previous,
  next: texts.next,
  help: { keys: "?", words: texts.help.words }
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
