// How the stored histories come about: each scenario is one run of a workflow on a real server, with activities that answer as the
// services do. `npm run record -- NAME` runs one and stores what it left. (Earlier histories were taken from a running service.)
import { setTimeout as delay } from "node:timers/promises"
import type { WorkflowHandle } from "@temporalio/client"
import { ApplicationFailure } from "@temporalio/common"
import type { ActorActivities } from "../../activities/actor.ts"
import type { HousekeepingActivities } from "../../activities/housekeeping.ts"
import type { JobActivities } from "../../activities/jobs.ts"
import type { OutsideActivities, SegmentActivities } from "../../activities/runs.ts"
import type { WebhookActivities } from "../../activities/webhooks.ts"
import {
  type ActivationResult,
  type ActorInput,
  type JobInput,
  type JobStanding,
  nudge,
  type RunDirective,
  type RunInput,
  STEP_FAILED,
  type VerifyHookInput,
  verificationEnded,
  wakeRun
} from "../../src/engine/temporal/messages.ts"
import type * as workflows from "../../workflows/index.ts"

type Activities = ActorActivities &
  HousekeepingActivities &
  JobActivities &
  OutsideActivities &
  SegmentActivities &
  WebhookActivities

export const TASK_QUEUE = "millrace"

export interface Scenario {
  readonly workflow: keyof typeof workflows
  readonly args: () => ReadonlyArray<unknown>
  readonly activities: () => Partial<Activities>
  /** What happens to it from outside. */
  readonly during?: (handle: WorkflowHandle) => Promise<void>
}

/** Answers them one after another, the last one again and again. */
const oneAfterAnother = <A>(...answers: ReadonlyArray<A>) => {
  let next = 0
  return async (): Promise<A> => answers[Math.min(next++, answers.length - 1)]!
}

/** Until the history holds so many events of a kind. */
const until = async (
  handle: WorkflowHandle,
  event: "timerStarted" | "activityTaskScheduled" | "activityTaskCompleted",
  count = 1
) => {
  for (;;) {
    const { events } = await handle.fetchHistory()
    const matchingEvents = (events ?? []).filter((one) => one[`${event}EventAttributes`] != null)
    if (matchingEvents.length >= count) return
    await delay(50)
  }
}

const hook = (livesMillis: number): [VerifyHookInput] => [
  { hookId: 7, verification: 1, expiresAt: Date.now() + livesMillis }
]
const actor: [ActorInput] = [{ id: "1", heartbeatTimeoutMillis: 10_000, historyAtMost: 1_000 }]
const job: [JobInput] = [{ jobId: 1, about: "retry runs" }]
const MINUTE = 60_000
const rests: ActivationResult = { again: false, nextDueAt: null, details: "Nothing is due.", failing: false }
/** A run whose outside steps are on the recording worker's own queue. */
const run: [RunInput] = [{ runId: "1", automationId: 1, outsideQueue: TASK_QUEUE }]
const triedAgain: RunDirective = {
  type: "outside",
  action: "http_call",
  path: "0",
  iteration: [],
  label: "HTTP request",
  retries: true,
  details: ""
}
/** So many attempts fail, each with its own pause. */
const failsFirst = (times: number, pauseMillis: number, then: RunDirective | null) => {
  let remainingFailures = times
  return async () => {
    if (remainingFailures-- > 0) throw ApplicationFailure.create({ type: "AttemptFailed", nextRetryDelay: pauseMillis })
    return then
  }
}
const doneDirective: RunDirective = { type: "done", status: "completed", reason: null, error: null, details: "" }

