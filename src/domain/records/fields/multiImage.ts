// `multi_image`: images of eight kinds (developer-api.md 3.2).
import type { FieldType } from "./FieldType.ts"
import { checkImages, fileId, fileName, mentionFiles, renderFile } from "./files.ts"
import { listOf } from "./input.ts"
import { NoSettings } from "./none.ts"

export const multiImage: FieldType<NoSettings> = {
  tag: "multi_image",
  type: "image",
  label: "Image",
  channel: "text",
  operators: "TEXT",
  assignable: true,
  multiple: true,
  titleCapable: true,
  refersTo: "files",
  settings: NoSettings,
  parse: (input) => listOf(input, "file ids", fileId),
  check: checkImages,
  mention: mentionFiles,
  render: renderFile,
  text: fileName
}
