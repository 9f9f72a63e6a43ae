// Type and example of what a form can refer to: from the sample's record, from what earlier steps gave in their last test, from a payload.
import type { AnswerOf } from "@millrace/client"
import { valueExamples as texts } from "../../../../texts/automations/editorSampleWords.ts"
import { typeWordOf } from "../../../../ui/json/JsonTree.tsx"
import type { Reference } from "../model/definition.ts"
import type { ReferenceChoice } from "../model/references.ts"
import type { StepResult } from "./stepResults.ts"

type AppRecord = AnswerOf<"records.get">

/** Words for what a value is, and for its kind in conditions. */
type ValueKind = "text" | "number" | "date" | "boolean" | "any"

export interface Example {
  readonly typeWord: string
  readonly kind: ValueKind
  /** Undefined where nothing is known yet. */
  readonly value: unknown
}

interface ExampleSources {
  readonly record: AppRecord | undefined
  readonly results: ReadonlyMap<string, StepResult>
  readonly payload: unknown
}

const MOST_CHARS = 60

/** Shows a value in a line. */
export const exampleText = (value: unknown): string => {
  const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)
  const oneLine = text.replaceAll(/\s+/g, " ").trim()
  return oneLine.length > MOST_CHARS ? `${oneLine.slice(0, MOST_CHARS)}…` : oneLine
}

const entryText = (entry: any): unknown => {
  const value = entry?.value ?? entry?.title ?? entry?.url ?? entry?.start_utc ?? entry
  return typeof value === "object" && value !== null
    ? (value.text ?? value.title ?? value.name ?? value.filename ?? value)
    : value
}
const cellValue = (record: AppRecord | undefined, fieldId: unknown): unknown => {
  const cell = record?.fields.find(({ field_id }) => field_id === fieldId)
  if (cell === undefined) return record === undefined ? undefined : null
  const values = (cell.values as ReadonlyArray<unknown>).map(entryText)
  return values.length > 1 ? values.map(exampleText).join(", ") : (values[0] ?? null)
}

const fieldWords: ReadonlyArray<readonly [pattern: RegExp, word: string, kind: ValueKind]> = [
  [/^(?:number|unique_id|calculation)$/, texts.number, "number"],
  [/date|_at$/, texts.date, "date"],
  [/category|status/, texts.option, "any"],
  [/user|_by$/, texts.person, "any"],
  [/relation/, texts.record, "any"],
  [/attachment|image|file/, texts.file, "any"],
  [/checklist/, texts.checklist, "any"]
]
const metaWords: Readonly<Record<string, readonly [word: string, kind: ValueKind]>> = {
  app_record_id: [texts.number, "number"],
  record_id: [texts.number, "number"],
  revision: [texts.number, "number"],
  created_at: [texts.date, "date"],
  last_modified_at: [texts.date, "date"],
  created_by: [texts.person, "any"],
  last_modified_by: [texts.person, "any"]
}
const kindOfValue = (value: unknown): ValueKind =>
  typeof value === "number"
    ? "number"
    : typeof value === "boolean"
      ? "boolean"
      : typeof value === "string"
        ? "text"
        : "any"

const ofValue = (value: unknown, unknownWord = "value"): Example => ({
  typeWord: value === undefined ? unknownWord : typeWordOf(value),
  kind: kindOfValue(value),
  value
})

/** Finds the value that a step gave under the label of a variable, or its only value. */
const outputOf = (results: ExampleSources["results"], stepId: string, label: string): unknown => {
  const outputs = results.get(stepId)?.items.at(-1)?.outputs
  if (outputs === undefined) return undefined
  if (Object.hasOwn(outputs, label)) return outputs[label]
  const { response, value } = outputs as { readonly response?: { readonly data?: unknown }; readonly value?: unknown }
  if (typeof value === "object" && value !== null && Object.hasOwn(value, label)) return (value as any)[label]
  return Object.hasOwn(outputs, "value") ? value : response?.data
}

const metaOf = (record: AppRecord | undefined, metaType: unknown): unknown => {
  const value = record === undefined ? undefined : (record as unknown as Record<string, unknown>)[String(metaType)]
  return typeof value === "object" && value !== null ? ((value as { readonly name?: unknown }).name ?? value) : value
}

export const exampleOf = (
  { from, reference }: Pick<ReferenceChoice, "from" | "reference">,
  { payload, record, results }: ExampleSources
): Example => {
  const { action_type, collection, field_id, field_type, label, meta_type, previous, source } = reference
  switch (source) {
    case "field": {
      const [, typeWord, kind] = fieldWords.find(([pattern]) => pattern.test(String(field_type))) ?? [
        "",
        "text",
        "text"
      ]
      const isOfRecord = collection !== true && previous !== true
      return { typeWord, kind, value: isOfRecord ? cellValue(record, field_id) : undefined } as Example
    }
    case "meta": {
      const [typeWord, kind] = metaWords[String(meta_type)] ?? ["text", "text"]
      return { typeWord, kind, value: metaOf(record, meta_type) }
    }
    case "custom":
      return ofValue(from === undefined ? undefined : outputOf(results, from, String(label)))
    case "action": {
      const outputs = from === undefined ? undefined : results.get(from)?.items.at(-1)?.outputs
      return action_type === "created_record"
        ? { typeWord: "record", kind: "any", value: outputs?.["record_id"] }
        : { typeWord: "records", kind: "any", value: outputs?.["record_collection"] }
    }
    case "trigger":
      return reference["trigger_type"] === "webhook_payload" ? ofValue(payload, "object") : ofValue(undefined)
    case "global":
      return /date/.test(String(reference["global_type"]))
        ? { typeWord: "date", kind: "date", value: undefined }
        : ofValue(undefined)
    default:
      return ofValue(undefined)
  }
}

/** Members of a payload that are offered, and how deep. */
const MEMBERS = 60
const DEPTH = 4
const dataTypes: Readonly<Record<string, string>> = { string: "text", number: "number", boolean: "boolean" }

/** The members of a payload as values to refer to, each by its path. */
export const payloadChoices = (payload: unknown): ReadonlyArray<ReferenceChoice & { readonly example: Example }> => {
  const choices: Array<ReferenceChoice & { readonly example: Example }> = []
  const visit = (value: unknown, path: ReadonlyArray<string | number>) => {
    if (typeof value !== "object" || value === null || path.length >= DEPTH) return
    for (const [key, member] of Object.entries(value)) {
      if (choices.length >= MEMBERS) return
      const key_path = [...path, Array.isArray(value) ? Number(key) : key]
      const reference: Reference = {
        kind: "variable",
        source: "trigger",
        trigger_type: "webhook_payload_property",
        key_path,
        data_type: dataTypes[typeof member] ?? "any"
      }
      choices.push({ label: key_path.join(" › "), reference, example: ofValue(member) })
      visit(member, key_path)
    }
  }
  visit(payload, [])
  return choices
}
