// Failures that pass: Postgres restarts, is overloaded, or picked this transaction as a deadlock's victim.
import { Cause } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** Operator intervention, resources used up, connection lost; the driver leaves some of them unclassified. */
const PASSING = /^(?:57|53|08|25P03)/

const codeOf = (error: SqlError): string => {
  const cause = error.reason.cause as { readonly code?: unknown } | undefined
  return typeof cause?.code === "string" ? cause.code : ""
}

export const isAway = (error: unknown): error is SqlError =>
  isSqlError(error) && (error.isRetryable || PASSING.test(codeOf(error)))

/** For a log line: a database that is away in a few words, anything else whole. */
export const inBrief = (cause: Cause.Cause<unknown>): unknown => {
  const error = Cause.squash(cause)
  return isAway(error)
    ? `Postgres: ${error.reason._tag} ${codeOf(error)} ${error.reason.message ?? ""}`.trimEnd()
    : error
}
