// `single_attachment`: one file of any kind (developer-api.md 3.2).
import type { AssignableType } from "../contract/FieldType.ts"
import { oneEntry } from "../input/writeInput.ts"
import { FileInput, fileId, fileKind } from "../kinds/fileFields.ts"
import type { NoSettings } from "../kinds/noSettings.ts"

export const singleAttachment: AssignableType<"files", NoSettings> = {
  ...fileKind,
  tag: "single_attachment",
  type: "attachment",
  label: "Single attachment",
  multiple: false,
  input: FileInput,
  parse: (input) => oneEntry(fileId(input))
}
