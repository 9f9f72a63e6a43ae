// The shapes of imports of CSV files (developer-api.md 4.2): what a caller sends, what a preview answers, and what a job keeps.
import { Schema } from "effect"
import { line, list, sizes, text, token } from "../../platform/bounds/sized.ts"
import { Id } from "../../platform/primitives/commonSchemas.ts"
import { JobOrigin } from "../jobs/Job.ts"
import { type Separator, separators } from "./csvWindow.ts"
import { type Encoding, encodings } from "./encodings.ts"

const optional = Schema.optionalKey

/** Columns of a file that are looked at; an app has 200 fields. */
export const COLUMNS_MOST = 1_000

const formatMembers = {
  encoding: Schema.Literals(Object.keys(encodings) as [Encoding, ...Array<Encoding>]).annotate({
    identifier: "CsvEncoding"
  }),
  separator: Schema.Literals(Object.keys(separators) as [Separator, ...Array<Separator>]),
  decimal: Schema.Literals([".", ","]).annotate({
    description: "Sign before the fraction of a number that could be read in two ways, such as 1,234"
  }),
  day_first: Schema.Boolean.annotate({ description: "3/4/2026 is the 3rd of April" }),
  time_zone: token.annotate({ description: "IANA zone of times that name none; UTC unless sent" })
}
export const ImportFormat = Schema.Struct(formatMembers).annotate({ identifier: "ImportFormat" })
export type ImportFormat = typeof ImportFormat.Type

const ImportFormatInput = Schema.Struct({
  encoding: optional(formatMembers.encoding),
  separator: optional(formatMembers.separator),
  decimal: optional(formatMembers.decimal),
  day_first: optional(formatMembers.day_first),
  time_zone: optional(formatMembers.time_zone),
  language: optional(
    token.annotate({ description: "Language of the reader, by which an encoding is guessed that is not Unicode: pl" })
  )
}).annotate({ identifier: "ImportFormatInput" })
export type ImportFormatInput = typeof ImportFormatInput.Type

const ColumnTarget = Schema.Struct({
  column: Schema.Union([line, Schema.Int]).annotate({ description: "Name in the first row, or its number from 1" }),
  field_id: Schema.NullOr(Id).annotate({ description: "null: the column is left out" })
}).annotate({ identifier: "ImportColumn" })

export const ImportInput = Schema.Struct({
  file_id: optional(token.annotate({ description: "Temporary id from `POST /v1/file/upload`" })),
  url: optional(line.annotate({ description: "https address of the file, up to 25 MB" })),
  columns: optional(list(ColumnTarget, COLUMNS_MOST)).annotate({
    description: "Columns that are not named go to the field that is called like them, if there is one"
  }),
  format: optional(ImportFormatInput).annotate({ description: "What is not sent is detected" }),
  update_by: optional(list(Id, sizes.fields)).annotate({
    description: "Unique fields: a row with a value that a record has updates that record"
  }),
  create_missing_options: optional(Schema.Boolean).annotate({
    description: "Adds options that a category field lacks; needs the right to change the app"
  }),
  on_bad_cell: optional(Schema.Literals(["leave_empty", "skip_row"])).annotate({
    description: "What becomes of a row with a cell that its field does not take; leave_empty unless sent"
  })
}).annotate({ identifier: "ImportInput" })
export type ImportInput = typeof ImportInput.Type

const ImportMisfit = Schema.Struct({
  line: Schema.Int.annotate({ description: "Line of the file" }),
  value: text(200),
  message: Schema.String
}).annotate({ identifier: "ImportMisfit" })
export type ImportMisfit = typeof ImportMisfit.Type

export const PreviewColumn = Schema.Struct({
  column: Schema.String,
  number: Schema.Int.annotate({ description: "Its place in the file, from 1" }),
  samples: Schema.Array(Schema.String),
  field_id: Schema.NullOr(Schema.Int).annotate({ description: "The field to which it goes, as sent or as guessed" }),
  guessed_type: Schema.String.annotate({ description: "Type of a field that would take all of its values" }),
  fits: Schema.Int,
  empty: Schema.Int,
  misfits: Schema.Int,
  problems: Schema.Array(ImportMisfit).annotate({ description: "The first misfits" }),
  missing_options: Schema.Array(Schema.String).annotate({ description: "Options that its field lacks" })
}).annotate({ identifier: "ImportPreviewColumn" })
export type PreviewColumn = typeof PreviewColumn.Type

export const ImportPreview = Schema.Struct({
  file_id: Schema.String.annotate({ description: "For the import; of a file by URL too" }),
  format: ImportFormat,
  rows: Schema.Int.annotate({ description: "Rows that were looked at, from the first on" }),
  rows_estimated: Schema.Int.annotate({ description: "Rows of the file, exact if all were looked at" }),
  rows_skipped: Schema.Int.annotate({ description: "Of the rows looked at, those that would not be imported" }),
  problems: Schema.Array(ImportMisfit).annotate({ description: "Why the first of them would not be" }),
  columns: Schema.Array(PreviewColumn)
}).annotate({ identifier: "ImportPreview" })
export type ImportPreview = typeof ImportPreview.Type

/** Input of the job (`jobs.input`). */
export const ImportJobInput = Schema.Struct({
  app_id: Schema.Int,
  file_id: Schema.Int,
  storage_key: Schema.String,
  file_name: Schema.String,
  size: Schema.Int,
  format: ImportFormat,
  /** Names of the columns, and the fields to which they go. */
  head: Schema.Array(Schema.String),
  targets: Schema.Array(Schema.NullOr(Schema.Int)),
  update_by: Schema.Array(Schema.Int),
  create_missing_options: Schema.Boolean,
  on_bad_cell: Schema.Literals(["leave_empty", "skip_row"]),
  switches: Schema.Struct({ silent: Schema.Boolean, hook: Schema.Boolean, workflow: Schema.Boolean }),
  /** Absent: a person began it. */
  origin: Schema.optionalKey(JobOrigin),
  /** Position behind the head. */
  start: Schema.Struct({ byte: Schema.Int, line: Schema.Int })
})
export type ImportJobInput = typeof ImportJobInput.Type
