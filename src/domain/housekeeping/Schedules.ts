// Creates one Temporal Schedule per job, `housekeeping/<job>`, or updates it, in the background when Temporal is reachable. Repeats this
// every ten minutes, so that a lost Temporal database gets its schedules back.
import { Effect, Layer } from "effect"
import { Epoch } from "../../engine/temporal/Epoch.ts"
import { interventionDetails } from "../../engine/temporal/interventions.ts"
import { About, aboutOf } from "../../engine/temporal/messages.ts"
import { Temporal } from "../../engine/temporal/Temporal.ts"
import { isScheduleAlreadyRunning } from "../../engine/temporal/TemporalFailed.ts"
import { type JobName, jobNames, jobs } from "./jobs.ts"

const MINUTE = 60_000

const about = (name: JobName) => [{ key: About, value: aboutOf(jobs[name].about) }]

const optionsOf = (name: JobName, workflowId: string, taskQueue: string) => ({
  spec: { intervals: [{ every: jobs[name].everyMinutes * MINUTE }], jitter: MINUTE },
  policies: { overlap: "SKIP" as const, catchupWindow: MINUTE },
  action: {
    type: "startWorkflow" as const,
    workflowType: "housekeeping",
    workflowId,
    taskQueue,
    args: [name],
    staticSummary: jobs[name].about,
    staticDetails: interventionDetails("housekeeping"),
    typedSearchAttributes: about(name)
  }
})

export const ensureSchedules = Effect.gen(function* () {
  const temporal = yield* Temporal
  const epoch = yield* Epoch
  for (const name of jobNames) {
    const id = yield* epoch.id(`housekeeping/${name}`)
    yield* temporal.call(async (client) => {
      const options = optionsOf(name, id, temporal.settings.queues.actors)
      try {
        await client.schedule.create({ scheduleId: id, ...options })
      } catch (error) {
        if (!isScheduleAlreadyRunning(error)) throw error
        await client.schedule.getHandle(id).update((old) => ({ ...options, state: old.state }))
      }
    })
  }
})

export const layer = Layer.effectDiscard(
  ensureSchedules.pipe(
    Effect.catchCause((cause) => Effect.logWarning("housekeeping schedules could not be brought up to date", cause)),
    Effect.andThen(Effect.sleep("10 minutes")),
    Effect.forever,
    Effect.forkScoped
  )
)
