// Relation fields: ids of records of referenced apps, looked up before they are judged (developer-api.md 3.2, 4.3 rules 3, 6).
import { Effect, Schema } from "effect"
import type { Cell, Entry } from "../../../../platform/primitives/Cell.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { valued } from "../contract/shapes.ts"
import { type Field, type Found, type Mentions, type Problem, RecordPreview } from "../model/Field.ts"
import { type Predicates, when } from "../sql/predicates.ts"

/** Maximum number of apps that a relation refers to: each search for referable records queries all of them. */
export const REFERENCED_AT_MOST = 50

export const RelationSettings = Schema.Struct({
  referenced_apps: Schema.Array(
    Schema.Struct({ app_id: Schema.Int, view_id: Schema.optionalKey(Schema.NullOr(Schema.Int)) }).annotate({
      identifier: "ReferencedApp"
    })
  ).pipe(Schema.withDecodingDefaultKey(Effect.succeed([])))
})
export type RelationSettings = typeof RelationSettings.Type

const mention = (cell: Cell, into: Mentions) => {
  for (const id of cell) into.records.add(id as number)
}
const check = (cell: Cell, field: Field<RelationSettings>, found: Found): Problem | null => {
  const apps = new Set(field.settings.referenced_apps.map(({ app_id }) => app_id))
  const foreign = cell.find((id) => !apps.has(found.records.get(id as number)?.app_id ?? 0))
  return foreign === undefined ? null : `names no record of a referenced app: ${foreign}`
}
export const recordTitle = (entry: Entry, _field: Field, found: Found) =>
  found.records.get(entry as number)?.title ?? ""

/** Trashed records do not count. */
export const liveIds = (cell: Cell, found: Found) =>
  (cell as ReadonlyArray<number>).filter((id) => found.records.has(id))

const linked = ({ ownLinks }: Predicates, { field_id }: Field) => ownLinks(field_id)

export const relationKind = {
  kind: "records",
  type: "relation",
  olderName: "app",
  channels: ["ids"],
  assignable: true,
  titleCapable: true,
  refersTo: "records",
  settings: RelationSettings,
  check,
  mention,
  render: (entry, _field, found) => {
    const record = found.records.get(entry as number)
    return record === undefined ? null : { value: record }
  },
  entry: valued(RecordPreview),
  text: recordTitle
} satisfies Partial<AssignableType<"records", RelationSettings>>

export const relationFilter = {
  passes: when("ids", (sql, { field_id }, test) => sql.linked(field_id, test)),
  empty: (sql, field) => sql.sql`NOT EXISTS (${linked(sql, field)})`,
  present: (sql, field) => sql.sql`EXISTS (${linked(sql, field)})`
} satisfies Partial<AssignableType["filter"]>
