// Endpoints that work on the runs which filters select, as jobs (developer-api.md 7.11).
import { HttpApiEndpoint } from "effect/http-api"
import { JobBegun } from "../../../domain/jobs/Job.ts"
import { located } from "../../middleware/answerHeaders.ts"
import { costs } from "../../middleware/cost.ts"
import { fails } from "../../middleware/errorBodies.ts"
import { type Requirement, requires } from "../../middleware/Requires.ts"
import { withSummary } from "../../middleware/summaries.ts"
import { RetrySelectBody, SelectBody } from "./runBodies.ts"

const run = { scope: "automations:run", cost: costs.manyRuns, unguarded: "filtered" } as const

const defineJob = <
  const N extends string,
  const P extends `/${string}`,
  const B extends typeof SelectBody | typeof RetrySelectBody
>(
  name: N,
  path: P,
  payload: B,
  need: Requirement,
  summary: string,
  description: string
) =>
  HttpApiEndpoint.post(name, path, {
    payload,
    success: JobBegun,
    error: fails("ValidationError", "Restricted", "NotFound", "Conflict")
  }).pipe(requires(need), located, withSummary(summary, description))

export const cancelMany = defineJob(
  "cancelMany",
  "/v1/automation-run/cancel",
  SelectBody,
  run,
  "Cancel many runs",
  "Begins a job that cancels the pending and running ones among those that the filters select, as the listing does."
)

export const retryMany = defineJob(
  "retryMany",
  "/v1/automation-run/retry",
  RetrySelectBody,
  run,
  "Retry many runs",
  "Begins a job that retries the failed and cancelled ones among those that the filters select, the oldest first. One that a run retries already is left out."
)

export const deleteMany = defineJob(
  "deleteMany",
  "/v1/automation-run/delete",
  SelectBody,
  { scope: "automations:edit", cost: costs.manyRuns, unguarded: "filtered" },
  "Delete many runs",
  "Begins a job that deletes those that are over among those that the filters select, with their logs. What a run that is not over needs is left out."
)
