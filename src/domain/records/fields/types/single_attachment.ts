// `single_attachment`: one file of any kind (developer-api.md 3.2).

import { one } from "../input/writeInput.ts"
import { checkFiles, fileId, fileName, mentionFiles, renderFile } from "../kinds/files.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import type { FieldType } from "../model/FieldType.ts"

export const singleAttachment: FieldType<NoSettings> = {
  tag: "single_attachment",
  type: "attachment",
  label: "Single attachment",
  channel: "text",
  operators: "TEXT",
  assignable: true,
  multiple: false,
  titleCapable: true,
  refersTo: "files",
  settings: NoSettings,
  parse: (input) => one(fileId(input)),
  check: checkFiles,
  mention: mentionFiles,
  render: renderFile,
  text: fileName
}
