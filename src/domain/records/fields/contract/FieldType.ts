// Contract of a field type (developer-api.md 3.2, 3.3): each type is one value of this shape in a file of its own, listed in registry.ts.
// The type owns all that depends on it; layers above read its members, chiefly its kind of data.
import type { Result, Schema } from "effect"
import type { Cell, Entry } from "../../../../platform/primitives/Cell.ts"
import type { Field, Found, Mentions, ParseContext, Parsed, Problem, RecordFacts } from "../model/Field.ts"
import type { KeyKind } from "../sql/keyTests.ts"
import type { SortKey, SortSql } from "../sql/sortKey.ts"
import type { Compared } from "./Compared.ts"
import type { FieldFilter } from "./FieldFilter.ts"
import type { FieldGroups } from "./FieldGroups.ts"

/** Kind of a field's entries. Tables outside of the types are mapped over it, so that the compiler reports a missing kind. */
export type DataKind =
  | "text"
  | "number"
  | "options"
  | "dates"
  | "records"
  | "users"
  | "files"
  | "contacts"
  | "links"
  | "location"
  | "checklist"
  /** A calculation's that is true or false; any calculation's, where only its type is known. */
  | "result"

/** Tag of the type's filter values (service.md 2.7, developer-api.md 3.2). */
type FieldChannel = "text" | "number" | "ids" | "date" | "boolean"

/** The operator sets of developer-api.md 3.4; `RESULT`: those of the calculation's result. */
export type FieldOperators =
  | "TEXT"
  | "NUM"
  | "ONE"
  | "STATUS"
  | "MANY"
  | "DATE"
  | "LIST"
  | "LINK"
  | "LOC"
  | "CHECK"
  | "BOOL"
  | "RESULT"

/** Older names that references carry in place of a type, and filters in place of its `type` (3.2). */
export const olderNames = ["app", "contact", "embed", "file"] as const
export type OlderName = (typeof olderNames)[number]

/** Fact of a record that a computed field shows. */
type RecordFact = "app_record_id" | "created_at" | "last_modified_at" | "created_by" | "last_modified_by"

export interface SettingsContext {
  readonly optionId: () => number
}
export interface SettingsChange<S> {
  readonly settings: S
  /** Removed options, and the option that their records get; `null` clears. */
  readonly removed?: ReadonlyArray<{ readonly id: number; readonly to: number | null }>
}

interface Common<K extends DataKind, S> {
  readonly tag: string
  readonly kind: K
  /** The coarse `type` of a field read. */
  readonly type: string
  readonly label: string
  readonly olderName?: OlderName

  // Facts that others go by.

  readonly channels: ReadonlyArray<FieldChannel>
  readonly operators: FieldOperators
  /** May hold more than one entry. */
  readonly multiple: boolean
  /** May give the record its title (4.1). */
  readonly titleCapable: boolean
  /** An app has at most one such field (3.2). */
  readonly oncePerApp?: true
  /** Its entries are ids of records or of files: links are kept for them. */
  readonly refersTo?: "records" | "files"
  /** Its entries have ids of their own. */
  readonly entryIds?: true
  /** Its entries are HTML. */
  readonly html?: true
  /** Set if a field may require that no two records have the same value (11.2), as conditions compare values. */
  readonly mayBeUnique?: true
  /** Its stored text is compared as it is. */
  readonly plainText?: true
  /** A date may have an end. */
  readonly range?: true
  /** Comparing needs the field's settings, not only its type. */
  readonly comparedBySettings?: true
  /** The types that an entry of a contact may have, the default first. */
  readonly contactTypes?: ReadonlyArray<string>
  /** Entries are addresses of this scheme. */
  readonly scheme?: "mailto"
  /** Not repeated among a record's `fields`. */
  readonly unlisted?: true

  // The field's definition.

  /** Decodes stored or sent settings, with defaults; also the JSON schema of the type's settings. */
  readonly settings: Schema.Codec<S, any>
  /** Set if a change of settings is more than a merge of keys (options). */
  readonly changeSettings?: (
    previous: S | null,
    input: Readonly<Record<string, unknown>>,
    context: SettingsContext
  ) => Result.Result<SettingsChange<S>, Problem>
  /** Input schema of the settings if it differs from the stored settings (options). */
  readonly settingsInput?: Schema.Top
  /** A rule over the whole definition of the field, after its settings decoded. */
  readonly checkDefinition?: (field: Pick<Field<S>, "required" | "settings">) => Problem | null

  // Writing.

  /** Write input, never `null`, to entries; temporary file ids stay strings until they are attached. */
  readonly parse: (input: unknown, field: Field<S>, context: ParseContext) => Parsed
  /** Checks the parsed input after its mentions have been looked up. */
  readonly check?: (cell: Cell, field: Field<S>, found: Found) => Problem | null
  /** Adds the ids that reading or checking the cell needs. */
  readonly mention?: (cell: Cell, into: Mentions) => void

  // Reading.

  /** Schema of what `render` returns, for types that are not `unlisted`. The API description shows it, and the tests check it. */
  readonly entry?: Schema.Top
  /** An entry as `values` shows it; `null` omits it (a trashed record, a deleted option). */
  readonly render: (entry: Entry, field: Field<S>, found: Found) => unknown
  /** An entry as text, as templates show it. Empty if `render` would omit it. */
  readonly text: (entry: Entry, field: Field<S>, found: Found) => string
  /** The cell as a title; by default the first entry's text. */
  readonly title?: (cell: Cell, field: Field<S>, found: Found) => string
  /** The entry with its unit, as `formatted` shows it; set if that differs from the title. */
  readonly formatted?: (entry: Entry, field: Field<S>) => string
  /** A title that is made of the number which the record gets as it is inserted. */
  readonly numberedTitle?: (field: Field<S>) => { readonly prefix: string; readonly digits: number }

  // Finding.

  /** Entries present in the cell, as conditions of automations compare them. */
  readonly compared: (cell: Cell, field: Field<S>, found: Found) => Compared
  readonly filter: FieldFilter<S>
  /** Set if records can be grouped by the field (11.6). */
  readonly groups?: FieldGroups<S>
  /** Kind of the index keys, if an index can serve filters (`filter`) or, by the same key, `sortKey`. */
  readonly keys?: KeyKind
  /** Key that listings sort by: the first value as people read it. */
  readonly sortKey: (sql: SortSql, field: Field<S>) => SortKey
}

/** May be written, and used in `field_assignments`. */
export interface AssignableType<K extends DataKind = DataKind, S = any> extends Common<K, S> {
  readonly assignable: true
  /** Input of `parse` as the API description shows it. `parse` checks what a schema cannot express (an option of this field). */
  readonly input: Schema.Top
  readonly fact?: undefined
  readonly compute?: undefined
}

/** Read from the record itself, never written. */
export interface ComputedType<K extends DataKind = DataKind, S = any> extends Common<K, S> {
  readonly assignable: false
  readonly fact: RecordFact | null
  readonly compute: (record: RecordFacts) => Cell
}

/** Calculated from other fields by each write, and stored as they are (11.3). */
export interface CalculatedType<K extends DataKind = DataKind, S = any> extends Common<K, S> {
  readonly assignable: false
  readonly fact: null
  readonly compute?: undefined
}

export type FieldType<K extends DataKind = DataKind, S = any> =
  | AssignableType<K, S>
  | ComputedType<K, S>
  | CalculatedType<K, S>
