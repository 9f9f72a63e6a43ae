// Describes the differences between two revisions of an automation in words (developer-api.md 7.13).
import type { AnswerOf } from "@millrace/client"
import { changeWords as texts } from "../../texts/automations/versionsWords.ts"
import type { Names } from "./editor/model/conditionSentence.ts"
import type { Reference } from "./editor/model/definition.ts"
import { labelOf } from "./editor/model/formWords.ts"
import { wordsOf as wordsOfReference } from "./editor/model/references.ts"

export type Change = AnswerOf<"automations.revisionDiff">["differences"][number]
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Names a part in the words of the form: `actions[0].config.comment_content` of a step is its Comment; `filter.rows[1]` the filter, rows 2. */
const partOf = (path: string, ofStep: boolean): string => {
  const pathInStep = ofStep ? path.replace(/^actions\[\d+\](?:\.config\.(?:else_)?action_rows\[\d+\])*\.?/, "") : path
  const key = /^config\.([a-z_]+)/.exec(pathInStep)?.[1]
  if (key !== undefined) return labelOf(key)
  return pathInStep
    .replaceAll(/\[(\d+)\]/g, (_, index) => ` ${Number(index) + 1}`)
    .replaceAll(".", ", ")
    .replaceAll("_", " ")
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A change within a part, in the words of the form. */
export const wordsOf = ({ action_id, kind, path }: Change): string =>
  texts.capitalWasKind(capital(partOf(path, action_id !== undefined)) || texts.theStep, kind)

/** Words of a comparison for each part of the later version: `trigger`, `filter` or the id of a step. */
export const marksOf = (changes: ReadonlyArray<Change>): ReadonlyMap<string, string> => {
  const marks = new Map<string, Set<string>>()
  for (const { action_id, kind, path } of changes) {
    const part = action_id ?? /^(?:trigger|filter)/.exec(path)?.[0] ?? ""
    const isWhole = action_id === undefined || partOf(path, true) === ""
    marks.set(part, (marks.get(part) ?? new Set()).add(isWhole && action_id !== undefined ? kind : "changed"))
  }
  return new Map([...marks].map(([part, kinds]) => [part, [...kinds].join(", ")]))
}

/** Texts with references in them, as they are written in a definition. */
const isTemplate = (value: unknown): value is ReadonlyArray<unknown> =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((part) => typeof part === "string" || (isObject(part) && part["kind"] === "variable"))

/** Text of a value for the comparison side by side. */
export const shown = (value: unknown, names: Names): string =>
  typeof value === "string"
    ? value
    : isTemplate(value)
      ? value
          .map((part) => (typeof part === "string" ? part : `{${wordsOfReference(part as Reference, names.apps)}}`))
          .join("")
      : (JSON.stringify(value, null, 2) ?? "")
