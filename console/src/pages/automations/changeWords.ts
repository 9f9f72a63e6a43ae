// Describes the differences between two revisions of an automation in words (developer-api.md 7.13).
import type { AnswerOf } from "@millrace/client"

export type Change = AnswerOf<"automations.revisionDiff">["differences"][number]
type Action = AnswerOf<"automations.get">["automation"]["actions"][number]

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Every step of a definition by its id, those inside of others among them. */
export const stepsOf = (actions: ReadonlyArray<unknown>): ReadonlyMap<string, Action> => {
  const stepsById = new Map<string, Action>()
  const walk = (list: unknown) => {
    if (!Array.isArray(list)) return
    for (const action of list) {
      if (!isObject(action)) continue
      stepsById.set(String(action["id"]), action as unknown as Action)
      const config = isObject(action["config"]) ? action["config"] : {}
      walk(config["action_rows"])
      walk(config["else_action_rows"])
    }
  }
  walk(actions)
  return stepsById
}

/** `actions[0].config.comment_content` of a step is its comment content; `filter.rows[1]` the filter, rows 2. */
const partOf = (path: string, ofStep: boolean): string => {
  const pathInStep = ofStep ? path.replace(/^actions\[\d+\](?:\.config\.(?:else_)?action_rows\[\d+\])*\.?/, "") : path
  return pathInStep
    .replace(/^config\./, "")
    .replaceAll(/\[(\d+)\]/g, (_, index) => ` ${Number(index) + 1}`)
    .replaceAll(".", ", ")
    .replaceAll("_", " ")
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A number of a step among its siblings, from its path. */
const placeOf = (path: unknown): string => {
  const index = /\[(\d+)\]$/.exec(String(path))?.[1]
  return index === undefined ? String(path) : `step ${Number(index) + 1}`
}

/** @param nameOf what the step of this id is called, in either revision */
export const wordsOf = (change: Change, nameOf: (actionId: string) => string): string => {
  const { action_id, kind, path } = change
  const step = action_id === undefined ? undefined : `“${nameOf(action_id)}”`
  const part = partOf(path, action_id !== undefined)
  if (step === undefined) return `${capital(part)} ${kind === "removed" ? "was removed" : `was ${kind}`}`
  if (part === "") {
    if (kind === "moved") return `${step} moved from ${placeOf(change.before)} to ${placeOf(change.after)}`
    return `The step ${step} was ${kind}`
  }
  return `${step}: ${part} ${kind === "removed" ? "was removed" : `was ${kind}`}`
}

/** Texts with references in them, as they are written in a definition. */
const isTemplate = (value: unknown): value is ReadonlyArray<unknown> =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((part) => typeof part === "string" || (isObject(part) && part["kind"] === "variable"))

const referenceText = (part: unknown): string => {
  if (typeof part === "string") return part
  const { field_id, label, name, source } = part as Readonly<Record<string, unknown>>
  return `{${[source, label ?? name ?? field_id].filter((one) => one !== undefined).join(" ")}}`
}

/** Text of a value for the comparison side by side. */
export const shown = (value: unknown): string =>
  typeof value === "string"
    ? value
    : isTemplate(value)
      ? value.map(referenceText).join("")
      : (JSON.stringify(value, null, 2) ?? "")
