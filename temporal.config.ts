// Where Temporal is, what our queues are called and how workers are tuned. Functions and values; connects nothing.
import { loadClientConnectConfig } from "@temporalio/envconfig"
import type { NativeConnectionOptions, WorkerOptions } from "@temporalio/worker"
import { temporalNames, withFiles } from "./bin/parts/settings.js"
import * as messages from "./src/engine/temporal/messages.ts"

export interface TemporalSettings {
  readonly connection: NativeConnectionOptions
  readonly namespace: string
  /** How long a namespace that we create keeps closed workflows. */
  readonly retentionDays: number
  readonly queues: {
    /** Workflows, activations and segments. */
    readonly actors: string
    /** Steps that wait for the outside; slow ones never take an actor's slot. */
    readonly outside: string
  }
}

/** The TEMPORAL_* variables and the profile file of the standard client configuration. Throws on a broken one. */
export const load = (): TemporalSettings => {
  const { env } = withFiles(process.env, temporalNames(process.env))
  const { connectionOptions, namespace } = loadClientConnectConfig({ overrideEnvVars: env })
  return {
    connection: { address: "127.0.0.1:7233", ...connectionOptions },
    namespace: namespace ?? "millrace",
    retentionDays: 30,
    queues: { actors: "millrace", outside: "millrace-outside" }
  }
}

/** Registered at start; all of type Keyword. */
export const searchAttributes: ReadonlyArray<string> = [
  messages.Organization,
  messages.App,
  messages.Automation,
  messages.RecordId,
  messages.RunType,
  messages.Chain,
  messages.RunStatus,
  messages.Failing,
  messages.About
].map((key) => key.name)

/** Activations at once in one process: one that waits for a receiver costs little. */
export const ACTIVATION_SLOTS = 1_000
/** Further activities: segments, and activations that wait for their organization's turn (Activations.ts) or are told to come again. */
const OTHER_SLOTS = 500

export const actorsTuning = {
  maxConcurrentActivityTaskExecutions: ACTIVATION_SLOTS + OTHER_SLOTS,
  maxConcurrentWorkflowTaskExecutions: 40,
  maxConcurrentActivityTaskPolls: 10,
  maxCachedWorkflows: 500,
  reuseV8Context: true,
  // After a SIGKILL a sleeping actor answers within a second instead of ten.
  stickyQueueScheduleToStartTimeout: "1 second",
  // Otherwise heartbeats are held back for 80 % of their time-out.
  maxHeartbeatThrottleInterval: "2 seconds",
  shutdownGraceTime: "8 seconds",
  shutdownForceTime: "9 seconds"
} as const satisfies Partial<WorkerOptions>

/** Outside steps in a process that are at work or wait for their organization's turn (OutsideSlots.ts): far more than places. */
export const OUTSIDE_SLOTS = 1_000

export const outsideTuning = {
  maxConcurrentActivityTaskExecutions: OUTSIDE_SLOTS,
  maxConcurrentActivityTaskPolls: 5,
  maxHeartbeatThrottleInterval: "2 seconds",
  shutdownGraceTime: "8 seconds",
  shutdownForceTime: "9 seconds"
} as const satisfies Partial<WorkerOptions>
