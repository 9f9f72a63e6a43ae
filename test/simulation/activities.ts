// Activities of a process of a schedule: an attempt knows its number and what the one before has left, and its failures are those that Temporal hears.
import { ActivityFailure, ApplicationFailure, RetryState } from "@temporalio/common"
import { Context, Effect } from "effect"
import { actorActivities } from "../../activities/actor.ts"
import { outsideActivities, segmentActivities } from "../../activities/runs.ts"
import { type ActivityAttempt, CurrentActivity } from "../../src/engine/temporal/bridge.ts"
import type { Worker } from "./processes.ts"
import type { Task } from "./SimulatedTemporal.ts"

/** Carries out a task. */
export type Activities = (task: Task) => Promise<unknown>

export const activitiesOf =
  (context: Context.Context<Worker>): Activities =>
  (task) => {
    const current = {
      info: { attempt: task.attempt, heartbeatDetails: task.details() } as never,
      heartbeat: (details?: unknown) => Effect.sync(() => task.heartbeat(details))
    }
    const attempt: ActivityAttempt<Worker> =
      (f) =>
      (...args) =>
        Effect.runPromiseWith(Context.add(context, CurrentActivity, current))(
          Effect.suspend(() => f(...args)) as Effect.Effect<never, unknown, Worker | CurrentActivity>
        )
    const activities = { ...actorActivities(attempt), ...segmentActivities(attempt), ...outsideActivities(attempt) }
    const activity = activities[task.name as keyof typeof activities] as (
      ...args: ReadonlyArray<unknown>
    ) => Promise<unknown>
    return activity(...task.args)
  }

interface Failed {
  readonly _tag?: string
  readonly retryable?: boolean
  readonly nextRetryMillis?: number
  readonly answer?: unknown
  readonly message?: string
}

/** Pause that the failure itself asks for. */
export const retryMillis = (error: unknown): number | undefined => (error as Failed).nextRetryMillis

/** What the workflow gets of a failure that is not tried again (src/engine/temporal/bridge.ts); null for any other. */
export const finalFailure = (error: unknown): ActivityFailure | null => {
  const { _tag, answer, message, retryable } = error as Failed
  if (retryable !== false) return null
  const cause = ApplicationFailure.create({
    ...{ type: _tag ?? "failed", message: message ?? "failed", nonRetryable: true, details: [answer] }
  })
  return new ActivityFailure("it fails", "simulated", "1", RetryState.NON_RETRYABLE_FAILURE, undefined, cause)
}
