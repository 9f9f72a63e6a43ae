// What /metrics tells of attempts and of the deliveries that they leave; no label names a hook.
import { counter, histogram } from "../../ground/metrics/instruments.ts"
import type { AttemptOutcome } from "./attempt.ts"
import type { DeliveryStatus } from "./Delivery.ts"
import type { Result } from "./verdict.ts"

const attempts = histogram("millrace.webhook.attempt.duration")
const deliveries = counter("millrace.webhook.deliveries")
const latency = histogram("millrace.webhook.delivery.latency")

/** The class alone: of TLS the error says more. */
export const countAttempt = ({ error, latencyMillis }: AttemptOutcome): void =>
  attempts.observe(latencyMillis / 1000, error === null ? "ok" : error.split(":", 1)[0]!)

/** Once the results are committed, with what the delivery of each is then. */
export const countDeliveries = (
  results: ReadonlyArray<Result>,
  written: ReadonlyArray<{ readonly status: DeliveryStatus }>
): void => {
  for (const [index, { outcome, row }] of results.entries()) {
    const status = written[index]?.status
    if (status === undefined) continue
    deliveries.add(1, status)
    const ended = outcome.attemptedOn.getTime() + outcome.latencyMillis
    if (status === "delivered") latency.observe(Math.max(0, ended - row.created_on.getTime()) / 1000)
  }
}
