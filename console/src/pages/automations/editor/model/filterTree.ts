// Edits of a filter tree (service.md 2.7 "Filter tree") and what its conditions compare with.
import type { FilterCondition, FilterGroup, FilterRow, Reference, ScriptCondition } from "./definition.ts"
import type { KnownApp } from "./references.ts"

export const isGroup = (row: FilterRow): row is FilterGroup => "rows" in row
export const isScript = (row: FilterRow): row is ScriptCondition => "code" in row

export const emptyGroup: FilterGroup = { operator: "and", rows: [] }

export const changeRow = (group: FilterGroup, at: number, row: FilterRow): FilterGroup => ({
  ...group,
  rows: group.rows.map((one, index) => (index === at ? row : one))
})
export const removeRow = (group: FilterGroup, at: number): FilterGroup => ({
  ...group,
  rows: group.rows.filter((_, index) => index !== at)
})
export const addRow = (group: FilterGroup, row: FilterRow): FilterGroup => ({ ...group, rows: [...group.rows, row] })

type Channel = "text" | "number" | "ids" | "date" | "boolean" | "entity_type"

const ids =
  /^(?:single_category|multi_category|status|single_relation|multi_relation|single_user|multi_user|created_by|last_modified_by)$/
const dates = /^(?:single_date|range_date|created_at|last_modified_at|date)$/

/** The tag of values that are compared with a type of field (write rule 1). */
const channelOf = (fieldType: string): Channel =>
  ids.test(fieldType)
    ? "ids"
    : fieldType === "boolean"
      ? "boolean"
      : dates.test(fieldType)
        ? "date"
        : fieldType === "number" || fieldType === "unique_id" || fieldType === "calculation"
          ? "number"
          : "text"

/** The type of field whose conditions a subject has, if it can be compared (write rule 6). */
export const typeOfSubject = ({
  data_type,
  field_type,
  key,
  meta_type,
  source,
  trigger_type
}: Reference): string | undefined => {
  if (source === "field") return String(field_type)
  if (source === "meta") {
    if (meta_type === "app_record_id") return "unique_id"
    return ["created_at", "last_modified_at", "created_by", "last_modified_by"].includes(String(meta_type))
      ? String(meta_type)
      : undefined
  }
  if (source !== "trigger") return undefined
  if (trigger_type === "webhook_payload_property")
    return data_type === "number" ? "number" : data_type === "date" ? "single_date" : "single_text"
  if (key !== undefined) return "single_text"
  const types: Readonly<Record<string, string>> = {
    periodic_execution_datetime: "single_date",
    periodic_next_execution_datetime: "single_date",
    webhook_raw_body: "single_text",
    weblink_click_count: "number",
    weblink_created_at: "single_date",
    record_comment_or_reply_id: "number",
    record_comment_or_reply_content: "single_text",
    record_comment_or_reply_created_by: "single_user"
  }
  return types[String(trigger_type)]
}

const emptyValue = (channel: Channel): Readonly<Record<string, unknown>> => {
  switch (channel) {
    case "date":
      return { type: channel, date: { operator: "plus", unit: "day", amount: ["0"] } }
    case "boolean":
      return { type: channel, boolean: true }
    case "entity_type":
      return { type: channel, entity_type: "comment" }
    default:
      return { type: channel, [channel]: [] }
  }
}

const typesOfResults: Readonly<Record<string, string>> = { text: "single_text", number: "number", date: "single_date" }

/** The type that a subject is compared as: a calculation as its result is, `boolean` among them. */
export const comparedType = (subject: Reference, apps: ReadonlyMap<number, KnownApp>): string => {
  const type = typeOfSubject(subject) ?? "single_text"
  if (type !== "calculation") return type
  const fields = [...apps.values()].flatMap((app) => app.fields)
  const settings = fields.find(({ field_id }) => field_id === subject["field_id"])?.config?.settings
  const result = (settings as { readonly result?: string } | undefined)?.result
  return result === "boolean" ? result : (typesOfResults[result ?? ""] ?? type)
}

/** A condition on another subject, or asked otherwise: the value stays where it fits. */
export const asked = (
  row: FilterCondition,
  subject: Reference,
  operator: string,
  takesValue: boolean,
  type = typeOfSubject(subject) ?? "single_text"
): FilterCondition => {
  const channel = channelOf(type)
  const { value, ...rest } = row
  const kept =
    value?.["type"] === channel && JSON.stringify(row.subject) === JSON.stringify(subject) ? value : undefined
  return { ...rest, subject, operator, ...(takesValue ? { value: kept ?? emptyValue(channel) } : {}) }
}
