// Parts of a record as the API shows them (developer-api.md 4.1): authors, cells, and the ids that have to be looked up for them.

import type { Author } from "../../../engine/outbox/Event.ts"
import type { Cell, Cells } from "../../../platform/primitives/Cell.ts"
import type { Field, Found, Mentions, RecordFacts } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"
import { type AppDefinition, cellOf } from "../model/AppDefinition.ts"
import { factsOf, type RecordRow } from "../model/RecordRow.ts"

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
  if (definition.fields.some((field) => typeOf(field).mention !== undefined))
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
