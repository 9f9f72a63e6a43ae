// Apps, fields, views, records and what hangs on them, as an import makes them (docs/operations.md): the same but for the ids, inside of
// values, texts and filters too.
import { createHash } from "node:crypto"
import { Result, Schema } from "effect"
import { Icon } from "../../../domain/accounts/Icon.ts"
import { type RecordFilter, RecordFilters } from "../../../domain/records/fields/matching/RecordFilter.ts"
import { isFieldType, typeOf } from "../../../domain/records/fields/registry.ts"
import { layouts } from "../../../domain/records/views/viewLook.ts"
import { fileName } from "../../../platform/text/fileName.ts"
import type { IdBook } from "./IdBook.ts"
import { anyObject, author, authorBy, count, flag, id, kind, leftOut, orNull, taken, text, time } from "./ImportKind.ts"
import { type ImportedField, importedCells, importedDelta } from "./importedCells.ts"
import { importedLook, importedLookFields, importedSettings, lookFieldColumns } from "./importedLooks.ts"

const decodeFilters = Schema.decodeUnknownResult(RecordFilters)

const idKindOf = { options: "option", records: "record", users: "user" } as const

/** Maps the values of a filter: they are ids if its field holds ids. */
const importedFilter = (filter: RecordFilter, field: ImportedField | undefined, book: IdBook): RecordFilter => {
  const kindOfData = field === undefined ? undefined : typeOf(field).kind
  const idKind = kindOfData === "checklist" ? "user" : idKindOf[kindOfData as keyof typeof idKindOf]
  return {
    ...filter,
    ...(filter.field_id === undefined ? {} : { field_id: book.to("field", filter.field_id) }),
    ...(filter.values === undefined || idKind === undefined
      ? {}
      : {
          values: filter.values.map(({ value }) => ({
            value: typeof value === "number" ? book.to(idKind, value) : value
          }))
        })
  }
}

const mention = /\]\(user:(\d{1,15})\)/g
/** A text with its mentions, `@[Name](user:5)` (developer-api.md 5). */
const importedText = (value: string, book: IdBook) =>
  value.replace(mention, (_, user) => `](user:${book.to("user", Number(user))})`)

const lookColumn = orNull(Schema.Unknown)
const commentColumns = { created_on: time, created_by: author, edited_on: orNull(time), value: text }

