// Headers that tell a caller where their rate limit stands (developer-api.md 1.6); `RateLimit.ts` keeps it.
import { formatDateTime } from "../../platform/primitives/dates.ts"
import type { Budget } from "./RateLimit.ts"

export const rateHeaders = (budget: Budget): Record<string, string> => ({
  "x-ratelimit-limit": String(budget.limit),
  "x-retry-remaining": String(budget.remaining),
  "x-retry-cost": String(budget.cost),
  "x-retry-reset": formatDateTime(new Date(budget.resetAt)),
  "retry-after": String(budget.retryAfterSeconds)
})
