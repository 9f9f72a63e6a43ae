// Names shared by workflows, activities and clients: signals, search attributes, the shapes that cross the boundary. Workflow code imports
// this file: nothing here may do more than name.
import { defineSearchAttributeKey, SearchAttributeType } from "@temporalio/common"
import { defineSignal } from "@temporalio/workflow"

/** Wakes an actor; carries nothing, the rows say what there is to do. */
export const nudge = defineSignal("nudge")

// Search attributes, all of type Keyword: SQL visibility has room for ten of them, but only for three Ints.
export const Organization = defineSearchAttributeKey("Organization", SearchAttributeType.KEYWORD)
export const App = defineSearchAttributeKey("App", SearchAttributeType.KEYWORD)
export const Automation = defineSearchAttributeKey("Automation", SearchAttributeType.KEYWORD)
export const RecordId = defineSearchAttributeKey("RecordId", SearchAttributeType.KEYWORD)
export const RunType = defineSearchAttributeKey("RunType", SearchAttributeType.KEYWORD)
/** First run of a chain of automations, on every run of the chain. */
export const Chain = defineSearchAttributeKey("Chain", SearchAttributeType.KEYWORD)
/** Status of a run. Not `Status`: that is a word of the query language, which operators would have to quote. */
export const RunStatus = defineSearchAttributeKey("RunStatus", SearchAttributeType.KEYWORD)
/** Description of the workflow: a column for the lists of the UI, which shows neither summaries nor memos there. */
export const About = defineSearchAttributeKey("About", SearchAttributeType.KEYWORD)
/** "true" on an actor that reports something failing, for instance hooks. */
export const Failing = defineSearchAttributeKey("Failing", SearchAttributeType.KEYWORD)

/** SQL visibility keeps 255 characters of a Keyword. */
const ABOUT_AT_MOST = 200
export const aboutOf = (text: string): string => text.slice(0, ABOUT_AT_MOST)

const ofRun = { Organization, App, Automation, RecordId, RunType, Chain, RunStatus, About }
export type RunAttributes = { readonly [K in keyof typeof ofRun]?: string }

export const typedAttributes = (attributes: RunAttributes) =>
  Object.entries(attributes).map(([name, value]) => ({ key: ofRun[name as keyof typeof ofRun], value }))

export interface ActorInput {
  /** Part of the workflow id after the kind's name. */
  readonly id: string
  /** Longest gap between heartbeats: after it another worker takes the activation over. */
  readonly heartbeatTimeoutMillis: number
  /** Events after which an execution continues as new, long before the server asks for it: an actor's past is of no interest. */
  readonly historyAtMost: number
}

export interface ActivationResult {
  /** True if work is left: begin the next activation at once. */
  readonly again: boolean
  /** Epoch milliseconds of the next due row, null without one. */
  readonly nextDueAt: number | null
  /** Markdown for the operator: what the actor holds and why it waits. */
  readonly details: string
  readonly failing: boolean
}

/** Reason why a verification ended before its code expired. */
export type VerificationEnd = "validated" | "superseded" | "deleted"

export const verificationEnded = defineSignal<[VerificationEnd]>("verificationEnded")

export interface VerifyHookInput {
  readonly hookId: number
  readonly verification: number
  /** Epoch milliseconds at which the code expires. */
  readonly expiresAt: number
}

export interface JobInput {
  readonly jobId: number
  /** Words for people: `retry runs`. */
  readonly about: string
}

/** Standing of a job after some seconds of work; ids, counts and decisions only. */
export interface JobStanding {
  readonly over: boolean
  readonly status: "pending" | "running" | "completed" | "failed" | "cancelled" | "missing"
  /** Markdown for the operator. */
  readonly details: string
}

/** Tells a run to look again: a slot is free, or a cancel is asked for. */
export const wakeRun = defineSignal("wakeRun")

export interface RunInput {
  /** Directive decided before the workflow began; the first execution follows it first. */
  readonly first?: RunDirective
  readonly runId: string
  readonly automationId: number
  /** Task queue of the outside steps. */
  readonly outsideQueue: string
  /** Events after which an execution continues as new. */
  readonly historyAtMost?: number
}

/** Outside step that the worker which took it does not know: the worker is of an older release. */
export interface UnknownStep {
  readonly action: string
  readonly path: string
  readonly iteration: ReadonlyArray<number>
}

/** Failure type with which the activity of a failed outside step ends; its detail is the answer that it would have given. */
export const STEP_FAILED = "StepFailed"

/** Result of a segment of a run; ids, counts and decisions only (decisions A3). */
export type RunDirective = { readonly details: string } & (
  | {
      readonly type: "done"
      readonly status: "completed" | "failed" | "cancelled"
      readonly reason: string | null
      readonly error: string | null
    }
  /** Wait until an instant in epoch milliseconds. */
  | { readonly type: "wait"; readonly until: number; readonly why: string }
  | {
      readonly type: "outside"
      /** Type of the action: the name of its activity. */
      readonly action: string
      readonly path: string
      readonly iteration: ReadonlyArray<number>
      readonly label: string
      /** Organization in whose queue the outside step waits. */
      readonly org?: number
      /** True if the step may be retried after pauses in which the run may end. */
      readonly retries?: boolean
    }
  /** Wait until the called runs are over; `start`: those whose workflows are to be started, as children. */
  | { readonly type: "called"; readonly start: ReadonlyArray<CalledRun> }
  | { readonly type: "more" }
)

export interface CalledRun {
  readonly runId: string
  readonly automationId: number
  readonly workflowId: string
  readonly summary: string
  readonly attributes: RunAttributes
  readonly memo?: Readonly<Record<string, string>>
}
