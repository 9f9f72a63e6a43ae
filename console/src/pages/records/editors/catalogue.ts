// The editor of each assignable field type (developer-api.md 3.2); what is computed has none.
import type { Field } from "../../../api/types.ts"
import { categories, category, people, person, status } from "./choiceEditors.tsx"
import { day, moment, period } from "./dateEditors.tsx"
import type { Editor } from "./editor.ts"
import { file, files } from "./fileEditors.tsx"
import { relation, relations } from "./relationEditors.tsx"
import { checklist, emails, line, links, longText, number, phones } from "./textEditors.tsx"

type Computed = "unique_id" | "calculation" | "created_at" | "created_by" | "last_modified_at" | "last_modified_by"

const editors: Readonly<Record<Exclude<Field["field_type"], Computed>, Editor>> = {
  single_text: line,
  multi_text: longText,
  number,
  single_category: category,
  multi_category: categories,
  status,
  single_date: moment,
  range_date: period,
  single_relation: relation,
  multi_relation: relations,
  single_user: person,
  multi_user: people,
  checklist,
  multi_email: emails,
  multi_phone: phones,
  multi_link: links,
  single_location: line,
  single_attachment: file,
  multi_attachment: files,
  multi_image: files
}

export const editorOf = (field: Field): Editor | undefined => {
  const { config, field_type } = field
  if (field_type === "single_date" && config.settings.time === "disabled") return day
  return Object.hasOwn(editors, field_type) ? editors[field_type as keyof typeof editors] : undefined
}
