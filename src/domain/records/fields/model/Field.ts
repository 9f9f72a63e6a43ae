// Field as stored, and the data for parsing, checking and computing its entries. All pure: first the ids to look up are collected
// (`Mentions`), then found in a batch (`Found`), then the entries are checked.
import type { Result } from "effect"
import { Schema } from "effect"
import type { Author } from "../../../../engine/outbox/Event.ts"
import type { Cell } from "../../../../platform/primitives/Cell.ts"

/** A field as stored. `settings` has the form that its type's `settings` schema decodes to. */
export interface Field<S = any> {
  readonly field_id: number
  readonly app_id: number
  readonly slug: string
  readonly field_type: string
  readonly label: string
  readonly description: string | null
  readonly required: boolean
  /** No two live records have the same value (11.2). */
  readonly unique: boolean
  readonly hidden_if_empty: boolean
  readonly always_hidden: boolean
  readonly position: number
  readonly settings: S
  /** When it got its type; null or absent if it was created with it (11.4). */
  readonly converted_on?: string | null
}

/** Embedded user object (developer-api.md 2.1). */
export interface UserView {
  readonly user_id: number
  readonly mail: ReadonlyArray<string>
  readonly image: string | null
  readonly name: string
  readonly org_id: number
  readonly type: "user"
}
export const AutomationAuthor = Schema.Struct({
  automation_id: Schema.Int,
  name: Schema.NullOr(Schema.String),
  type: Schema.Literal("automation")
})
export type AutomationAuthor = typeof AutomationAuthor.Type
export const RecordPreview = Schema.Struct({
  record_id: Schema.Int,
  app_id: Schema.Int,
  title: Schema.String
}).annotate({ identifier: "RecordReference" })
export type RecordPreview = typeof RecordPreview.Type
/** An attached file as it reads in `values`; `download_url` is signed when it is looked up. */
export const FileView = Schema.Struct({
  id: Schema.Int,
  filename: Schema.String,
  size: Schema.Int,
  mimetype: Schema.String,
  download_url: Schema.String
}).annotate({ identifier: "AttachedFile" })
export type FileView = typeof FileView.Type

/** Ids to look up; `files` are attached files, `temporary` uploads that a write attaches. */
export interface Mentions {
  readonly users: Set<number>
  readonly automations: Set<number>
  readonly records: Set<number>
  readonly files: Set<number>
  readonly temporary: Set<string>
}
export const noMentions = (): Mentions => ({
  users: new Set(),
  automations: new Set(),
  records: new Set(),
  files: new Set(),
  temporary: new Set()
})

/** True if there is nothing to look up. */
export const mentionsNothing = (mentions: Mentions): boolean =>
  Object.values(mentions).every((ids: ReadonlySet<unknown>) => ids.size === 0)

/** Results of a lookup: users of the organization, live records, files. An id that is not in a map does not exist for the reader. */
export interface Found {
  readonly users: ReadonlyMap<number, UserView>
  readonly automations: ReadonlyMap<number, AutomationAuthor>
  readonly records: ReadonlyMap<number, RecordPreview>
  readonly files: ReadonlyMap<number, FileView>
  /** Uploads by temporary id, before they are attached. */
  readonly temporary: ReadonlyMap<string, { readonly filename: string; readonly mimetype: string }>
}
export const nothingFound: Found = {
  users: new Map(),
  automations: new Map(),
  records: new Map(),
  files: new Map(),
  temporary: new Map()
}

/** The record's own facts that computed fields are read from. Times are UTC `YYYY-MM-DD HH:mm:ss`. */
export interface RecordFacts {
  readonly app_record_id: number
  readonly created_on: string
  readonly created_by: Author
  readonly last_modified_on: string | null
  readonly last_modified_by: Author | null
}

export interface ParseContext {
  /** The field's entries before the write: entries with ids are kept and changed against them. */
  readonly previous: Cell
  /** A fresh id for an entry of a checklist, email, phone or link field. */
  readonly entryId: () => number
  /** UTC `YYYY-MM-DD HH:mm:ss`. */
  readonly now: string
}

/** Readable problem that follows the name of its place: "must be a number". */
export type Problem = string
export type Parsed = Result.Result<Cell, Problem>
