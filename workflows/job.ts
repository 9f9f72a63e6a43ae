// `jobs/<job_id>` (developer-api.md 7.11): calls for one slice of work after another until the job is over. Its row says how far it has come.
import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
  workflowInfo
} from "@temporalio/workflow"
import type { JobActivities } from "../activities/jobs.ts"
import type { JobInput, JobStanding } from "../src/engine/temporal/messages.ts"
import { HEARTBEAT_TIMEOUT } from "./heartbeats.ts"

const retry = { initialInterval: "1 second", maximumInterval: "1 minute" } as const
const { carryOutJob } = proxyActivities<JobActivities>({
  startToCloseTimeout: "15 minutes",
  heartbeatTimeout: HEARTBEAT_TIMEOUT,
  retry
})
const { stopJob } = proxyActivities<JobActivities>({ startToCloseTimeout: "30 seconds", retry })

export async function job(input: JobInput): Promise<JobStanding> {
  try {
    for (;;) {
      const jobStanding = await carryOutJob.executeWithOptions({ summary: input.about }, [input.jobId])
      setCurrentDetails(jobStanding.details)
      if (jobStanding.over) return jobStanding
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof job>(input)
    }
  } catch (error) {
    if (!isCancellation(error)) throw error
    return await CancellationScope.nonCancellable(() => stopJob(input.jobId))
  }
}
