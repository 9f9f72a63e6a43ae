// Keeps the installation's mark in Temporal: the schedule `installation`, paused and without an instant, whose argument is epoch and mark.
// A schedule needs no worker of ours, outlives every retention, and an operator sees it.
import { Effect } from "effect"
import { shownEpoch } from "../temporal/Epoch.ts"
import type { TemporalShape } from "../temporal/Temporal.ts"
import { isScheduleAlreadyRunning, isScheduleNotFound, TemporalFailed } from "../temporal/TemporalFailed.ts"
import type { TemporalMark } from "./installationRow.ts"

const SCHEDULE = "installation"
/** Time-out of writing to Temporal, since the row of the installation is locked meanwhile. */
const WRITTEN_WITHIN = "8 seconds"

const read = (args: unknown): TemporalMark | null => {
  const [told] = Array.isArray(args) ? args : []
  const { key, mark, number } = (told ?? {}) as Record<string, unknown>
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(mark) || typeof key !== "string") return null
  return { epoch: { number: number as number, key: key.slice(0, 8) }, mark: mark as number }
}

/** Mark in Temporal; null: Temporal has none, or has lost it. */
export const readMark = (temporal: TemporalShape): Effect.Effect<TemporalMark | null, TemporalFailed> =>
  temporal
    .call((client) => client.schedule.getHandle(SCHEDULE).describe())
    .pipe(
      Effect.map(({ action }) => read(action.args)),
      Effect.catchIf(
        (error) => isScheduleNotFound(error.cause),
        () => Effect.succeed(null)
      )
    )

export const writeMark = (
  temporal: TemporalShape,
  { epoch, mark }: TemporalMark
): Effect.Effect<void, TemporalFailed> => {
  const options = {
    spec: {},
    action: {
      type: "startWorkflow" as const,
      // Does nothing when triggered by hand: nobody polls the queue, and it ends after a minute.
      workflowType: SCHEDULE,
      workflowId: SCHEDULE,
      taskQueue: `${temporal.settings.queues.actors}-${SCHEDULE}`,
      workflowExecutionTimeout: "1 minute" as const,
      args: [{ ...epoch, mark }]
    },
    state: { paused: true, note: `Never runs: remembers epoch ${shownEpoch(epoch)}, mark ${mark} of this installation` }
  }
  return temporal
    .call(async (client) => {
      try {
        await client.schedule.create({ scheduleId: SCHEDULE, ...options })
      } catch (error) {
        if (!isScheduleAlreadyRunning(error)) throw error
        await client.schedule.getHandle(SCHEDULE).update(() => options)
      }
    })
    .pipe(
      Effect.timeoutOrElse({
        duration: WRITTEN_WITHIN,
        orElse: () => Effect.fail(new TemporalFailed({ cause: new Error("no answer in time") }))
      })
    )
}
