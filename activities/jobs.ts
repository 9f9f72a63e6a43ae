// Activities of the job workflow: thin, over `JobBatches`.

import { Effect } from "effect"
import { JobBatches } from "../src/domain/jobs/JobBatches.ts"
import { type ActivityAttempt, CurrentActivity } from "../src/engine/temporal/bridge.ts"
import { rootSpan } from "../src/platform/telemetry/traceContext.ts"
import { beating } from "./heartbeats.ts"

export const jobActivities = <R>(attempt: ActivityAttempt<R | JobBatches>) => ({
  /** Works for some seconds, and tells how the job stands then. */
  carryOutJob: attempt((jobId: number) =>
    Effect.gen(function* () {
      const { info } = yield* CurrentActivity
      return yield* beating(JobBatches.use((batches) => batches.carryOut(jobId, info.attempt)))
    }).pipe(rootSpan("carry out job", { "millrace.job.id": jobId }))
  ),
  /** Ends a job whose workflow an operator has cancelled. */
  stopJob: attempt((jobId: number) =>
    JobBatches.use((batches) => batches.stop(jobId)).pipe(rootSpan("stop job", { "millrace.job.id": jobId }))
  )
})

export type JobActivities = ReturnType<typeof jobActivities>
