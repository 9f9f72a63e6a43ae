// The 26 field types in the order of developer-api.md 3.2 and 3.3. A new type is one file and one line here.
import { calculation } from "./calculation.ts"
import { checklist } from "./checklist.ts"
import { createdAt } from "./createdAt.ts"
import { createdBy } from "./createdBy.ts"
import type { FieldType } from "./FieldType.ts"
import { lastModifiedAt } from "./lastModifiedAt.ts"
import { lastModifiedBy } from "./lastModifiedBy.ts"
import { multiAttachment } from "./multiAttachment.ts"
import { multiCategory } from "./multiCategory.ts"
import { multiEmail } from "./multiEmail.ts"
import { multiImage } from "./multiImage.ts"
import { multiLink } from "./multiLink.ts"
import { multiPhone } from "./multiPhone.ts"
import { multiRelation } from "./multiRelation.ts"
import { multiText } from "./multiText.ts"
import { multiUser } from "./multiUser.ts"
import { number } from "./number.ts"
import { rangeDate } from "./rangeDate.ts"
import { singleAttachment } from "./singleAttachment.ts"
import { singleCategory } from "./singleCategory.ts"
import { singleDate } from "./singleDate.ts"
import { singleLocation } from "./singleLocation.ts"
import { singleRelation } from "./singleRelation.ts"
import { singleText } from "./singleText.ts"
import { singleUser } from "./singleUser.ts"
import { status } from "./status.ts"
import { uniqueId } from "./uniqueId.ts"

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
export const fieldTypeTags = Object.keys(fieldTypes) as ReadonlyArray<FieldTypeTag>
export const assignableTags = fieldTypeTags.filter((tag) => fieldTypes[tag].assignable)

export const isFieldType = (tag: unknown): tag is FieldTypeTag =>
  typeof tag === "string" && Object.hasOwn(fieldTypes, tag)

/** The type of a stored field; its tag was checked when the field was made. */
export const typeOf = (field: { readonly field_type: string }): FieldType =>
  fieldTypes[field.field_type as FieldTypeTag]