export const importedContent = {
  apps: kind({
    row: Schema.Struct({
      ...{ app_id: id, org_id: id, workspace_id: id, slug: text, name: text, item_name: text },
      ...{ description: orNull(text), icon: orNull(Icon), item_icon: orNull(Icon) },
      ...{ position: Schema.Int, version: count, created_on: time }
    }),
    id: ["app_id", "app"],
    of: { org_id: "org", workspace_id: "workspace" }
  }),
  app_counters: kind({ row: Schema.Struct({ app_id: id, last_app_record_id: Schema.Int }), of: { app_id: "app" } }),
  fields: kind({
    row: Schema.Struct({
      ...{ field_id: id, app_id: id, slug: text, field_type: text, label: text, description: orNull(text) },
      ...{
        required: flag,
        unique: Schema.optionalKey(flag),
        hidden_if_empty: flag,
        always_hidden: flag,
        position: Schema.Int,
        created_on: time,
        converted_on: Schema.optionalKey(orNull(time))
      },
      settings: anyObject
    }),
    id: ["field_id", "field"],
    of: { app_id: "app" },
    change: (row, { book, fields }) => {
      if (!isFieldType(row.field_type)) return Result.fail("field_type: is none that this release knows")
      fields.set(row.field_id, { app_id: row.app_id, field_type: row.field_type, settings: row.settings })
      return Result.map(importedSettings(row, book), (settings) => ({
        ...{ ...row, settings, unique: row.unique ?? false },
        converted_on: row.converted_on ?? null
      }))
    }
  }),
  views: kind({
    row: Schema.Struct({
      ...{ view_id: id, app_id: id, name: text, is_default: flag, layout: Schema.Literals(layouts), private: flag },
      ...{ sort_by: orNull(id), sort_desc: flag, filters: Schema.Unknown, created_on: time },
      ...lookFieldColumns,
      ...{ fields: lookColumn, split_by: lookColumn, show_progress: lookColumn, table: lookColumn, board: lookColumn }
    }),
    id: ["view_id", "view"],
    of: { app_id: "app" },
    names: { created_by: "user" },
    change: (row, { book, fields }) =>
      // A view that nobody sees.
      row.private && row.created_by == null
        ? leftOut
        : Result.mapBoth(decodeFilters(row.filters), {
            onFailure: () => "filters: are none",
            onSuccess: (filters) => ({
              ...row,
              ...importedLookFields(row, fields, book),
              created_by: row.created_by ?? null,
              sort_by: row.sort_by === null || !fields.has(row.sort_by) ? null : book.to("field", row.sort_by),
              filters: filters.map((filter) => importedFilter(filter, fields.get(filter.field_id ?? 0), book)),
              ...importedLook(row, book)
            })
          })
  }),
  files: kind({
    row: Schema.Struct({
      ...{ file_id: id, org_id: id, temporary_id: orNull(text), uploaded_by: id, name: text, size: Schema.Int },
      ...{ mimetype: text, storage_key: text, created_on: time, attached_on: orNull(time) }
    }),
    id: ["file_id", "file"],
    of: { org_id: "org" },
    names: { uploaded_by: "user" },
    change: (row, { contents, key, used }) => {
      const content = contents.get(row.storage_key)
      // An upload that was not attached ends after a day; a content that was removed meanwhile is empty.
      if (row.temporary_id !== null || content === undefined || content.bytes === 0) return leftOut
      if (content.bytes !== row.size) return Result.fail(`size: the content has ${content.bytes} bytes`)
      used.add(row.storage_key)
      return taken({ ...row, name: fileName(row.name), storage_key: contentKey(key, row.storage_key) })
    }
  }),
  records: kind({
    row: Schema.Struct({
      ...{ record_id: id, app_id: id, org_id: id, app_record_id: id, title: orNull(text), revision: count },
      ...{ cells: anyObject, comment_count: count, created_on: time, created_by: author },
      ...{ last_modified_on: orNull(time), last_modified_by: orNull(author) },
      ...{ deleted_on: orNull(time), deleted_by: orNull(author) }
    }),
    id: ["record_id", "record"],
    of: { app_id: "app", org_id: "org" },
    change: (row, { book, fields }) =>
      Result.map(importedCells(row.cells, row.app_id, fields, book), (cells) => ({
        ...{ ...row, cells, created_by: authorBy(row.created_by, book) },
        last_modified_by: authorBy(row.last_modified_by, book),
        deleted_by: authorBy(row.deleted_by, book)
      }))
  }),
  record_links: kind({
    row: Schema.Struct({ record_id: id, field_id: id, target_id: id }),
    of: { record_id: "record", field_id: "field", target_id: "record" }
  }),
  unique_values: kind({
    row: Schema.Struct({ field_id: id, value: text, record_id: id }),
    of: { field_id: "field", record_id: "record" }
  }),
  revisions: kind({
    row: Schema.Struct({
      ...{ record_id: id, revision: count, created_on: time, created_by: author, delta: anyObject },
      type: Schema.Literals(["creation", "update", "deletion", "restore"])
    }),
    of: { record_id: "record" },
    change: (row, { book, fields }) =>
      Result.map(importedDelta(row.delta, fields, book), (delta) => ({
        ...row,
        delta,
        created_by: authorBy(row.created_by, book)
      }))
  }),
  comments: kind({
    row: Schema.Struct({ comment_id: id, record_id: id, app_id: id, reply_count: count, ...commentColumns }),
    id: ["comment_id", "comment"],
    of: { record_id: "record", app_id: "app" },
    change: (row, { book }) =>
      taken({ ...row, value: importedText(row.value, book), created_by: authorBy(row.created_by, book) })
  }),
  replies: kind({
    row: Schema.Struct({ reply_id: id, comment_id: id, ...commentColumns }),
    id: ["reply_id", "reply"],
    of: { comment_id: "comment" },
    change: (row, { book }) =>
      taken({ ...row, value: importedText(row.value, book), created_by: authorBy(row.created_by, book) })
  }),
  file_links: kind({
    row: Schema.Struct({
      ...{ file_id: id, record_id: id, field_id: orNull(id), comment_id: orNull(id), reply_id: orNull(id) }
    }),
    of: { file_id: "file", record_id: "record", field_id: "field", comment_id: "comment", reply_id: "reply" }
  })
}

/** Contents are no two organizations' in common. */
export const contentKey = (key: string, storageKey: string) =>
  createHash("sha256").update(`${key}\n${storageKey}`).digest("hex")
