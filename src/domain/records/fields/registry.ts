// The 26 field types in the order of developer-api.md 3.2 and 3.3. A new type is one file and one line here.

import type { FieldType } from "./contract/FieldType.ts"
import { calculation, calculationOf } from "./types/calculation.ts"
import { checklist } from "./types/checklist.ts"
import { createdAt } from "./types/created_at.ts"
import { createdBy } from "./types/created_by.ts"
import { lastModifiedAt } from "./types/last_modified_at.ts"
import { lastModifiedBy } from "./types/last_modified_by.ts"
import { multiAttachment } from "./types/multi_attachment.ts"
import { multiCategory } from "./types/multi_category.ts"
import { multiEmail } from "./types/multi_email.ts"
import { multiImage } from "./types/multi_image.ts"
import { multiLink } from "./types/multi_link.ts"
import { multiPhone } from "./types/multi_phone.ts"
import { multiRelation } from "./types/multi_relation.ts"
import { multiText } from "./types/multi_text.ts"
import { multiUser } from "./types/multi_user.ts"
import { number } from "./types/number.ts"
import { rangeDate } from "./types/range_date.ts"
import { singleAttachment } from "./types/single_attachment.ts"
import { singleCategory } from "./types/single_category.ts"
import { singleDate } from "./types/single_date.ts"
import { singleLocation } from "./types/single_location.ts"
import { singleRelation } from "./types/single_relation.ts"
import { singleText } from "./types/single_text.ts"
import { singleUser } from "./types/single_user.ts"
import { status } from "./types/status.ts"
import { uniqueId } from "./types/unique_id.ts"

export const fieldTypes = {
  single_text: singleText,
  multi_text: multiText,
  number,
  single_category: singleCategory,
  multi_category: multiCategory,
  status,
  single_date: singleDate,
  range_date: rangeDate,
  single_relation: singleRelation,
  multi_relation: multiRelation,
  single_user: singleUser,
  multi_user: multiUser,
  checklist,
  multi_email: multiEmail,
  multi_phone: multiPhone,
  multi_link: multiLink,
  single_location: singleLocation,
  single_attachment: singleAttachment,
  multi_attachment: multiAttachment,
  multi_image: multiImage,
  unique_id: uniqueId,
  calculation,
  created_at: createdAt,
  last_modified_at: lastModifiedAt,
  created_by: createdBy,
  last_modified_by: lastModifiedBy
} as const satisfies Record<string, FieldType>

export type FieldTypeTag = keyof typeof fieldTypes
/** The 20 types that may be written. */
export type AssignableTag = {
  [T in FieldTypeTag]: (typeof fieldTypes)[T]["assignable"] extends true ? T : never
}[FieldTypeTag]
/** The kind of data of a type. */
export type KindOf<T extends FieldTypeTag> = (typeof fieldTypes)[T]["kind"]

export const fieldTypeTags = Object.keys(fieldTypes) as ReadonlyArray<FieldTypeTag>
const isAssignable = (tag: FieldTypeTag): tag is AssignableTag => fieldTypes[tag].assignable
export const assignableTags = fieldTypeTags.filter(isAssignable)

export const isFieldType = (tag: unknown): tag is FieldTypeTag =>
  typeof tag === "string" && Object.hasOwn(fieldTypes, tag)

/** True for dates that people write: triggers can wait for them. */
export const isWrittenDate = (field: { readonly field_type: string }): boolean => {
  const { assignable, kind } = typeOf(field)
  return assignable && kind === "dates"
}

/** The type of a stored field; its tag was checked when the field was made. A calculation has the type of its result. */
export const typeOf = (field: { readonly field_type: string; readonly settings?: unknown }): FieldType =>
  field.field_type === calculation.tag ? calculationOf(field.settings) : fieldTypes[field.field_type as FieldTypeTag]
