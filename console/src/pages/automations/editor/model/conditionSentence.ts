// Values and conditions of a definition in words (service.md 2.7 "Filter tree", "Dynamic values"): `Total ≥ 1,000 and State is Approved`.

import { conditionSentence as texts } from "../../../../texts/automations/editorModel.ts"
import type { FilterCondition, FilterGroup, FilterRow, Reference, ScriptCondition } from "./definition.ts"
import { isGroup, isScript } from "./filterTree.ts"
import { type KnownApp, wordsOf } from "./references.ts"
import { valueConditionOf, valueOperators } from "./valueConditions.ts"

/** Names of what a definition refers to by id. What they lack stays a number. */
export interface Names {
  readonly label: (type: string) => string
  readonly apps: ReadonlyMap<number, KnownApp>
}

const LONGEST = 60
const ROWS = 3
/** Stands for what is not filled in yet. */
export const UNSET = "…"

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isReference = (value: unknown): value is Reference => isObject(value) && typeof value["kind"] === "string"
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

const shortened = (text: string) => {
  const oneLine = text.replaceAll(/\s+/g, " ").trim()
  return oneLine.length > LONGEST ? `${oneLine.slice(0, LONGEST - 1)}…` : oneLine
}

/** A text or script with its references by name, on one line; empty if nothing is written. */
export const lineOf = (value: unknown, { apps }: Names): string => {
  if (typeof value === "string") return shortened(value)
  const parts = isReference(value) ? [value] : listOf(value)
  return shortened(
    parts.map((part) => (typeof part === "string" ? part : isReference(part) ? wordsOf(part, apps) : "")).join("")
  )
}

/** A number as people write it: `1,000`; anything else as it stands. */
const numberWords = (value: unknown, names: Names): string => {
  const text = lineOf(value, names)
  return /^-?\d{1,15}(?:\.\d{1,10})?$/.test(text)
    ? Number(text).toLocaleString("en", { maximumFractionDigits: 10 })
    : text
}

export const fieldOf = (field_id: unknown, { apps }: Names) => {
  for (const { fields } of apps.values()) {
    const field = fields.find((one) => one.field_id === field_id)
    if (field !== undefined) return field
  }
  return undefined
}

const optionsIn = (field_id: unknown, names: Names) => {
  const settings = fieldOf(field_id, names)?.config?.settings
  return isObject(settings) ? listOf(settings["options"]) : []
}

/** Ids of options by their texts; of records and users by their numbers. */
export const idsWords = (ids: unknown, field: Reference, names: Names): string => {
  const options = optionsIn(field["field_id"], names)
  const type = String(field["field_type"] ?? "")
  return listOf(ids)
    .map((id) => {
      if (isReference(id)) return wordsOf(id, names.apps)
      const option = options.find((one) => isObject(one) && one["id"] === id)
      if (isObject(option)) return String(option["text"])
      return `${/user|_by$/.test(type) ? texts.user : /relation/.test(type) ? texts.record : texts.no} ${String(id)}`
    })
    .join(", ")
}

/** `today`, `Due + 3 days`. */
export const dateWords = (value: unknown, names: Names): string => {
  if (!isObject(value) || isReference(value)) return lineOf(value, names)
  const { amount, base, operator, unit } = value
  const from = isReference(base) && base["global_type"] !== "current_date" ? wordsOf(base, names.apps) : texts.today
  const count = lineOf(amount, names)
  if (count === "0" || count === "") return from
  return `${from} ${operator === "minus" ? "−" : "+"} ${count} ${String(unit ?? "day")}${count === "1" ? "" : "s"}`
}

const symbols: Readonly<Record<string, string>> = {
  greater_than: ">",
  greater_or_equal_than: "≥",
  less_than: "<",
  less_or_equal_than: "≤"
}

const valueWords = ({ subject, value = {} }: FilterCondition, names: Names): string => {
  switch (value["type"]) {
    case "ids":
      return idsWords(value["ids"], subject, names)
    case "number":
      return numberWords(value["number"], names)
    case "date":
      return dateWords(value["date"], names)
    case "boolean":
      return value["boolean"] === true ? texts.true : texts.false
    case "entity_type":
      return texts.entityType(String(value["entity_type"]))
    default: {
      const text = lineOf(value["text"], names)
      return text === "" ? "" : `“${text}”`
    }
  }
}

const takesNoValue = /^is_(?:not_)?empty$|^is_(?:in)?complete/

/** A script that states a condition on an earlier value reads as that condition. */
const scriptWords = (row: ScriptCondition, names: Names): string => {
  const condition = valueConditionOf(row)
  if (condition === undefined) return lineOf(row.code, names) || texts.aScript
  const { operator, subject, value } = condition
  const { sign, value: arity, words } = valueOperators[operator]
  const sentence = `${wordsOf(subject, names.apps)} ${sign ?? words}`
  if (arity === "none") return sentence
  return `${sentence} ${arity === "code" ? numberWords(value, names) || UNSET : `“${lineOf(value, names)}”`}`
}

const rowWords = (row: FilterRow, names: Names): string => {
  if (isGroup(row)) return `(${conditionSentence(row, names)})`
  if (isScript(row)) return scriptWords(row, names)
  const { operator = "", subject } = row
  const asks = operator === "" ? UNSET : (symbols[operator] ?? operator.replaceAll("_", " "))
  const sentence = `${wordsOf(subject, names.apps)} ${asks}`
  return operator === "" || takesNoValue.test(operator) ? sentence : `${sentence} ${valueWords(row, names) || UNSET}`
}

/** @returns empty for a condition that asks nothing */
export const conditionSentence = (group: FilterGroup | null | undefined, names: Names): string => {
  const rows = listOf(group?.rows) as ReadonlyArray<FilterRow>
  const shownRows = rows.slice(0, ROWS).map((row) => rowWords(row, names))
  const more = rows.length - shownRows.length
  return [...shownRows, ...(more > 0 ? [texts.more(more)] : [])].join(group?.operator === "or" ? texts.or : texts.and)
}
