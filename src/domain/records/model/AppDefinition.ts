// An app's definition as the rules use it: its fields in order, found by slug or id, and the field that gives titles (4.1).
import { Schema } from "effect"
import type { Cell, Cells } from "../../../platform/primitives/Cell.ts"
import { jsonb } from "../../../platform/sql/columns.ts"
import type { Icon } from "../../accounts/Icon.ts"
import { ofItsType } from "../fields/model/entryShapes.ts"
import type { Field, RecordFacts } from "../fields/model/Field.ts"
import { typeOf } from "../fields/registry.ts"

export const AppRow = Schema.Struct({
  app_id: Schema.Int,
  org_id: Schema.Int,
  workspace_id: Schema.Int,
  slug: Schema.String,
  name: Schema.String,
  item_name: Schema.String,
  description: Schema.NullOr(Schema.String),
  icon: Schema.NullOr(jsonb<Icon>()),
  item_icon: Schema.NullOr(jsonb<Icon>()),
  position: Schema.Int,
  /** Grows with every change of app or fields. */
  version: Schema.Int
})
export type AppRow = typeof AppRow.Type

/** Calculations of an app that read this one's records through a relation (11.3). */
export const AppReader = Schema.Struct({
  app_id: Schema.Int,
  relation_id: Schema.Int,
  /** External ids that they may read; of fields that come later, too. */
  members: Schema.Array(Schema.String)
})
export type AppReader = typeof AppReader.Type

export interface AppDefinition extends AppRow {
  /** Fields in field order. */
  readonly fields: ReadonlyArray<Field>
  readonly bySlug: ReadonlyMap<string, Field>
  readonly byId: ReadonlyMap<number, Field>
  /** The first title-capable field. */
  readonly titleField: Field | undefined
  /** Ids of fields that hold HTML, ascending. */
  readonly htmlFields: ReadonlyArray<number>
  readonly readers: ReadonlyArray<AppReader>
}

export const definitionOf = (
  app: AppRow,
  fields: ReadonlyArray<Field>,
  readers: ReadonlyArray<AppReader> = []
): AppDefinition => ({
  ...app,
  fields,
  readers,
  bySlug: new Map(fields.map((field) => [field.slug, field])),
  byId: new Map(fields.map((field) => [field.field_id, field])),
  titleField: fields.find((field) => typeOf(field).titleCapable),
  htmlFields: fields
    .flatMap(({ field_id, field_type }) => (field_type === "multi_text" ? [field_id] : []))
    .toSorted((one, other) => one - other)
})

/** A field by `external_id`, or by its id in decimals (4.3 rule 1). */
export const fieldByKey = (definition: AppDefinition, key: string): Field | undefined =>
  definition.bySlug.get(key) ?? (/^[1-9]\d{0,15}$/.test(key) ? definition.byId.get(Number(key)) : undefined)

/** The entries of a field: stored ones, or for a computed field the record's own facts. */
export const cellOf = (field: Field, cells: Cells, facts: RecordFacts): Cell =>
  typeOf(field).compute?.(facts) ?? ofItsType(field, cells[field.field_id] ?? [])
