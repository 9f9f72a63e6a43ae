// Requests of the OAuth endpoints by endpoint and outcome: `ok` or a reason id.
import { Effect } from "effect"
import { counter } from "../../platform/metrics/instruments.ts"
import type { ReasonId } from "./reasons.ts"

export type Endpoint = "authorize" | "token" | "revoke" | "register" | "introspect" | "metadata" | "decide"

const requests = counter("millrace.oauth.requests")

export const count = (endpoint: Endpoint, outcome: "ok" | ReasonId): Effect.Effect<void> =>
  Effect.sync(() => requests.add(1, endpoint, outcome))
