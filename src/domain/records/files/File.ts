// Files on the wire (developer-api.md 6): temporary ones after the upload, attached ones below records and comments.
import { Schema } from "effect"

/** A file attached to a comment or reply, and the answer of GET /file/{file_id}. */
export const File = Schema.Struct({
  file_id: Schema.Int,
  name: Schema.String,
  size: Schema.Int,
  mimetype: Schema.String,
  created_on: Schema.String,
  link: Schema.String
}).annotate({ identifier: "StoredFile" })
export type File = typeof File.Type

export const TemporaryFile = Schema.Struct({
  file_id: Schema.String,
  name: Schema.String,
  size: Schema.Int,
  mimetype: Schema.String,
  created_on: Schema.String,
  link: Schema.String
}).annotate({ identifier: "TemporaryFile" })
export type TemporaryFile = typeof TemporaryFile.Type

export const FileRow = Schema.Struct({
  file_id: Schema.Int,
  name: Schema.String,
  size: Schema.Int,
  mimetype: Schema.String,
  storage_key: Schema.String,
  created_on: Schema.Date
})
export type FileRow = typeof FileRow.Type

/** Holder (`file_holds`) of the files that a run's variables name, until a record links them. */
export const runHolder = (runId: string): string => `run/${runId}`
