// Requests of the OAuth endpoints by endpoint and outcome: `ok` or a reason id.
import { type Effect, Metric } from "effect"
import type { ReasonId } from "./reasons.ts"

export type Endpoint = "authorize" | "token" | "revoke" | "register" | "introspect" | "metadata" | "decide"

const requests = Metric.counter("millrace_oauth_requests_total", {
  description: "Requests of the OAuth endpoints by endpoint and reason id",
  incremental: true
})

const known = new Map<string, Metric.Metric<number, Metric.CounterState<number>>>()

export const count = (endpoint: Endpoint, outcome: "ok" | ReasonId): Effect.Effect<void> => {
  const key = `${endpoint} ${outcome}`
  let metric = known.get(key)
  if (metric === undefined) {
    metric = Metric.withAttributes(requests, { endpoint, reason: outcome })
    known.set(key, metric)
  }
  return Metric.update(metric, 1)
}
