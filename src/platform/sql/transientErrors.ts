// Classifies transient failures: Postgres restarts, is overloaded, is being failed over, or picked this transaction as a deadlock's victim.
import { Cause } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** SQLSTATEs of operator intervention, exhausted resources, lost connections, standby only; the driver leaves some of them unclassified. */
const PASSING = /^(?:57|53|08|25P03|25006)/
/** SQLSTATEs after which the outcome of the statement in flight is unknown. */
const LOST = /^(?:57P|08)/

/** Seconds to wait, as told to callers that are refused meanwhile. */
export const TRANSIENT_RETRY_SECONDS = 1

/** SQLSTATE from Postgres or a pooler; empty if there is none. */
export const codeOf = (error: SqlError): string => {
  const cause = error.reason.cause as { readonly code?: unknown } | undefined
  return typeof cause?.code === "string" ? cause.code : ""
}

export const isTransient = (error: unknown): error is SqlError =>
  isSqlError(error) && (error.isRetryable || PASSING.test(codeOf(error)))

/** True if the connection ended before the answer came: the statement may have been carried out. */
export const isLost = (error: unknown): boolean =>
  isSqlError(error) && (error.reason._tag === "ConnectionError" || LOST.test(codeOf(error)))

/** True if the connection was lost while the statement was in flight. A failure to connect has carried out nothing. */
export const mayBeDone = (error: unknown): error is SqlError =>
  isSqlError(error) && isLost(error) && error.reason.operation !== "connect"

/** True if an effect failed, or died, because the database is away. */
export const isTransientIn = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) =>
    Cause.isFailReason(reason) ? isTransient(reason.error) : Cause.isDieReason(reason) && isTransient(reason.defect)
  )

/** Cause for a log line: brief if the database is away, complete otherwise. */
export const inBrief = (cause: Cause.Cause<unknown>): unknown => {
  const error = Cause.squash(cause)
  return isTransient(error)
    ? `Postgres: ${error.reason._tag} ${codeOf(error)} ${error.reason.message ?? ""}`.trimEnd()
    : error
}
