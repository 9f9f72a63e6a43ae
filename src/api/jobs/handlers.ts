// Translates jobs (developer-api.md 7.11) between HTTP and their service.
import { Effect } from "effect"
import { Caller } from "../../domain/accounts/Caller.ts"
import { Jobs } from "../../domain/jobs/Jobs.ts"
import { group } from "../middleware/requestContext.ts"
import { JobsApi } from "./Api.ts"

const DEFAULT_LIMIT = 50

export const JobsHandlers = group(
  JobsApi,
  Effect.fnUntraced(function* (handlers) {
    const jobs = yield* Jobs
    return handlers.handleAll({
      list: ({ query }) =>
        Effect.flatMap(Caller, (caller) => jobs.page(caller, query.limit ?? DEFAULT_LIMIT, query.cursor)),
      get: ({ params }) => Effect.flatMap(Caller, (caller) => jobs.get(caller, params.job_id)),
      cancel: ({ params }) => Effect.flatMap(Caller, (caller) => jobs.cancel(caller, params.job_id))
    })
  })
)
