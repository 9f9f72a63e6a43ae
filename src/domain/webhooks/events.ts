// The table of service.md 6: which event makes which notification, and its body.
import type { OutboxEvent } from "../../engine/outbox/Event.ts"
import { type HookType, hookTypes } from "./Hook.ts"

const types: ReadonlySet<string> = new Set(hookTypes)

/** Whether an event is one that hooks are told about; `false` for commands, replies and switched-off changes. */
export const notifies = (
  event: OutboxEvent
): event is OutboxEvent & { readonly type: HookType; readonly app_id: number } =>
  types.has(event.type) && event.switches.hook && event.app_id !== null

/** The body for one hook, its members in the order of the table. */
export const bodyOf = (hookId: number, event: OutboxEvent): Record<string, unknown> => {
  const { type, app_id, record_id } = event
  switch (type) {
    case "record.create":
    case "record.update":
    case "record.delete":
    case "record.restore":
      return { hook_id: hookId, record_id, revision_id: event.payload.revision, type }
    case "comment.create":
    case "comment.delete":
      return { hook_id: hookId, record_id, comment_id: event.payload.comment_id, type }
    default:
      return { hook_id: hookId, app_id, type }
  }
}

/** The body of the verification POST. */
export const verificationBody = (hookId: number, code: string) => ({ hook_id: hookId, type: "hook.verify", code })
