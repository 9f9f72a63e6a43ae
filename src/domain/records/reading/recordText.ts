// Renders records as the JSON text that answers and hook bodies carry (developer-api.md 4.1): only non-empty fields, in field order. The
// members are those of `Record` (./recordSchemas.ts), in its order. Texts that records share are put together once: a field's head for all
// requests, an app and a user for all records of a call.

import type { Author } from "../../../engine/outbox/Event.ts"
import { formatDateTimeOrNull } from "../../../platform/primitives/dates.ts"
import type { Icon } from "../../accounts/Icon.ts"
import type { Field, Found } from "../fields/model/Field.ts"
import { type AppDefinition, cellOf } from "../model/AppDefinition.ts"
import { factsOf, type RecordRow } from "../model/RecordRow.ts"
import { shownTitle } from "../model/recordTitle.ts"
import { recordUrl } from "../model/recordUrl.ts"
import { fieldHead, renderAuthor, renderCell } from "./render.ts"

const quote = JSON.stringify

const heads = new WeakMap<Field, string>()

/** Opens a field's object, up to its values. */
const headOf = (field: Field): string => {
  const cachedHead = heads.get(field)
  if (cachedHead !== undefined) return cachedHead
  const head = `${quote(fieldHead(field)).slice(0, -1)},"values":`
  heads.set(field, head)
  return head
}

const iconName = (icon: Icon | null): string | null =>
  icon === null ? null : icon.type === "emoji" ? icon.emoji : icon.id

const appText = ({ app_id, icon, item_name, name, workspace_id }: AppDefinition) =>
  quote({ app_id, name, record_name: item_name, workspace_id, icon: iconName(icon) })

/** Text of a time, which holds nothing to escape, or of null. */
const timeText = (time: string | null) => (time === null ? "null" : `"${time}"`)

/**
 * Renderer of records for which the same things were looked up.
 * @param baseUrl the service's own, which the address of a record begins with
 */
export const recordTexts = (found: Found, baseUrl: string) => {
  const apps = new Map<AppDefinition, string>()
  const appOf = (definition: AppDefinition) => {
    const text = apps.get(definition) ?? appText(definition)
    apps.set(definition, text)
    return text
  }
  const users = new Map<number, string>()
  const authorText = (author: Author | null, orgId: number): string => {
    if (author === null) return "null"
    if (author.type !== "user") return quote(renderAuthor(author, orgId, found))
    const text = users.get(author.user_id) ?? quote(renderAuthor(author, orgId, found))
    users.set(author.user_id, text)
    return text
  }
  const address = quote(recordUrl(baseUrl, "")).slice(0, -1)

  return (definition: AppDefinition, record: RecordRow): string => {
    const { app_record_id, record_id, org_id } = record
    const facts = factsOf(record)
    let fields = ""
    for (const field of definition.fields) {
      const values = renderCell(cellOf(field, record.cells, facts), field, found)
      if (values.length > 0) fields += `${fields === "" ? "" : ","}${headOf(field)}${quote(values)}}`
    }
    return `{"record_id":${record_id},"app_record_id":${app_record_id},"app_id":${record.app_id},"title":${quote(
      shownTitle(record.title, definition.item_name, app_record_id)
    )},"record_url":${address}${record_id}","revision":${record.revision},"created_on":${timeText(
      facts.created_on
    )},"last_modified_on":${timeText(facts.last_modified_on)},"deleted_on":${timeText(
      formatDateTimeOrNull(record.deleted_on)
    )},"comment_count":${record.comment_count},"created_by":${authorText(
      record.created_by,
      org_id
    )},"last_modified_by":${authorText(record.last_modified_by, org_id)},"app":${appOf(definition)},"fields":[${fields}]}`
  }
}

/** The object's text with another member at its end. @param value JSON */
export const withMember = (text: string, name: string, value: string) => `${text.slice(0, -1)},${quote(name)}:${value}}`
