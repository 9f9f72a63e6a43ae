// The 22 filter operators, the operator sets and the value channel of each subject (service.md 2.7, developer-api.md 3.2–3.4). Plain data:
// evaluator, write rules and the meta endpoint all read these tables. Field types declare their own part themselves.

import {
  type FieldOperators,
  type FieldType,
  type OlderName,
  olderNames
} from "../../records/fields/contract/FieldType.ts"
import { type FieldTypeTag, fieldTypes, fieldTypeTags, typeOf } from "../../records/fields/registry.ts"
import type { PayloadDataType } from "./referenceTypes.ts"

export type Arity = "single" | "multiple" | "none"

export const operators = {
  is: { arity: "single", label: "Is", description: "Equals the value" },
  is_not: { arity: "single", label: "Is not", description: "Differs from the value" },
  contains: { arity: "single", label: "Contains", description: "Holds the text" },
  does_not_contain: { arity: "single", label: "Does not contain", description: "Does not hold the text" },
  starts_with: { arity: "single", label: "Starts with", description: "Begins with the text" },
  ends_with: { arity: "single", label: "Ends with", description: "Ends with the text" },
  greater_than: { arity: "single", label: "Greater than", description: "Above the number" },
  greater_or_equal_than: { arity: "single", label: "Greater than or equal to", description: "The number or above" },
  less_than: { arity: "single", label: "Less than", description: "Below the number" },
  less_or_equal_than: { arity: "single", label: "Less than or equal to", description: "The number or below" },
  is_before: { arity: "single", label: "Is before", description: "Earlier than the day or instant" },
  is_after: { arity: "single", label: "Is after", description: "Later than the day or instant" },
  has_any_of: { arity: "multiple", label: "Has any of", description: "Holds at least one of the values" },
  has_all_of: { arity: "multiple", label: "Has all of", description: "Holds every one of the values" },
  has_none_of: { arity: "multiple", label: "Has none of", description: "Holds none of the values" },
  is_exactly: { arity: "multiple", label: "Is exactly", description: "Holds these values and no other, in any order" },
  is_any_of: { arity: "multiple", label: "Is any of", description: "Equals one of the values" },
  is_none_of: { arity: "multiple", label: "Is none of", description: "Equals none of the values" },
  is_empty: { arity: "none", label: "Is empty", description: "Has no value" },
  is_not_empty: { arity: "none", label: "Is not empty", description: "Has a value" },
  is_completed: {
    arity: "none",
    label: "Is completed",
    description: "The status means completed, or every entry is done"
  },
  is_incomplete: { arity: "none", label: "Is incomplete", description: "The status means open, or some entry is open" }
} as const satisfies Record<string, { arity: Arity; label: string; description: string }>

export type Operator = keyof typeof operators
export const operatorTokens = Object.keys(operators) as ReadonlyArray<Operator> as readonly [
  Operator,
  ...Array<Operator>
]

/** Tags of the filter's value union. */
const channels = ["text", "number", "ids", "date", "boolean", "entity_type"] as const
export type Channel = (typeof channels)[number]

const presence = ["is_empty", "is_not_empty"] as const
const partial = ["contains", "does_not_contain", "starts_with", "ends_with"] as const
const order = ["greater_than", "greater_or_equal_than", "less_than", "less_or_equal_than"] as const
const equality = ["is", "is_not", "is_any_of", "is_none_of"] as const

export const operatorSets = {
  TEXT: ["is", "is_not", ...partial, ...presence],
  NUM: ["is", "is_not", ...order, ...presence],
  ONE: [...equality, ...presence],
  STATUS: [...equality, ...presence, "is_completed", "is_incomplete"],
  MANY: ["has_any_of", "has_all_of", "has_none_of", "is_exactly", ...presence],
  DATE: ["is", "is_not", "is_before", "is_after", ...presence],
  LIST: ["is", ...partial, ...presence],
  LINK: [...partial, ...presence],
  LOC: ["contains", "does_not_contain", ...presence],
  CHECK: ["contains", "does_not_contain", "is_completed", "is_incomplete", ...presence],
  BOOL: ["is", "is_not"],
  ENTITY: ["is", "is_not"],
  // The type of a calculation's result decides, and only the app knows it; likewise for a payload property of data type `any`.
  RESULT: ["is", "is_not", ...partial, ...order, "is_before", "is_after", ...presence]
} as const satisfies Record<FieldOperators | "BOOL" | "ENTITY", ReadonlyArray<Operator>>
export type OperatorSet = keyof typeof operatorSets

