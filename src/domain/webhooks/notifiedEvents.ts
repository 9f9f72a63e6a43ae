// Selects the events that hooks are notified of, and renders their bodies from the table in `eventBodies.ts`.
import type { HookTrouble, OutboxEvent } from "../../engine/outbox/Event.ts"
import { type BodyMember, eventBodies, type Newest } from "./eventBodies.ts"
import { type HookType, hookTypes } from "./Hook.ts"

const types: ReadonlySet<string> = new Set(hookTypes)

export type NotifiedEvent = OutboxEvent & { readonly type: HookType; readonly app_id: number }

/** True if hooks are notified of the event; false for commands, replies and switched-off changes. */
export const notifies = (event: OutboxEvent): event is NotifiedEvent =>
  types.has(event.type) && event.switches.hook && event.app_id !== null

/** True for a notice of the hook's own failures: sending it to the failing hook would cause another failure. */
export const isOwn = (hookId: number, { payload, type }: NotifiedEvent) =>
  (type === "hook.failing" || type === "hook.inactive") && (payload as HookTrouble).hook_id === hookId

const body = (hookId: number, type: HookType, value: (member: BodyMember) => unknown): Record<string, unknown> => ({
  hook_id: hookId,
  ...Object.fromEntries(Object.entries(eventBodies[type].members).map(([name, member]) => [name, value(member)])),
  type
})

/** The body for one hook, its members in the order of the table. */
export const bodyOf = (hookId: number, event: NotifiedEvent) => body(hookId, event.type, ({ of }) => of(event))

/** The body of a test. */
export const sampleOf = (hookId: number, type: HookType, newest: Newest) =>
  body(hookId, type, ({ sample }) => sample(newest))
