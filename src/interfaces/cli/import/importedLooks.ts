// Settings of fields and looks of views, with the ids that they name. A look is kept as it was sent (developer-api.md 3.5): ids are known by
// their keys, and where a field's id stands alone.
import { Result, Schema } from "effect"
import { isId, isObject } from "../../../domain/records/fields/input/writeInput.ts"
import type { RelationSettings } from "../../../domain/records/fields/kinds/relationFields.ts"
import { typeOf } from "../../../domain/records/fields/registry.ts"
import { lookKeys } from "../../../domain/records/views/View.ts"
import { CalendarFields, Columns, Frozen, frozenByDefault } from "../../../domain/records/views/viewLook.ts"
import type { IdBook, IdKind } from "./IdBook.ts"
import { id, orNull } from "./ImportKind.ts"

const Options = Schema.Struct({ options: Schema.Array(Schema.Struct({ id: Schema.Int })) })
const isOptions = Schema.is(Options)

const relation = (settings: RelationSettings, book: IdBook) => ({
  ...settings,
  referenced_apps: settings.referenced_apps.map(({ app_id, view_id, ...rest }) => ({
    ...rest,
    app_id: book.to("app", app_id),
    ...(view_id == null ? {} : { view_id: book.to("view", view_id) })
  }))
})

/** Settings of the field's type, decoded; options and apps by their new ids. */
export const importedSettings = (
  field: { readonly field_type: string; readonly settings: unknown },
  book: IdBook
): Result.Result<unknown, string> => {
  const { settings: schema } = typeOf(field)
  const decoded = Schema.decodeUnknownResult(schema)(field.settings)
  if (Result.isFailure(decoded)) return Result.fail("settings: are none of the field's type")
  const settings: unknown = decoded.success
  if (isOptions(settings)) {
    for (const { id } of settings.options) book.widen("option", id)
    return Result.succeed({
      ...settings,
      options: settings.options.map((option) => ({ ...option, id: book.to("option", option.id) }))
    })
  }
  const pointed = isObject(settings) && "referenced_apps" in settings
  return Result.succeed(pointed ? relation(settings as unknown as RelationSettings, book) : settings)
}

/** Kind of the id that stands under a key. */
const byKey: Readonly<Record<string, IdKind>> = {
  field_id: "field",
  field_ids: "field",
  option_id: "option",
  option_ids: "option",
  user_id: "user",
  user_ids: "user"
}
/** The parts that are a field's id, or a list of them. */
const fieldIdParts = new Set(["fields", "split_by"])

const visit = (value: unknown, kind: IdKind | undefined, book: IdBook): unknown => {
  if (typeof value === "number") return kind === undefined || !isId(value) ? value : book.to(kind, value)
  if (Array.isArray(value)) return value.map((item) => visit(item, kind, book))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      isId(Number(key)) && book.has("field", Number(key)) ? String(book.to("field", Number(key))) : key,
      visit(item, byKey[key], book)
    ])
  )
}

export const importedLook = (row: Readonly<Record<string, unknown>>, book: IdBook) =>
  Object.fromEntries(lookKeys.map((key) => [key, visit(row[key], fieldIdParts.has(key) ? "field" : undefined, book)]))

const fieldId = Schema.optionalKey(orNull(id))
/** Columns of a view that name fields, and its maker (developer-api.md 11.6). Exports from before them have none. */
export const lookFieldColumns = {
  columns: Schema.optionalKey(Columns),
  frozen: Schema.optionalKey(Frozen),
  group_by: fieldId,
  board_field_id: fieldId,
  calendar_field_ids: Schema.optionalKey(CalendarFields),
  cover_field_id: fieldId,
  created_by: fieldId
}
const LookFields = Schema.Struct(lookFieldColumns)

/** Fields that the export has, by their new ids. */
export const importedLookFields = (
  row: typeof LookFields.Type,
  fields: { readonly has: (id: number) => boolean },
  book: IdBook
) => {
  const toNew = (id: number) => book.to("field", id)
  const oneOf = (id: number | null | undefined) => (id == null || !fields.has(id) ? null : toNew(id))
  const columns = (row.columns ?? []).filter(({ field_id }) => fields.has(field_id))
  return {
    columns: columns.map((column) => ({ ...column, field_id: toNew(column.field_id) })),
    frozen: row.frozen ?? frozenByDefault,
    group_by: oneOf(row.group_by),
    board_field_id: oneOf(row.board_field_id),
    calendar_field_ids: (row.calendar_field_ids ?? []).filter((id) => fields.has(id)).map(toNew),
    cover_field_id: oneOf(row.cover_field_id)
  }
}
