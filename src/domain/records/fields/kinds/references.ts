// Relation and user fields: ids of records and users, looked up before they are judged (3.2, 4.3 rule 3).
import { Effect, Schema } from "effect"
import type { Cell, Entry } from "../../../../ground/primitives/Cell.ts"
import { joined } from "../input/writeInput.ts"
import type { Field, Found, Mentions, Problem } from "../model/FieldType.ts"

export const RelationSettings = Schema.Struct({
  referenced_apps: Schema.Array(
    Schema.Struct({ app_id: Schema.Int, view_id: Schema.optionalKey(Schema.NullOr(Schema.Int)) })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
})
export type RelationSettings = typeof RelationSettings.Type

export const mentionRecords = (cell: Cell, into: Mentions) => {
  for (const id of cell) into.records.add(id as number)
}
export const checkRecords = (cell: Cell, field: Field<RelationSettings>, found: Found): Problem | null => {
  const apps = new Set(field.settings.referenced_apps.map(({ app_id }) => app_id))
  const foreign = cell.find((id) => !apps.has(found.records.get(id as number)?.app_id ?? 0))
  return foreign === undefined ? null : `names no record of a referenced app: ${foreign}`
}
export const renderRecord = (entry: Entry, _field: Field, found: Found) => {
  const record = found.records.get(entry as number)
  return record === undefined ? null : { value: record }
}
export const recordTitle = (entry: Entry, _field: Field, found: Found) =>
  found.records.get(entry as number)?.title ?? ""

export const mentionUsers = (cell: Cell, into: Mentions) => {
  for (const id of cell) into.users.add(id as number)
}
export const checkUsers = (cell: Cell, _field: Field, found: Found): Problem | null => {
  const foreign = cell.find((id) => !found.users.has(id as number))
  return foreign === undefined ? null : `names no user of the organization: ${foreign}`
}
export const renderUser = (entry: Entry, _field: Field, found: Found) => {
  const user = found.users.get(entry as number)
  return user === undefined ? null : { value: user }
}
export const userName = (entry: Entry, _field: Field, found: Found) => found.users.get(entry as number)?.name ?? ""

/** All entries of a list field as one title. */
export const titleOf =
  (text: (entry: Entry, field: Field, found: Found) => string) => (cell: Cell, field: Field, found: Found) =>
    joined(cell.map((entry) => text(entry, field, found)))