export const scenarios: Readonly<Record<string, Scenario>> = {
  "verifyHook-validated-after-a-second-try": {
    workflow: "verifyHook",
    args: () => hook(MINUTE),
    activities: () => ({
      sendVerification: oneAfterAnother(
        { outcome: "failed", reason: "timeout" } as const,
        { outcome: "sent", reason: "status 204" } as const
      )
    }),
    during: async (handle) => {
      await until(handle, "activityTaskCompleted", 2)
      await handle.signal(verificationEnded, "validated")
    }
  },
  "verifyHook-superseded-between-tries": {
    workflow: "verifyHook",
    args: () => hook(MINUTE),
    activities: () => ({ sendVerification: oneAfterAnother({ outcome: "failed", reason: "status 500" } as const) }),
    during: async (handle) => {
      await until(handle, "timerStarted")
      await handle.signal(verificationEnded, "superseded")
    }
  },
  "verifyHook-expires": {
    workflow: "verifyHook",
    args: () => hook(3_000),
    activities: () => ({ sendVerification: oneAfterAnother({ outcome: "sent", reason: "status 200" } as const) })
  },
  "verifyHook-void": {
    workflow: "verifyHook",
    args: () => hook(1_000),
    activities: () => ({
      sendVerification: oneAfterAnother({ outcome: "void", reason: "the hook was deleted" } as const)
    })
  },
  "job-ends-after-three-slices": {
    workflow: "job",
    args: () => job,
    activities: () => ({
      carryOutJob: oneAfterAnother(
        ...["25 of 60", "50 of 60"].map((details): JobStanding => ({ over: false, status: "running", details })),
        { over: true, status: "completed", details: "60 of 60" }
      )
    })
  },
  "job-cancelled-by-an-operator": {
    workflow: "job",
    args: () => job,
    activities: () => ({
      carryOutJob: async () => {
        await delay(500)
        return { over: false, status: "running", details: "25 of 60" }
      },
      stopJob: oneAfterAnother({ over: true, status: "cancelled", details: "25 of 60" } as const)
    }),
    during: async (handle) => {
      await until(handle, "activityTaskCompleted")
      await handle.cancel()
    }
  },
  "housekeeping-tells-what-went": {
    workflow: "housekeeping",
    args: () => ["retention"],
    activities: () => ({ housekeep: oneAfterAnother({ deliveries: 12, sessions: 3 }) })
  },
  "automationsApp-stays-open-while-something-fails": {
    workflow: "automationsApp",
    args: () => actor,
    activities: () => ({ activate: oneAfterAnother({ ...rests, failing: true }, rests) }),
    during: async (handle) => {
      await until(handle, "timerStarted")
      await handle.signal(nudge)
    }
  },
  "calendar-sleeps-until-it-is-due-or-nudged": {
    workflow: "calendar",
    args: () => actor,
    activities: () => ({
      activate: oneAfterAnother(
        { ...rests, nextDueAt: Date.now() + 3_000 },
        { ...rests, nextDueAt: Date.now() + MINUTE },
        rests
      )
    }),
    during: async (handle) => {
      await until(handle, "timerStarted", 2)
      await handle.signal(nudge)
    }
  },
  "automationRun-tries-an-outside-step-again": {
    workflow: "automationRun",
    args: () => run,
    activities: () => ({
      executeSegment: oneAfterAnother<RunDirective>(triedAgain, doneDirective),
      http_call: failsFirst(2, 500, null),
      runIsOver: oneAfterAnother(false)
    }),
    // Woken in the pause, for another reason than its end.
    during: async (handle) => {
      await until(handle, "activityTaskScheduled", 2)
      await handle.signal(wakeRun)
    }
  },
  "automationRun-ends-between-attempts": {
    workflow: "automationRun",
    args: () => run,
    activities: () => ({
      executeSegment: oneAfterAnother<RunDirective>(triedAgain, { ...doneDirective, status: "cancelled" }),
      http_call: failsFirst(1, 3_600_000, null),
      runIsOver: oneAfterAnother(true)
    }),
    during: async (handle) => {
      await until(handle, "activityTaskScheduled", 2)
      await handle.signal(wakeRun)
    }
  },
  // It fails, its activity with it, and the run goes on with what that answers.
  "automationRun-an-outside-step-fails": {
    workflow: "automationRun",
    args: () => run,
    activities: () => ({
      executeSegment: oneAfterAnother<RunDirective>(
        { type: "outside", action: "http_call", path: "0", iteration: [], label: "HTTP request", details: "" },
        doneDirective
      ),
      http_call: async () => {
        throw ApplicationFailure.create({
          type: STEP_FAILED,
          message: "The answer was 500.",
          nonRetryable: true,
          details: [{ type: "wait", until: Date.now() + 500, why: "Delay", details: "" } satisfies RunDirective]
        })
      }
    })
  },
  // Its worker has no activity of the name: the run is told at once, and goes on as its definition says.
  "automationRun-fails-an-outside-step-that-no-worker-knows": {
    workflow: "automationRun",
    args: () => run,
    activities: () => ({
      executeSegment: oneAfterAnother<RunDirective>(
        { type: "outside", action: "create_pdf", path: "0", iteration: [], label: "Create PDF", details: "" },
        doneDirective
      )
    })
  },
  "automationRun-waits-for-called-runs": {
    workflow: "automationRun",
    args: () => run,
    activities: () => {
      const child = (runId: string) => ({
        ...{ runId, automationId: 2, workflowId: `automations/2/runs/${runId}`, summary: "Called" },
        attributes: { RunStatus: "running" }
      })
      const caller = oneAfterAnother<RunDirective>(
        { type: "called", start: [child("2"), child("3")], details: "" },
        { type: "called", start: [], details: "" },
        doneDirective
      )
      const failed: RunDirective = {
        ...doneDirective,
        status: "failed",
        reason: "exit_on_purpose",
        error: "It failed."
      }
      return {
        executeSegment: async (runId: string) => (runId === "1" ? caller() : runId === "2" ? doneDirective : failed)
      }
    },
    during: async (handle) => {
      await until(handle, "timerStarted")
      await handle.signal(wakeRun)
    }
  },
  // Its actor has begun the delay: the workflow asks for nothing before it is over, and forgets what it was given when it continues.
  "automationRun-begins-in-its-wait": {
    workflow: "automationRun",
    args: (): [RunInput] => [
      {
        ...run[0],
        historyAtMost: 12,
        first: { type: "wait", until: Date.now() + 500, why: "Delay", details: "" }
      }
    ],
    activities: () => ({ executeSegment: oneAfterAnother<RunDirective>({ type: "more", details: "" }, doneDirective) })
  },
  "automationRun-continues-as-new": {
    workflow: "automationRun",
    args: (): [RunInput] => [{ runId: "1", automationId: 1, outsideQueue: "outside", historyAtMost: 3 }],
    activities: () => ({ executeSegment: oneAfterAnother<RunDirective>({ type: "more", details: "" }, doneDirective) })
  }
}
