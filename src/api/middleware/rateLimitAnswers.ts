// Answers about a caller's rate limit (developer-api.md 1.6): the headers of every answer, and the 429. `RateLimit.ts` keeps the budget.
import { formatDateTime } from "../../platform/primitives/dates.ts"
import { errorResponse } from "./errorResponses.ts"
import { type Budget, spentMessage } from "./RateLimit.ts"

export const rateHeaders = (budget: Budget): Record<string, string> => ({
  "x-ratelimit-limit": String(budget.limit),
  "x-retry-remaining": String(budget.remaining),
  "x-retry-cost": String(budget.cost),
  "x-retry-reset": formatDateTime(new Date(budget.resetAt)),
  "retry-after": String(budget.retryAfterSeconds)
})

/** @param headers those of `rateHeaders` for the budget */
export const refuseSpent = (endpoint: string, budget: Budget, headers: Record<string, string>) =>
  errorResponse(429, "too_many_requests", spentMessage(budget), endpoint, headers, {
    retry_after: budget.retryAfterSeconds,
    rate_limit: budget.limit,
    rate_limit_remaining: budget.remaining,
    rate_limit_cost: budget.cost,
    rate_limit_reset: headers["x-retry-reset"]
  })
