// Assigns problems of a definition to the part that shows them: reasons of a check (developer-api.md 7.12), and the paths that a refused
// save names, `actions[1].config.action_rows[0].config.subject: …` (service.md 7.2).

import { problems as texts } from "../../../../texts/automations/editorModel.ts"
import { type Branch, type Steps, stepsIn } from "./steps.ts"

export interface Problem {
  /** `trigger`, `filter`, the id of a step, or nothing in particular. */
  readonly at: string
  readonly message: string
  readonly tone: "bad" | "warn"
  /** The key of the config, where it is known. */
  readonly key?: string
}

const PLACE = /^(?:condition "[^"]*" at )?([a-z_]+)((?:\[\d+\]|\.[a-z_]+)*)/
const STEP = /\[(\d+)\]|\.([a-z_]+)/g

/** The step that a path leads into, and the key of its config. */
const stepAt = (steps: Steps, rest: string) => {
  let list: Steps | undefined = steps
  let problemPlace: { readonly at: string; readonly key?: string } | undefined
  let id: string | undefined
  for (const [, index, key] of rest.matchAll(STEP)) {
    if (index !== undefined && list !== undefined) {
      id = list[Number(index)]?.id
      problemPlace = id === undefined ? problemPlace : { at: id }
      continue
    }
    if (key === "config" || id === undefined || key === undefined) continue
    if (key !== "action_rows" && key !== "else_action_rows") {
      problemPlace = { at: id, key }
      break
    }
    const step: Steps[number] | undefined = list?.find((one) => one.id === id)
    list = step === undefined ? undefined : stepsIn(step, key as Branch)
  }
  return problemPlace
}

/** Problems in the message of a refused save, one per line. */
export const refusals = (message: string, steps: Steps): ReadonlyArray<Problem> =>
  message.split("\n").map((line): Problem => {
    const [, root = "", rest = ""] = PLACE.exec(line) ?? []
    const reason = line.includes(": ") ? line.slice(line.indexOf(": ") + 2) : line
    if (root === "actions") {
      const problemPlace = stepAt(steps, rest)
      if (problemPlace !== undefined)
        return { ...problemPlace, message: problemPlace.key === undefined ? line : reason, tone: "bad" }
    }
    if (root !== "trigger" && root !== "filter") return { at: "", message: line, tone: "bad" }
    const key = /^\.config\.([a-z_]+)/.exec(rest)?.[1]
    return { at: root, message: reason, tone: "bad", ...(key === undefined ? {} : { key }) }
  })

interface Reason {
  readonly code: string
  readonly message: string
  readonly action_id: string | null
  readonly deactivated?: true
}
export interface Check {
  readonly errors: ReadonlyArray<Reason>
  readonly warnings?: ReadonlyArray<Reason>
}

/** A reason that begins with a key of the step's config: the form says it at that key's control. */
const KEYED = /^`([a-z_]+)`(?:: (.+)| is not set\.)$/s

const placed =
  (tone: Problem["tone"]) =>
  ({ action_id, code, deactivated, message }: Reason): Problem => {
    const [, key, rest = texts.thisIsRequired] = (action_id === null ? null : KEYED.exec(message)) ?? []
    return {
      at: action_id ?? (/^(?:trigger|schedule)/.test(code) ? "trigger" : code.startsWith("filter") ? "filter" : ""),
      message: key === undefined ? message : rest,
      tone: deactivated === true ? "warn" : tone,
      ...(key === undefined ? {} : { key })
    }
  }

export const findings = ({ errors, warnings = [] }: Check): ReadonlyArray<Problem> => [
  ...errors.map(placed("bad")),
  ...warnings.map(placed("warn"))
]
