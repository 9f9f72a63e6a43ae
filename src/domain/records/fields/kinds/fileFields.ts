// Attachment and image fields: temporary file ids are strings until the write attaches them (3.2, 6 rule 2).
import { Result, Schema } from "effect"
import type { Cell, Entry } from "../../../../platform/primitives/Cell.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { id, upTo, valued } from "../contract/shapes.ts"
import { isId } from "../input/writeInput.ts"
import { textTest } from "../matching/filterTests.ts"
import { matchTypes } from "../matching/matchTypes.ts"
import { type Field, FileView, type Found, type Mentions, type Problem } from "../model/Field.ts"
import { noCell, when } from "../sql/predicates.ts"
import { NoSettings } from "./noSettings.ts"

export const fileId = (input: unknown): Result.Result<Entry, Problem> =>
  isId(input) || (typeof input === "string" && input !== "" && input.length <= 200)
    ? Result.succeed(input)
    : Result.fail("must be a temporary file id or the id of a file")

/** A file as it is sent. */
export const FileInput = Schema.Union([
  upTo(200).annotate({ description: "Temporary id of an upload" }),
  id.annotate({ description: "A file that a record has already" })
]).annotate({ identifier: "FileInput" })

const mention = (cell: Cell, into: Mentions) => {
  for (const entry of cell) {
    if (typeof entry === "string") into.temporary.add(entry)
    else into.files.add(entry as number)
  }
}

/** Returns the file that an entry names. */
export const fileOf = (entry: Entry, found: Found) =>
  typeof entry === "string" ? found.temporary.get(entry) : found.files.get(entry as number)

export const checkFiles = (cell: Cell, _field: Field, found: Found): Problem | null => {
  const missing = cell.find((entry) => fileOf(entry, found) === undefined)
  return missing === undefined ? null : `names no file: ${JSON.stringify(missing)}`
}

const fileName = (entry: Entry, _field: Field, found: Found) => fileOf(entry, found)?.filename ?? ""

/** Filters and sorts go by the names of the files. */
export const fileKind = {
  kind: "files",
  olderName: "file",
  channels: ["text"],
  operators: "TEXT",
  assignable: true,
  titleCapable: true,
  refersTo: "files",
  settings: NoSettings,
  check: checkFiles,
  mention,
  render: (entry, _field, found) => {
    const file = found.files.get(entry as number)
    return file === undefined ? null : { value: file }
  },
  entry: valued(FileView),
  text: fileName,
  compared: (cell, _field, found) => ({
    set: "TEXT",
    texts: cell.flatMap((entry) => found.files.get(entry as number)?.filename ?? []),
    cased: false
  }),
  filter: {
    matchTypes: matchTypes.text,
    test: (filter) => textTest(filter, false),
    passes: when(
      "text",
      (
        { lit, sql, textMatches },
        { field_id },
        test
      ) => sql`EXISTS (SELECT 1 FROM file_links l JOIN files f USING (file_id)
          WHERE l.record_id = r.record_id AND l.field_id = ${field_id}::bigint AND ${textMatches(lit("f.name"), test)})`
    ),
    empty: noCell
  },
  sortKey: ({ firstText, sql, words }, { field_id }) =>
    words(sql`(SELECT f.name FROM files f WHERE f.file_id = ${firstText(field_id)}::bigint)`)
} satisfies Partial<AssignableType<"files">>
