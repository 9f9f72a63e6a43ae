// Renders a record (developer-api.md 4.1): only non-empty fields, in field order.

import type { Author } from "../../../engine/outbox/Event.ts"
import type { Cell, Cells } from "../../../ground/primitives/Cell.ts"
import { formatDateTime } from "../../../ground/primitives/dates.ts"
import type { Field, Found, Mentions, RecordFacts } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import { type AppDefinition, cellOf, type Icon, shownTitle } from "../model/AppDefinition.ts"
import { factsOf, type RecordRow, timeOrNull } from "../model/RecordRow.ts"

export const mentionAuthor = (author: Author | null, into: Mentions) => {
  if (author === null) return
  if (author.type === "user") into.users.add(author.user_id)
  else into.automations.add(author.automation_id)
}

export const mentionCells = (definition: AppDefinition, cells: Cells, facts: RecordFacts, into: Mentions) => {
  for (const field of definition.fields) {
    const mention = typeOf(field).mention
    if (mention !== undefined) mention(cellOf(field, cells, facts), into)
  }
}

/** Adds the ids that rendering the record needs to have looked up. */
export const mentionRecord = (definition: AppDefinition, record: RecordRow, into: Mentions) => {
  mentionAuthor(record.created_by, into)
  mentionAuthor(record.last_modified_by, into)
  mentionCells(definition, record.cells, factsOf(record), into)
}

/** The user or automation; one that is no longer known keeps its id. */
export const renderAuthor = (author: Author, orgId: number, found: Found) =>
  author.type === "user"
    ? (found.users.get(author.user_id) ?? {
        user_id: author.user_id,
        mail: [],
        image: null,
        name: "",
        org_id: orgId,
        type: "user" as const
      })
    : {
        automation_id: author.automation_id,
        name: found.automations.get(author.automation_id)?.name ?? "",
        type: "automation" as const
      }

/** The entries of `values`. */
export const renderCell = (cell: Cell, field: Field, found: Found): ReadonlyArray<unknown> => {
  const { render } = typeOf(field)
  return cell.map((entry) => render(entry, field, found)).filter((value) => value !== null)
}

export const fieldHead = (field: Field) => ({
  field_id: field.field_id,
  external_id: field.slug,
  label: field.label,
  type: typeOf(field).type,
  field_type: field.field_type
})

const renderFields = (definition: AppDefinition, cells: Cells, facts: RecordFacts, found: Found) =>
  definition.fields.flatMap((field) => {
    const values = renderCell(cellOf(field, cells, facts), field, found)
    return values.length === 0 ? [] : [{ ...fieldHead(field), values }]
  })

const iconName = (icon: Icon | null): string | null =>
  icon === null ? null : icon.type === "emoji" ? icon.emoji : icon.id

export const renderRecord = (definition: AppDefinition, record: RecordRow, found: Found, baseUrl: string) => ({
  record_id: record.record_id,
  app_record_id: record.app_record_id,
  app_id: record.app_id,
  title: shownTitle(record.title, definition.item_name, record.app_record_id),
  record_url: `${baseUrl}/record/${record.record_id}`,
  revision: record.revision,
  created_on: formatDateTime(record.created_on),
  last_modified_on: timeOrNull(record.last_modified_on),
  deleted_on: timeOrNull(record.deleted_on),
  comment_count: record.comment_count,
  created_by: renderAuthor(record.created_by, record.org_id, found),
  last_modified_by:
    record.last_modified_by === null ? null : renderAuthor(record.last_modified_by, record.org_id, found),
  app: {
    app_id: definition.app_id,
    name: definition.name,
    record_name: definition.item_name,
    workspace_id: definition.workspace_id,
    icon: iconName(definition.icon)
  },
  fields: renderFields(definition, record.cells, factsOf(record), found)
})
export type RecordView = ReturnType<typeof renderRecord>