export interface Kind {
  /** Value tags that a condition on this subject may carry. */
  readonly channels: ReadonlyArray<Channel>
  readonly set: OperatorSet
}
const kind = (set: OperatorSet, ...allowed: ReadonlyArray<Channel>): Kind => ({ channels: allowed, set })
const text = kind("TEXT", "text")
const number = kind("NUM", "number")
const date = kind("DATE", "date")
const oneId = kind("ONE", "ids")

/** All 26 field types with the value channels and operators that each declares. */
export const fieldKinds = Object.fromEntries(
  fieldTypeTags.map((tag) => [tag, { channels: fieldTypes[tag].channels, set: fieldTypes[tag].operators }])
) as unknown as Readonly<Record<FieldTypeTag, Kind>>
export const fieldTypeTokens = fieldTypeTags as readonly [FieldTypeTag, ...Array<FieldTypeTag>]

const covered = (name: OlderName): ReadonlyArray<FieldTypeTag> =>
  fieldTypeTags.filter((tag) => typeOf({ field_type: tag }).olderName === name)

/** Older names that references may use in place of a field type (developer-api.md 3.2), read as the last type that they cover. */
export const fieldTypeAliases = Object.fromEntries(
  olderNames.map((name) => [name, { covers: covered(name), kind: fieldKinds[covered(name).at(-1)!] }])
) as unknown as Readonly<Record<OlderName, { readonly covers: ReadonlyArray<FieldTypeTag>; readonly kind: Kind }>>

/** Returns the field type that a reference names, possibly by an older name. */
export const typeNamed = (name: FieldTypeTag | OlderName): FieldType =>
  typeOf({ field_type: name in fieldTypeAliases ? fieldTypeAliases[name as OlderName].covers.at(-1)! : name })

/** Metadata that a condition may compare. */
export const metaKinds = {
  app_record_id: number,
  created_at: date,
  last_modified_at: date,
  created_by: oneId,
  last_modified_by: oneId
} as const satisfies Record<string, Kind>

/** Trigger outputs that a condition may compare; the data type of `webhook_payload_property` decides its kind. */
export const triggerOutputKinds = {
  webhook_file_collection: text,
  webhook_raw_body: text,
  periodic_execution_datetime: date,
  periodic_next_execution_datetime: date,
  weblink_click_count: number,
  weblink_created_at: date,
  record_comment_or_reply_id: number,
  record_comment_or_reply_content: text,
  record_comment_or_reply_created_by: oneId,
  record_comment_or_reply_attachments: text,
  record_comment_or_reply_entity_type: kind("ENTITY", "entity_type")
} as const satisfies Record<string, Kind>

export const payloadKinds = {
  text,
  number,
  date,
  boolean: kind("BOOL", "boolean"),
  any: kind("RESULT", "text", "number", "date", "boolean")
} as const satisfies Record<PayloadDataType, Kind>

/** Kind of a prior action's file collection, compared on file names. */
export const fileCollectionKind: Kind = text

export const fieldKind = (type: FieldTypeTag | OlderName): Kind =>
  type in fieldTypeAliases ? fieldTypeAliases[type as OlderName].kind : fieldKinds[type as FieldTypeTag]

/** True if the operator can match a subject of this kind; any other is stored and never matches (write rule 3). */
export const isOperatorOf = (of: Kind, operator: Operator): boolean =>
  (operatorSets[of.set] as ReadonlyArray<Operator>).includes(operator)
