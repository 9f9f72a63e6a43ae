// What a field type is: one value of this shape per type, one file each (developer-api.md 3.2, 3.3), summed in registry.ts.
// Everything here is pure: what must be looked up is named first (`mentions`), found in a batch, then judged (`check`).
import type { Result, Schema } from "effect"
import type { Author } from "../../../../engine/outbox/Event.ts"
import type { Cell, Entry } from "../../../../ground/primitives/Cell.ts"

/** How filter values of the type are tagged (service.md 2.7, developer-api.md 3.2). */
export type Channel = "text" | "number" | "ids" | "date"

/** The operator sets of developer-api.md 3.4. */
export type OperatorSet = "TEXT" | "NUM" | "ONE" | "STATUS" | "MANY" | "DATE" | "LIST" | "LINK" | "LOC" | "CHECK"

/** A field as stored. `settings` has the form that its type's `settings` schema decodes to. */
export interface Field<S = any> {
  readonly field_id: number
  readonly app_id: number
  readonly slug: string
  readonly field_type: string
  readonly label: string
  readonly description: string | null
  readonly required: boolean
  readonly hidden_if_empty: boolean
  readonly always_hidden: boolean
  readonly position: number
  readonly settings: S
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
export interface AutomationView {
  readonly automation_id: number
  readonly name: string | null
  readonly type: "automation"
}
export interface RecordPreview {
  readonly record_id: number
  readonly app_id: number
  readonly title: string
}
/** An attached file as it reads in `values`; `download_url` is signed when it is looked up. */
export interface FileView {
  readonly id: number
  readonly filename: string
  readonly size: number
  readonly mimetype: string
  readonly download_url: string
}

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

/** What was found: users of the organization, live records, files. What is not in a map does not exist for the reader. */
export interface Found {
  readonly users: ReadonlyMap<number, UserView>
  readonly automations: ReadonlyMap<number, AutomationView>
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

/** A readable problem, to follow the name of its place: "must be a number". */
export type Problem = string
export type Parsed = Result.Result<Cell, Problem>

export interface SettingsContext {
  readonly optionId: () => number
}
export interface SettingsChange<S> {
  readonly settings: S
  /** Options that went: where their records go, `null` clears. */
  readonly removed?: ReadonlyArray<{ readonly id: number; readonly to: number | null }>
}

export interface FieldType<S = any> {
  readonly tag: string
  /** The coarse `type` of a field read. */
  readonly type: string
  readonly label: string
  readonly channel: Channel
  readonly operators: OperatorSet
  /** May be written, and used in `field_assignments`; otherwise computed. */
  readonly assignable: boolean
  /** May hold more than one entry. */
  readonly multiple: boolean
  /** May give the record its title (4.1). */
  readonly titleCapable: boolean
  /** Its entries are ids of records or of files: links are kept for them. */
  readonly refersTo?: "records" | "files"
  /** Its entries have ids of their own. */
  readonly entryIds?: true
  /** Decodes stored or sent settings, with defaults; also the JSON schema of the type's settings. */
  readonly settings: Schema.Codec<S, any>
  /** Set where settings are more than a merge of keys (options). */
  readonly changeSettings?: (
    previous: S | null,
    input: Readonly<Record<string, unknown>>,
    context: SettingsContext
  ) => Result.Result<SettingsChange<S>, Problem>
  /** A rule over the whole definition of the field, after its settings decoded. */
  readonly checkDefinition?: (field: Pick<Field<S>, "required" | "settings">) => Problem | null

  /** Write input, never `null`, to entries; temporary file ids stay strings until they are attached. */
  readonly parse: (input: unknown, field: Field<S>, context: ParseContext) => Parsed
  /** Judges what was parsed once its mentions are looked up. */
  readonly check?: (cell: Cell, field: Field<S>, found: Found) => Problem | null
  /** Adds the ids that reading or checking the cell needs. */
  readonly mention?: (cell: Cell, into: Mentions) => void

  /** Computed fields: their entries, from the record itself. */
  readonly compute?: (record: RecordFacts) => Cell
  /** An entry as `values` shows it; `null` leaves it out (a trashed record, an option that is gone). */
  readonly render: (entry: Entry, field: Field<S>, found: Found) => unknown
  /** An entry as text: what filters compare and templates show. Empty where `render` would leave it out. */
  readonly text: (entry: Entry, field: Field<S>, found: Found) => string
  /** The cell as a title; by default the first entry's text. */
  readonly title?: (cell: Cell, field: Field<S>, found: Found) => string
}
