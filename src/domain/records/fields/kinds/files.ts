// Attachment and image fields: temporary file ids are strings until the write attaches them (3.2, 6 rule 2).
import { Result } from "effect"
import type { Cell, Entry } from "../../../../ground/primitives/Cell.ts"
import { isId } from "../input/writeInput.ts"
import type { Field, Found, Mentions, Problem } from "../model/FieldType.ts"

export const fileId = (input: unknown): Result.Result<Entry, Problem> =>
  isId(input) || (typeof input === "string" && input !== "" && input.length <= 200)
    ? Result.succeed(input)
    : Result.fail("must be a temporary file id or the id of a file")

export const mentionFiles = (cell: Cell, into: Mentions) => {
  for (const entry of cell) {
    if (typeof entry === "string") into.temporary.add(entry)
    else into.files.add(entry as number)
  }
}

const find = (entry: Entry, found: Found) =>
  typeof entry === "string" ? found.temporary.get(entry) : found.files.get(entry as number)

export const checkFiles = (cell: Cell, _field: Field, found: Found): Problem | null => {
  const missing = cell.find((entry) => find(entry, found) === undefined)
  return missing === undefined ? null : `names no file: ${JSON.stringify(missing)}`
}

const imageTypes = /^image\/(jpeg|jpg|png|gif|tiff|svg\+xml|bmp|x-ms-bmp|webp)$/i

export const checkImages = (cell: Cell, field: Field, found: Found): Problem | null => {
  const missing = checkFiles(cell, field, found)
  if (missing !== null) return missing
  const other = cell.map((entry) => find(entry, found)!).find((file) => !imageTypes.test(file.mimetype))
  return other === undefined ? null : `takes jpeg, png, gif, tiff, svg, bmp and webp images only, not ${other.mimetype}`
}

export const renderFile = (entry: Entry, _field: Field, found: Found) => {
  const file = found.files.get(entry as number)
  return file === undefined ? null : { value: file }
}
export const fileName = (entry: Entry, _field: Field, found: Found) => find(entry, found)?.filename ?? ""
