// The commands that requests leave for an app's webhook actor, as outbox events (design: one flow).
import type { OutboxEvent } from "../../engine/outbox/Event.ts"

/** A verification was requested, has succeeded, or its hook is gone: the verification's workflow is started or told. */
export interface VerifyPayload {
  readonly hook_id: number
  /** Number of the request within the hook, from 1. */
  readonly verification: number
  readonly step: "requested" | "validated" | "deleted"
}

export type HookCommand = VerifyPayload & { readonly event_id: number; readonly app_id: number }

/** `command.hook.replay` carries nothing: the rows are there already, it wakes the actor. */
export const hookCommands = ["command.hook.verify", "command.hook.replay"] as const

const names: ReadonlySet<string> = new Set(hookCommands)

export const isHookCommand = (event: OutboxEvent) => names.has(event.type)
