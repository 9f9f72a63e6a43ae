// Jobs over HTTP (developer-api.md 7.11): how they stand, and their end before its time. Each is begun where what it works on is at home. The
// service asks for the scopes of a job's kind.

import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { JobView } from "../../domain/jobs/Job.ts"
import { Id } from "../../platform/primitives/commonSchemas.ts"
import { costs } from "../middleware/cost.ts"
import { DevApi } from "../middleware/DevApi.ts"
import { fails } from "../middleware/errorBodies.ts"
import { pageOf } from "../middleware/pageOf.ts"
import { requires } from "../middleware/Requires.ts"
import { groupSummary, withSummary } from "../middleware/summaries.ts"

const job_id = { job_id: Id }

export class JobsApi extends HttpApiGroup.make("jobs")
  .add(
    HttpApiEndpoint.get("list", "/v1/job", {
      query: {
        cursor: Schema.optionalKey(Schema.String),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })))
      },
      success: pageOf("jobs", JobView),
      error: fails("ValidationError")
    }).pipe(
      requires({ cost: costs.lists }),
      withSummary(
        "List jobs",
        "Newest first, in pages: the caller's own; owners and admins see all of the organization. Of the kinds that the credential's scopes may read."
      )
    ),
    HttpApiEndpoint.get("get", "/v1/job/:job_id", {
      params: job_id,
      success: JobView,
      error: fails("NotFound")
    }).pipe(
      requires({}),
      withSummary(
        "Get a job",
        "How far it has come, what became of what it has worked on, and its report. Kept for 30 days."
      )
    ),
    HttpApiEndpoint.post("cancel", "/v1/job/:job_id/cancel", {
      params: job_id,
      success: JobView.annotate({ httpApiStatus: 202 }),
      error: fails("Restricted", "NotFound", "Conflict")
    }).pipe(requires({}), withSummary("Cancel a job", "It ends before its next batch; what is done stays done."))
  )
  .middleware(DevApi)
  .annotateMerge(groupSummary("Jobs", "Work on many things that goes on in the background, with its progress.")) {}
