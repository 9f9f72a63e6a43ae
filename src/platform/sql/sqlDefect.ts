// Turns database errors into defects at a service's boundary, the only one where this happens. A service promises the failures of its
// domain, and a database that is away or refuses a statement is none of them. The outer edges recognize the defect: an entry point reports
// that storage fails (decisions O10), an actor waits until it is back (./transientErrors.ts).
import { Cause, Effect } from "effect"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

/** Turns the database errors of a service's methods into defects. */
export const orSqlDefect = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, Exclude<E, SqlError>, R> =>
  Effect.catchIf(self, isSqlError, Effect.die) as Effect.Effect<A, Exclude<E, SqlError>, R>

/** Database error that a failed effect died of. */
export const sqlDefectIn = (cause: Cause.Cause<unknown>): SqlError | undefined =>
  cause.reasons
    .filter(Cause.isDieReason)
    .map(({ defect }) => defect)
    .find(isSqlError)

/** Turns the defect back into an error, so that a caller can wait for the database. */
export const recoverSqlDefect = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | SqlError, R> =>
  Effect.catchCause(self, (cause): Effect.Effect<A, E | SqlError> => {
    const died = sqlDefectIn(cause)
    return died === undefined ? Effect.failCause(cause) : Effect.fail(died)
  })
