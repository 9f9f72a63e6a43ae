// Failures that pass: Postgres restarts, is overloaded, is being failed over, or picked this transaction as a deadlock's victim.
import { Cause } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** Operator intervention, resources used up, connection lost, only a standby left; the driver leaves some of them unclassified. */
const PASSING = /^(?:57|53|08|25P03|25006)/
/** Those after which nobody knows what became of the statement that was under way. */
const LOST = /^(?:57P|08)/

/** What whoever is turned away meanwhile is told to wait, in seconds. */
export const AWAY_RETRY_SECONDS = 1

/** As Postgres or a pooler gave it; empty where there is none. */
export const codeOf = (error: SqlError): string => {
  const cause = error.reason.cause as { readonly code?: unknown } | undefined
  return typeof cause?.code === "string" ? cause.code : ""
}

export const isAway = (error: unknown): error is SqlError =>
  isSqlError(error) && (error.isRetryable || PASSING.test(codeOf(error)))

/** The connection ended before the answer came: what was asked for may have been done. */
export const isLost = (error: unknown): boolean =>
  isSqlError(error) && (error.reason._tag === "ConnectionError" || LOST.test(codeOf(error)))

/** As `isLost`, and the statement was on its way: a connection that did not come about has carried out nothing. */
export const mayBeDone = (error: unknown): error is SqlError =>
  isSqlError(error) && isLost(error) && error.reason.operation !== "connect"

/** Whether an effect failed, or died, because the database is away. */
export const isAwayIn = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) =>
    Cause.isFailReason(reason) ? isAway(reason.error) : Cause.isDieReason(reason) && isAway(reason.defect)
  )

/** For a log line: a database that is away in a few words, anything else whole. */
export const inBrief = (cause: Cause.Cause<unknown>): unknown => {
  const error = Cause.squash(cause)
  return isAway(error)
    ? `Postgres: ${error.reason._tag} ${codeOf(error)} ${error.reason.message ?? ""}`.trimEnd()
    : error
}
