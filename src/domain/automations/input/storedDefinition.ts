// Reads stored definitions, which an earlier release may have written, with the schemas of this one (service.md 2.7 normalization rule 1,
// write rules 4 and 7): fills in defaults and drops removed keys. A part that cannot be read any more is reported, never thrown.
import { Result, Schema } from "effect"
import { ActionInput, actionSpec, actionTypes } from "../actions/registry.ts"
import type { Action, AnyTrigger, Definition, FilterGroup } from "../model/Definition.ts"
import type { ReasonCode } from "../schema/brokenReasons.ts"
import { FilterGroup as FilterGroupSchema } from "../schema/Filter.ts"
import { mistakesText, type Path } from "../schema/path.ts"
import type { BrokenReason } from "../schema/ValidationModel.ts"
import { isPlainObject } from "../schema/walk.ts"
import { type TriggerConfig, type TriggerType, triggers } from "../triggers/registry.ts"
import { TriggerInput } from "./automationBodies.ts"
import { normalizeAction, normalizeTrigger } from "./normalizeDefinition.ts"
import { normalizeFilter } from "./normalizeFilter.ts"
import { schemaMistakes } from "./schemaMistakes.ts"

/**
 * Number of the schemas, raised by one with every change of the definition schemas; a test enforces that. Definitions with this number were
 * written by the same schemas and need no reading.
 */
export const FORMAT = 12

/** Parts as the database stores them. */
export const StoredParts = Schema.Struct({
  format: Schema.Int,
  trigger: Schema.Unknown,
  filter: Schema.Unknown,
  actions: Schema.Unknown
})
export type StoredParts = typeof StoredParts.Type

/**
 * Result of reading. `unreadable` has an entry for each trigger, filter or step that cannot be read any more; that part is then missing in
 * `definition`.
 */
export interface ReadParts {
  readonly definition: Definition
  readonly unreadable: ReadonlyArray<BrokenReason>
}

const codes = { trigger: "trigger_missing", filter: "filter_match_type_invalid", actions: "action_invalid" } as const
/** Returns the part of the definition that an entry of `unreadable` concerns. */
export const partOf = (code: ReasonCode): keyof typeof codes =>
  code === codes.trigger ? "trigger" : code === codes.filter ? "filter" : "actions"

const Filter = FilterGroupSchema as unknown as Schema.Codec<FilterGroup, unknown>
const lenient = { onExcessProperty: "ignore", errors: "all", reportInput: true } as const

/** Drops all keys for a closed object, whose schema accepts none: an earlier release may have stored some. */
const withoutKeys = (spec: { readonly config: object } | undefined, config: unknown): unknown =>
  spec !== undefined && !("fields" in spec.config) && isPlainObject(config) ? {} : config

/** Stand-in operator for conditions on a change, which have none (write rule 7): the schema reads them with it. */
const STAND_IN = "is_not_empty"

/** @param changes ids of the conditions that got the stand-in */
const prepareValue = (value: unknown, changes: Set<string>): unknown => {
  if (Array.isArray(value)) return value.map((item) => prepareValue(item, changes))
  if (!isPlainObject(value)) return value
  const preparedNode = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "rows" && Array.isArray(item) ? item.map((row) => preparedRow(row, changes)) : prepareValue(item, changes)
    ])
  )
  const type = preparedNode["type"]
  const spec = typeof type === "string" && actionTypes.includes(type as never) ? actionSpec(type) : undefined
  return "config" in preparedNode
    ? { ...preparedNode, config: withoutKeys(spec, preparedNode["config"]) }
    : preparedNode
}
const preparedRow = (row: unknown, changes: Set<string>): unknown => {
  const rowNode = prepareValue(row, changes)
  if (!isPlainObject(rowNode) || rowNode["subject"] === undefined || "operator" in rowNode) return rowNode
  const id = typeof rowNode["id"] === "string" && rowNode["id"] !== "" ? rowNode["id"] : `change-${changes.size + 1}`
  changes.add(id)
  return { id, subject: rowNode["subject"], operator: STAND_IN }
}
const restored = (value: unknown, changes: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) return value.map((item) => restored(item, changes))
  if (!isPlainObject(value)) return value
  const { id, operator, subject } = value
  if (subject !== undefined && operator === STAND_IN && changes.has(id as string)) return { id, subject }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restored(item, changes)]))
}

const read = <A>(schema: Schema.Codec<A, unknown>, raw: unknown, keep: (value: A) => A, path: Path) => {
  const changes = new Set<string>()
  return Result.mapBoth(Schema.decodeUnknownResult(schema, lenient)(prepareValue(raw, changes)), {
    onSuccess: (value) => (changes.size === 0 ? keep(value) : (restored(keep(value), changes) as A)),
    onFailure: ({ issue }) => mistakesText(schemaMistakes(issue, path), undefined)
  })
}

/** Reads a stored trigger; the failure is the reason why it cannot be read. */
export const readTrigger = (raw: unknown): Result.Result<AnyTrigger, string> => {
  const type = isPlainObject(raw) ? (raw["type"] as keyof typeof triggers) : undefined
  const spec = type === undefined ? undefined : triggers[type]
  const trimmedTrigger =
    isPlainObject(raw) && spec !== undefined ? { type, config: withoutKeys(spec, raw["config"] ?? {}) } : raw
  return read(TriggerInput, trimmedTrigger, (trigger) => normalizeTrigger(trigger, minted()), ["trigger"])
}

/** Reads only the config, for callers that need nothing else; null if it cannot be read any more. */
export const readConfig = <T extends TriggerType>(
  type: T,
  { config, format }: { readonly config: unknown; readonly format: number }
): TriggerConfig<T> | null => {
  if (format === FORMAT) return config as TriggerConfig<T>
  const trigger = Result.getOrNull(readTrigger({ type, config }))
  return trigger === null ? null : (trigger.config as TriggerConfig<T>)
}

/** Creates ids that are the same at every reading, for nodes that were stored without one. */
const minted = (prefix = "") => {
  let count = 0
  return () => `${prefix}${++count}`
}

export const readStored = ({ actions, filter, format, trigger }: StoredParts): ReadParts => {
  if (format === FORMAT) return { definition: { trigger, filter, actions } as Definition, unreadable: [] }
  const unreadable: Array<BrokenReason> = []
  const reportUnreadable = (code: ReasonCode, block_id: string, action_id: string | null) => (why: string) => {
    unreadable.push({ code, message: `What is stored can no longer be read. ${why}`, block_id, action_id })
    return null
  }
  const steps = (Array.isArray(actions) ? actions : []).flatMap((action, index): ReadonlyArray<Action> => {
    const id = isPlainObject(action) && typeof action["id"] === "string" ? action["id"] : null
    const path = ["actions", index]
    const step = read(ActionInput, action, normalizeAction(minted(`step-${index + 1}-`)), path)
    const kept = Result.getOrElse(step, reportUnreadable(codes.actions, id ?? "actions", id))
    return kept === null ? [] : [kept]
  })
  if (!Array.isArray(actions)) reportUnreadable(codes.actions, "actions", null)("actions: expected an array")
  const definition: Definition = {
    trigger:
      trigger === null
        ? null
        : Result.getOrElse(readTrigger(trigger), reportUnreadable(codes.trigger, "trigger", null)),
    filter:
      filter === null
        ? null
        : Result.getOrElse(
            read(Filter, filter, (group) => normalizeFilter(group, minted("row-")), ["filter"]),
            reportUnreadable(codes.filter, "filter", null)
          ),
    actions: unreadable.some(({ code }) => code === codes.actions) ? [] : steps
  }
  return { definition, unreadable }
}
