// The commands that requests leave for an app's webhook actor, as outbox events (design: one flow).
import type { OutboxEvent } from "../../engine/outbox/Event.ts"

/**
 * Step of a verification: it was requested, has succeeded, or its hook was deleted. The actor starts or signals the verification's
 * workflow.
 */
export interface VerifyPayload {
  readonly hook_id: number
  /** Number of the request within the hook, from 1. */
  readonly verification: number
  readonly step: "requested" | "validated" | "deleted"
}

export type HookCommand = VerifyPayload & { readonly event_id: number; readonly app_id: number }

/** Commands to the actor. `command.hook.replay` has no content: it wakes the actor, whose rows exist already. */
export const hookCommands = ["command.hook.verify", "command.hook.replay"] as const

const names: ReadonlySet<string> = new Set(hookCommands)

export const isHookCommand = (event: OutboxEvent) => names.has(event.type)
