// Error responses of the middleware itself (developer-api.md 1.5): the documented body, and what each failure becomes.
// That nothing was changed is said where it is known, and only there.
import { Cause, Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiError } from "effect/http-api"
import type { Changes } from "../../platform/sql/Changes.ts"
import { inBrief, isTransientIn, TRANSIENT_RETRY_SECONDS } from "../../platform/sql/transientErrors.ts"
import { answerOf, devApiError } from "./errorBodies.ts"
import { inputProblem } from "./inputProblems.ts"

export const errorResponse = (
  status: number,
  code: string,
  message: string,
  endpoint: string,
  headers: Record<string, string> = {},
  more = {}
) => HttpServerResponse.jsonUnsafe({ ...devApiError(status, code, message, endpoint), ...more }, { status, headers })

/** State of the call that is known when it fails. */
export interface Standing {
  readonly changes: Changes
  /** True if the call can be sent again with its Idempotency-Key (1.8). */
  readonly keyed: boolean
}

/** Before a handler has begun, and where it only asks. */
export const unchanged: Standing = { changes: { possible: false }, keyed: false }

const adviseRetry = (keyed: boolean) =>
  keyed
    ? "Send it again with the same Idempotency-Key: what was done is not done twice."
    : "Look before you send it again."

const fault = ({ changes, keyed }: Standing) =>
  changes.possible
    ? `The service failed to carry this out; it is not known whether anything was changed. ${adviseRetry(keyed)}`
    : "The service failed to carry this out; nothing was changed."

/** The database is away: for callers to wait, and to know what they may believe. */
export const awayResponse = (endpoint: string, { changes, keyed }: Standing = unchanged) =>
  errorResponse(
    503,
    "service_unavailable",
    changes.possible
      ? `The database went away meanwhile; it is not known whether anything was changed. ${adviseRetry(keyed)}`
      : `The database cannot be reached right now; nothing was changed. Try again in ${TRANSIENT_RETRY_SECONDS} s.`,
    endpoint,
    { "retry-after": String(TRANSIENT_RETRY_SECONDS) },
    { outcome: changes.possible ? "unknown" : "not_done", retry_after: TRANSIENT_RETRY_SECONDS }
  )

export const failureResponse = (cause: Cause.Cause<unknown>, endpoint: string, standing: Standing = unchanged) => {
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
  // `standing` is read when the answer is made: a transaction around the call may still be open.
  if (isTransientIn(cause))
    return Effect.map(Effect.logWarning("the database is away", inBrief(cause)), () => awayResponse(endpoint, standing))
  return Effect.map(Effect.logError("request failed", cause), () =>
    errorResponse(500, "internal_server_error", fault(standing), endpoint)
  )
}
