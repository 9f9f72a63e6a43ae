// Registry of the nine triggers. A new one needs a file and a line here.
import { Schema } from "effect"
import { automation_called } from "./automation_called/spec.ts"
import { date_field_arrived } from "./date_field_arrived/spec.ts"
import { periodic } from "./periodic/spec.ts"
import { record_comment_or_reply_created } from "./record_comment_or_reply_created/spec.ts"
import { record_created } from "./record_created/spec.ts"
import { record_deleted } from "./record_deleted/spec.ts"
import { record_updated } from "./record_updated/spec.ts"
import { webhook_received } from "./webhook_received/spec.ts"
import { weblink_clicked } from "./weblink_clicked/spec.ts"

export const triggers = {
  record_created,
  record_updated,
  record_deleted,
  record_comment_or_reply_created,
  date_field_arrived,
  automation_called,
  periodic,
  webhook_received,
  weblink_clicked
} as const

export type TriggerType = keyof typeof triggers
export const TriggerType = Schema.Literals(Object.keys(triggers) as [TriggerType, ...Array<TriggerType>])
export type TriggerConfig<T extends TriggerType> = (typeof triggers)[T]["config"]["Type"]
export type AnyTrigger = {
  readonly [T in TriggerType]: { readonly type: T; readonly config: TriggerConfig<T> }
}[TriggerType]
