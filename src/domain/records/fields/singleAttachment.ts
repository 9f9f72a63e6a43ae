// `single_attachment`: one file of any kind (developer-api.md 3.2).
import type { FieldType } from "./FieldType.ts"
import { checkFiles, fileId, fileName, mentionFiles, renderFile } from "./files.ts"
import { one } from "./input.ts"
import { NoSettings } from "./none.ts"

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
