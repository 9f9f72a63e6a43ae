// `multi_attachment`: files of any kind (developer-api.md 3.2).
import type { AssignableType } from "../contract/FieldType.ts"
import { many } from "../contract/shapes.ts"
import { listOf } from "../input/writeInput.ts"
import { FileInput, fileId, fileKind } from "../kinds/fileFields.ts"
import type { NoSettings } from "../kinds/noSettings.ts"

export const multiAttachment: AssignableType<"files", NoSettings> = {
  ...fileKind,
  tag: "multi_attachment",
  type: "attachment",
  label: "Multi attachment",
  multiple: true,
  input: many(FileInput),
  parse: (input) => listOf(input, "file ids", fileId)
}
