// Events of the outbox: facts about records, comments and apps, failures of hooks and automations, and commands to actors. One closed
// union, discriminated by `type`.
import type { Cells } from "../../platform/primitives/Cell.ts"

/** The author that records, comments and revisions show (developer-api.md 2.1, 4.1). */
export type Author =
  | { readonly type: "user"; readonly user_id: number }
  | { readonly type: "automation"; readonly automation_id: number }

/** The side-effect switches of developer-api.md 1.9 as they held for the change. */
export interface Switches {
  readonly hook: boolean
  readonly workflow: boolean
  readonly silent: boolean
}

/** Run that made the change, when an automation did: chain depth (developer-api.md 7.5 rule 4) and the chain itself. */
export interface Cause {
  readonly automation_id: number
  readonly run_id: string
  readonly root_run_id: string
  /** Automation ids from the root to this one, for the notice that names a cycle. */
  readonly chain: ReadonlyArray<number>
}

/** Values other than cells that an update replaces. */
export interface Former {
  /** Title as shown; absent if the change left it as it was. */
  readonly title?: string
  readonly last_modified_on: string | null
  readonly last_modified_by: Author | null
}

export interface RecordChange {
  readonly revision: number
  readonly author: Author
  /** Cells after the change (the last ones for a delete). */
  readonly cells: Cells
  /** Cells before an update; absent otherwise. */
  readonly previous?: Cells
  /** Accompanies `previous`; events of earlier releases have none. */
  readonly former?: Former
  /** Ids of the fields whose value changed, computed fields included. */
  readonly changed?: ReadonlyArray<number>
  readonly title: string
  /** True for `skip_trash` and for the destruction of a trashed record. */
  readonly permanent?: boolean
}

export interface CommentChange {
  readonly comment_id: number
  /** Set when the entity is a reply. */
  readonly reply_id?: number
  readonly author: Author
}

/** Failure of a hook, or loss of its verification. */
export interface HookTrouble {
  readonly hook_id: number
  readonly failures: number
  readonly reason: string
}

/** Failure of an automation, or of one of its runs. */
export interface AutomationTrouble {
  readonly automation_id: number
  readonly run_id?: string
  readonly reason: string
}

export type EventBody =
  | {
      readonly type: "record.create" | "record.update" | "record.delete" | "record.restore"
      readonly payload: RecordChange
    }
  | { readonly type: "comment.create" | "comment.delete" | "reply.create"; readonly payload: CommentChange }
  | { readonly type: "app.update"; readonly payload: Record<string, never> }
  | { readonly type: "hook.failing" | "hook.inactive"; readonly payload: HookTrouble }
  | { readonly type: "automation.broken" | "automation.run_failed"; readonly payload: AutomationTrouble }
  /** Commands: the owner of the type documents its payload next to the actor that carries it out. */
  | { readonly type: `command.${string}`; readonly payload: Record<string, unknown> }

/** An event as appended; `Outbox.append` adds id and time. */
export type NewEvent = EventBody & {
  readonly org_id: number
  readonly app_id: number | null
  readonly record_id: number | null
  readonly switches: Switches
  /** 0 for a change made by a person. */
  readonly depth: number
  readonly cause: Cause | null
  /** Span that the event comes from (platform/telemetry/traceContext.ts), if that is not the current one. */
  readonly traceparent?: string | null
}

/** `traceparent`: the span of the hand-over. */
export type OutboxEvent = NewEvent & { readonly event_id: number; readonly created_on: Date }

export const defaultSwitches: Switches = { hook: true, workflow: true, silent: false }

interface Concerned {
  readonly org_id: number
  readonly app_id: number | null
}

/** Members of an event that no record and no run has caused. */
const ofApp = ({ app_id, org_id }: Concerned) => ({ org_id, app_id, record_id: null, depth: 0, cause: null })

/** Builds a command to an actor; its owner documents the payload. */
export const command = (of: Concerned, type: `command.${string}`, payload: Record<string, unknown>): NewEvent => ({
  ...ofApp(of),
  ...{ type, payload, switches: defaultSwitches }
})

type Trouble = Extract<EventBody, { readonly payload: HookTrouble | AutomationTrouble }>

/** Builds an event that reports a failure in an app: hooks receive it, automations do not fire. */
export const trouble = (of: { readonly org_id: number; readonly app_id: number }, body: Trouble): NewEvent => ({
  ...body,
  ...ofApp(of),
  switches: { hook: true, workflow: false, silent: true }
})
