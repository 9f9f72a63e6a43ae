// `multi_image`: jpeg, png, gif, tiff, svg, bmp and webp images only (developer-api.md 3.2).
import type { Cell } from "../../../../platform/primitives/Cell.ts"
import type { AssignableType } from "../contract/FieldType.ts"
import { many } from "../contract/shapes.ts"
import { listOf } from "../input/writeInput.ts"
import { checkFiles, FileInput, fileId, fileKind, fileOf } from "../kinds/fileFields.ts"
import type { NoSettings } from "../kinds/noSettings.ts"
import type { Field, Found, Problem } from "../model/Field.ts"

const imageTypes = /^image\/(jpeg|jpg|png|gif|tiff|svg\+xml|bmp|x-ms-bmp|webp)$/i

const checkImages = (cell: Cell, field: Field, found: Found): Problem | null => {
  const missing = checkFiles(cell, field, found)
  if (missing !== null) return missing
  const other = cell.map((entry) => fileOf(entry, found)!).find((file) => !imageTypes.test(file.mimetype))
  return other === undefined ? null : `takes jpeg, png, gif, tiff, svg, bmp and webp images only, not ${other.mimetype}`
}

export const multiImage: AssignableType<"files", NoSettings> = {
  ...fileKind,
  tag: "multi_image",
  type: "image",
  label: "Image",
  multiple: true,
  input: many(FileInput),
  parse: (input) => listOf(input, "file ids", fileId),
  check: checkImages
}
