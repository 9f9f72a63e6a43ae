// `multi_image`: images of eight kinds (developer-api.md 3.2).
import type { AssignableType } from "../contract/FieldType.ts"
import { listOf } from "../input/writeInput.ts"
import { checkImages, fileId, fileKind } from "../kinds/fileFields.ts"
import type { NoSettings } from "../kinds/noSettings.ts"

export const multiImage: AssignableType<"files", NoSettings> = {
  ...fileKind,
  tag: "multi_image",
  type: "image",
  label: "Image",
  multiple: true,
  parse: (input) => listOf(input, "file ids", fileId),
  check: checkImages
}
