// Answers of the door itself (developer-api.md 1.5, 1.6): an error's documented body, the headers of a budget, what a failure becomes.
import { Cause, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { formatDateTime } from "../../ground/primitives/dates.ts"
import { inputProblem } from "./input.ts"
import type { Budget } from "./RateLimit.ts"
import { answerOf, devApiError } from "./wire.ts"

export const errorResponse = (
  status: number,
  code: string,
  message: string,
  endpoint: string,
  headers: Record<string, string> = {},
  more = {}
) => HttpServerResponse.jsonUnsafe({ ...devApiError(status, code, message, endpoint), ...more }, { status, headers })

export const rateHeaders = (budget: Budget): Record<string, string> => ({
  "x-ratelimit-limit": String(budget.limit),
  "x-retry-remaining": String(budget.remaining),
  "x-retry-cost": String(budget.cost),
  "x-retry-reset": formatDateTime(new Date(budget.resetAt)),
  "retry-after": String(budget.retryAfterSeconds)
})

export const failureResponse = (cause: Cause.Cause<unknown>, endpoint: string) => {
  const failure = Cause.findErrorOption(cause)
  if (failure._tag === "Some") {
    const answer = answerOf(failure.value, endpoint)
    if (answer !== undefined)
      return Effect.succeed(
        HttpServerResponse.jsonUnsafe(answer.body, { status: answer.status, headers: answer.headers })
      )
    if (HttpApiError.HttpApiSchemaError.is(failure.value)) {
      const problem = inputProblem(failure.value)
      if (problem !== undefined) return Effect.succeed(errorResponse(400, problem.code, problem.message, endpoint))
    }
  }
  if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause as Cause.Cause<never>)
  return Effect.as(
    Effect.logError("request failed", cause),
    errorResponse(500, "internal_server_error", "The service failed to carry this out; nothing was changed.", endpoint)
  )
}
