// Table of the events that hooks are sent: the condition and the body of each type (service.md 6; docs/decisions.md, "Operational
// events"). Deliveries, samples and the API description are made from this one table.
import { Schema } from "effect"
import type {
  AutomationTrouble,
  CommentChange,
  HookTrouble,
  OutboxEvent,
  RecordChange
} from "../../engine/outbox/Event.ts"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import type { HookType } from "./Hook.ts"

/** Newest items of an app, which a sample names. */
export const NewestItems = Schema.Struct({
  record_id: Schema.NullOr(Schema.Int),
  revision: Schema.NullOr(Schema.Int),
  commented_id: Schema.NullOr(Schema.Int),
  comment_id: Schema.NullOr(Schema.Int),
  other_hook_id: Schema.NullOr(Schema.Int),
  automation_id: Schema.NullOr(Schema.Int),
  run_id: Schema.NullOr(Schema.String)
})
export type Newest = typeof NewestItems.Type & { readonly app_id: number; readonly now: Date }

export interface BodyMember {
  readonly type: "integer" | "string"
  readonly about: string
  readonly of: (event: OutboxEvent) => unknown
  readonly sample: (newest: Newest) => unknown
}

interface Notification {
  readonly when: string
  /** Between `hook_id` and `type`, in their order. */
  readonly members: Readonly<Record<string, BodyMember>>
}

const integer = (about: string, of: BodyMember["of"], sample: BodyMember["sample"]): BodyMember => ({
  ...{ type: "integer", about, of },
  sample: (newest) => sample(newest) ?? 0
})
const text = (about: string, of: BodyMember["of"], sample: BodyMember["sample"]): BodyMember => ({
  ...{ type: "string", about, of, sample }
})

const RECORD = "Read it at /v1/record/{record_id}"
const recordOf = ({ record_id }: OutboxEvent) => record_id

const record = {
  record_id: integer(RECORD, recordOf, (newest) => newest.record_id),
  revision_id: integer(
    "The revision that the change wrote: /v1/record/{record_id}/revision/{revision}",
    ({ payload }) => (payload as RecordChange).revision,
    (newest) => newest.revision
  )
}
const comment = {
  record_id: integer(RECORD, recordOf, (newest) => newest.commented_id),
  comment_id: integer(
    "Read it at /v1/comment/{comment_id}",
    ({ payload }) => (payload as CommentChange).comment_id,
    (newest) => newest.comment_id
  )
}
const app = {
  app_id: integer(
    "Read it at /v1/app/{app_id}",
    ({ app_id }) => app_id,
    (newest) => newest.app_id
  )
}
const occurred = {
  occurred_on: text(
    "When, in UTC",
    ({ created_on }) => formatDateTime(created_on),
    ({ now }) => formatDateTime(now)
  )
}
const hook = {
  ...app,
  other_hook_id: integer(
    "The hook that it is about, never the one that is told: /v1/hook/{hook_id}",
    ({ payload }) => (payload as HookTrouble).hook_id,
    (newest) => newest.other_hook_id
  ),
  failures: integer(
    "Executions that failed in a row",
    ({ payload }) => (payload as HookTrouble).failures,
    () => 25
  ),
  reason: text(
    "Class of the error of the last of them, such as `timeout`; `url_changed` where that ended the verification",
    ({ payload }) => (payload as HookTrouble).reason,
    () => "timeout"
  ),
  ...occurred
}
const automation = {
  ...app,
  automation_id: integer(
    "Read it at /v1/automation/{automation_id}",
    ({ payload }) => (payload as AutomationTrouble).automation_id,
    (newest) => newest.automation_id
  )
}
const reason = (about: string, sample: string) => ({
  reason: text(
    about,
    ({ payload }) => (payload as AutomationTrouble).reason,
    () => sample
  )
})

export const eventBodies: Readonly<Record<HookType, Notification>> = {
  "record.create": { when: "A record was created in the app of the hook", members: record },
  "record.update": { when: "A record was updated", members: record },
  "record.delete": { when: "A record was deleted", members: record },
  "record.restore": { when: "A record was taken out of the trash", members: record },
  "comment.create": { when: "A record was commented on", members: comment },
  "comment.delete": { when: "A comment was deleted", members: comment },
  "app.update": { when: "Fields or settings of the app were changed", members: app },
  "hook.failing": {
    when: "Another hook of the app has failed in a row, half, 70 and 90 % of the times after which it loses its verification",
    members: hook
  },
  "hook.inactive": { when: "Another hook of the app has lost its verification", members: hook },
  "automation.broken": {
    when: "An automation of the app cannot run any more, because something that it needs is gone",
    members: { ...automation, ...reason("Code of the first broken reason", "action_variable_missing"), ...occurred }
  },
  "automation.run_failed": {
    when: "A run of an automation of the app has failed",
    members: {
      ...automation,
      run_id: text(
        "Read it at /v1/automation-run/{run_id}",
        ({ payload }) => (payload as AutomationTrouble).run_id,
        (newest) => newest.run_id ?? "0"
      ),
      ...reason("The run's `failure_reason`", "actions_failed"),
      ...occurred
    }
  }
}

/** Body of the verification POST, `hook.verify`. */
export const verificationBody = (hookId: number, code: string) => ({ hook_id: hookId, type: "hook.verify", code })
