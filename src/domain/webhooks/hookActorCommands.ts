// The commands that requests leave for an app's webhook actor, as outbox events (design: one flow).
import { Schema } from "effect"
import { command, type OutboxEvent } from "../../engine/outbox/Event.ts"

/**
 * Step of a verification: it was requested, has succeeded, or its hook was deleted. The actor starts or signals the verification's
 * workflow.
 */
export const VerifyPayload = Schema.Struct({
  hook_id: Schema.Int,
  /** Number of the request within the hook, from 1. */
  verification: Schema.Int,
  step: Schema.Literals(["requested", "validated", "deleted"])
})
export type VerifyPayload = typeof VerifyPayload.Type

export type HookCommand = VerifyPayload & { readonly event_id: number; readonly app_id: number }

/** Wakes the app's actor, whose rows exist already. */
export const wakeHooks = (of: { readonly org_id: number; readonly app_id: number }) =>
  command(of, "command.hook.replay", {})

/** Commands to the actor. */
export const hookActorCommands = ["command.hook.verify", "command.hook.replay"] as const

const names: ReadonlySet<string> = new Set(hookActorCommands)

export const isHookCommand = (event: OutboxEvent) => names.has(event.type)
