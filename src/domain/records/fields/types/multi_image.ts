// `multi_image`: images of eight kinds (developer-api.md 3.2).

import { listOf } from "../input/writeInput.ts"
import { checkImages, fileId, fileName, mentionFiles, renderFile } from "../kinds/files.ts"
import { NoSettings } from "../kinds/noSettings.ts"
import type { FieldType } from "../model/FieldType.ts"

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
