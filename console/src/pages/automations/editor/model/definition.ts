// Editable part of an automation: the members that an update takes, as the service answers them, without those that only the service
// assigns.

import { definition as texts } from "../../../../texts/automations/editorModel.ts"
import type { Config, Steps } from "./steps.ts"

export interface FilterGroup {
  readonly id?: string
  readonly operator: "and" | "or"
  readonly rows: ReadonlyArray<FilterRow>
}
export interface FilterCondition {
  readonly id?: string
  readonly subject: Reference
  readonly operator?: string
  readonly value?: Readonly<Record<string, unknown>>
}
export interface ScriptCondition {
  readonly id?: string
  readonly code: unknown
}
export type FilterRow = FilterGroup | FilterCondition | ScriptCondition

/** A value that the run fills in (service.md 2.7 "Dynamic values"). */
export interface Reference {
  readonly kind: string
  readonly source?: string
  readonly [key: string]: unknown
}

interface Trigger {
  readonly type: string
  readonly config: Config
}
export interface Definition {
  readonly name: string
  readonly description?: string
  readonly timezone: string
  readonly on_failure_automation_id?: number
  readonly concurrency?: unknown
  readonly debounce_ms?: number
  readonly pause_after_failures?: number
  readonly trigger: Trigger | null
  readonly filter: FilterGroup | null
  readonly actions: Steps
}

/** Members in the order in which they are shown. */
const members = [
  "name",
  "description",
  "timezone",
  "on_failure_automation_id",
  "concurrency",
  "debounce_ms",
  "pause_after_failures",
  "trigger",
  "filter",
  "actions"
] as const satisfies ReadonlyArray<keyof Definition>
const clearable: ReadonlyArray<string> = [
  "description",
  "on_failure_automation_id",
  "concurrency",
  "debounce_ms",
  "pause_after_failures"
]

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Steps whose ids the service has not given yet get one, so that edits can name them; `group` follows from the type. */
export const stepsFrom = (raw: unknown, mint: () => string): Steps =>
  (Array.isArray(raw) ? raw : []).map((one) => {
    const { group: _, ...step } = isObject(one) ? one : {}
    const config = isObject(step["config"]) ? { ...step["config"] } : {}
    for (const branch of ["action_rows", "else_action_rows"])
      if (Array.isArray(config[branch])) config[branch] = stepsFrom(config[branch], mint)
    return { ...step, id: typeof step["id"] === "string" ? step["id"] : mint(), type: String(step["type"]), config }
  })

/** @param assigned keys of a trigger's config that the service assigns */
export const definitionFrom = (
  raw: Readonly<Record<string, unknown>>,
  mint: () => string,
  assigned: ReadonlyArray<string> = []
): Definition => {
  const { trigger } = raw
  const config = isObject(trigger) && isObject(trigger["config"]) ? trigger["config"] : {}
  const editableConfig = Object.fromEntries(Object.entries(config).filter(([key]) => !assigned.includes(key)))
  const kept = members.flatMap((key) => (raw[key] === undefined || raw[key] === null ? [] : [[key, raw[key]] as const]))
  return {
    name: "",
    timezone: "UTC",
    ...Object.fromEntries(kept),
    trigger: isObject(trigger) ? { type: String(trigger["type"]), config: editableConfig } : null,
    filter: (raw["filter"] ?? null) as FilterGroup | null,
    actions: stepsFrom(raw["actions"], mint)
  }
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

export const isSame = (one: Definition, other: Definition) => members.every((key) => same(one[key], other[key]))

/** The members that differ, as an update takes them: `null` takes away. */
export const changesOf = (saved: Definition, now: Definition): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    members
      .filter((key) => !same(saved[key], now[key]))
      .map((key) => [key, now[key] ?? (clearable.includes(key) ? null : now[key])])
  )

/** Reads the text of a definition: answers the definition, or a mistake in words. */
export const definitionOf = (
  raw: unknown,
  mint: () => string
): { readonly definition: Definition } | { readonly mistake: string } => {
  if (!isObject(raw)) return { mistake: texts.definitionIsAnObject }
  const unknown = Object.keys(raw).find((key) => !(members as ReadonlyArray<string>).includes(key))
  if (unknown !== undefined) return { mistake: texts.unknownIsNoPart(unknown, members.join(", ")) }
  if (typeof raw["name"] !== "string") return { mistake: texts.nameIsAText }
  const { actions, trigger } = raw
  if (trigger !== null && trigger !== undefined && !(isObject(trigger) && typeof trigger["type"] === "string"))
    return { mistake: texts.triggerIsNull }
  const wrong = wrongStep(actions ?? [], "actions")
  return wrong === undefined ? { definition: definitionFrom(raw, mint) } : { mistake: wrong }
}

const wrongStep = (steps: unknown, path: string): string | undefined => {
  if (!Array.isArray(steps)) return texts.pathIsAList(path)
  for (const [index, step] of steps.entries()) {
    const stepPath = `${path}[${index}]`
    if (!isObject(step) || typeof step["type"] !== "string") return texts.stepPathIsAnObject(stepPath)
    const { config } = step
    if (!isObject(config)) return texts.stepPathConfig(stepPath)
    for (const branch of ["action_rows", "else_action_rows"]) {
      const inner = config[branch] === undefined ? undefined : wrongStep(config[branch], `${stepPath}.config.${branch}`)
      if (inner !== undefined) return inner
    }
  }
  return undefined
}
