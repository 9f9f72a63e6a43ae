// Metrics of attempts and deliveries for /metrics; no label names a hook.
import { counter, histogram } from "../../platform/metrics/instruments.ts"
import type { AttemptOutcome } from "./attempt.ts"
import type { DeliveryStatus } from "./Delivery.ts"
import type { Result } from "./judgeResults.ts"

const attempts = histogram("millrace.webhook.attempt.duration")
const deliveries = counter("millrace.webhook.deliveries")
const latency = histogram("millrace.webhook.delivery.latency")

/** Records the class only: errors of TLS contain more. */
export const countAttempt = ({ error, latencyMillis }: AttemptOutcome): void =>
  attempts.observe(latencyMillis / 1000, error === null ? "ok" : error.split(":", 1)[0]!)

/** Counts deliveries by the status that the results left them in. Call it after the commit. */
export const countDeliveries = (
  results: ReadonlyArray<Result>,
  written: ReadonlyArray<{ readonly status: DeliveryStatus }>
): void => {
  for (const [index, { outcome, row }] of results.entries()) {
    const status = written[index]?.status
    if (status === undefined) continue
    deliveries.add(1, status)
    const endedAt = outcome.attemptedOn.getTime() + outcome.latencyMillis
    if (status === "delivered") latency.observe(Math.max(0, endedAt - row.created_on.getTime()) / 1000)
  }
}
