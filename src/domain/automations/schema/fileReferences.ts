// Which references hold files: those that mails attach and inbound addresses answer with (developer-api.md 7.4, 7.6, 7.9). Pure.

import type { Reference } from "./dynamicValues.ts"
import { typeNamed } from "./operators.ts"

const fileOutputs: ReadonlySet<string> = new Set(["webhook_file_collection", "record_comment_or_reply_attachments"])

export const isOfFiles = (reference: Reference): boolean => {
  switch (reference.source) {
    case "field":
      return typeNamed(reference.field_type).kind === "files"
    case "trigger":
      return fileOutputs.has(reference.trigger_type)
    case "action":
      return reference.action_type === "file_collection"
    default:
      return reference.source === "custom" && /^(?:single|multi)_file$/.test(reference.custom_type)
  }
}
