// Translates imports (developer-api.md 4.2) between HTTP and their service.
import { Effect } from "effect"
import { Granted } from "../../../domain/accounts/Access.ts"
import { Imports } from "../../../domain/imports/Imports.ts"
import { switchesOf } from "../../../domain/records/reading/sideEffectSwitches.ts"
import { namesPlace } from "../../middleware/answerHeaders.ts"
import { group } from "../../middleware/requestContext.ts"
import { ImportsApi } from "./Api.ts"

export const ImportsHandlers = group(
  ImportsApi,
  Effect.fnUntraced(function* (handlers) {
    const imports = yield* Imports
    return handlers.handleAll({
      preview: ({ payload }) => Effect.flatMap(Granted, (grant) => imports.preview(grant, payload)),
      begin: Effect.fnUntraced(function* ({ payload, query }) {
        const job_id = yield* imports.begin(yield* Granted, payload, switchesOf(query))
        yield* namesPlace(`/v1/job/${job_id}`)
        return { job_id }
      })
    })
  })
)
