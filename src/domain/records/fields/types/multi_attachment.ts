// `multi_attachment`: files of any kind (developer-api.md 3.2).

import { listOf } from "../input/writeInput.ts"
import { checkFiles, fileId, fileName, mentionFiles, renderFile } from "../kinds/files.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import type { FieldType } from "../model/FieldType.ts"

export const multiAttachment: FieldType<NoSettings> = {
  tag: "multi_attachment",
  type: "attachment",
  label: "Multi attachment",
  channel: "text",
  operators: "TEXT",
  assignable: true,
  multiple: true,
  titleCapable: true,
  refersTo: "files",
  settings: NoSettings,
  parse: (input) => listOf(input, "file ids", fileId),
  check: checkFiles,
  mention: mentionFiles,
  render: renderFile,
  text: fileName
}
