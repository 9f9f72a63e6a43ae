// `multi_image`: images of eight kinds (developer-api.md 3.2).
import type { AssignableType } from "../contract/FieldType.ts"
import { many } from "../contract/shapes.ts"
import { listOf } from "../input/writeInput.ts"
import { checkImages, FileInput, fileId, fileKind } from "../kinds/fileFields.ts"
import type { NoSettings } from "../kinds/noSettings.ts"

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
