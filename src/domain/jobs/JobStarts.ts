// Starts the workflows of jobs, `jobs/<job_id>`, in a worker: of those that have just begun, and again of those that have given no sign for a
// while, whose workflow was terminated or is of a former epoch. A start is repeatable: the job's row says what is left to do.
import { Cause, Clock, Effect, Layer, Schedule, Schema } from "effect"
import { Epoch } from "../../engine/temporal/Epoch.ts"
import { interventionDetails } from "../../engine/temporal/interventions.ts"
import { About, aboutOf, type JobInput, Organization } from "../../engine/temporal/messages.ts"
import { Temporal } from "../../engine/temporal/Temporal.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { JobView, jobKinds } from "./Job.ts"

const EVERY = "2 seconds"
/** Milliseconds without a sign, after which a job's workflow is started again: longer than one slice of its work. */
const SILENT = 30_000
const AT_ONCE = 20

const OpenJob = Schema.Struct({
  job_id: Schema.Int,
  org_id: Schema.NullOr(Schema.Int),
  user_id: Schema.NullOr(Schema.Int),
  kind: JobView.fields.kind
})
type OpenJob = typeof OpenJob.Type

export const jobWorkflowId = (jobId: number): string => `jobs/${jobId}`

const makeStarts = Effect.gen(function* () {
  const sql = yield* Sql
  const temporal = yield* Temporal
  const epoch = yield* Epoch

  /** Claims them, so that one process starts each. */
  const claim = Effect.gen(function* () {
    const nowMillis = yield* Clock.currentTimeMillis
    return yield* rowsOf(OpenJob)(sql`
      UPDATE jobs SET looked_on = ${new Date(nowMillis)} WHERE job_id IN (
        SELECT job_id FROM jobs WHERE completed_on IS NULL AND (looked_on IS NULL OR looked_on < ${new Date(nowMillis - SILENT)})
        ORDER BY job_id LIMIT ${AT_ONCE}::int FOR UPDATE SKIP LOCKED)
      RETURNING job_id, org_id, user_id, kind`)
  })

  const start = Effect.fnUntraced(function* ({ job_id, kind, org_id, user_id }: OpenJob) {
    const workflowId = yield* epoch.id(jobWorkflowId(job_id))
    const { about } = jobKinds[kind]
    const input: JobInput = { jobId: job_id, about }
    const summary = `job ${job_id}: ${about}`
    yield* temporal.call((client) =>
      client.workflow.start("job", {
        workflowId,
        taskQueue: temporal.settings.queues.actors,
        args: [input],
        workflowIdReusePolicy: "ALLOW_DUPLICATE",
        workflowIdConflictPolicy: "USE_EXISTING",
        memo: { kind, by: user_id === null ? "operator" : `user ${user_id}` },
        staticSummary: summary,
        staticDetails: interventionDetails("job"),
        typedSearchAttributes: [
          { key: About, value: aboutOf(summary) },
          ...(org_id === null ? [] : [{ key: Organization, value: String(org_id) }])
        ]
      })
    )
  })

  return Effect.flatMap(claim, (jobs) => Effect.forEach(jobs, start, { discard: true }))
})

export const layer = Layer.effectDiscard(
  Effect.flatMap(makeStarts, (round) =>
    round.pipe(
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.interrupt
          : Effect.logWarning("jobs could not be started and are tried again", cause)
      ),
      Effect.repeat(Schedule.spaced(EVERY)),
      Effect.forkScoped
    )
  )
)
