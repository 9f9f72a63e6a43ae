// Checks if DATABASE_URL leads through a pooler in transaction mode, and if whatever such a pooler does not carry takes another connection
// (docs/operations.md, "Behind PgBouncer"). It tries this out: an address does not tell what stands behind it.
import { randomBytes } from "node:crypto"
import { PgConnection } from "@effect/sql-pg"
import { Effect, Queue, Result } from "effect"
import { directAddressOf } from "../../../platform/sql/directAddress.ts"
import { listen } from "../../../platform/sql/listen.ts"
import { PgSql } from "../../../platform/sql/Sql.ts"
import { codeOf } from "../../../platform/sql/transientErrors.ts"
import { check, fine, wrong } from "./Diagnosis.ts"

const DIRECT = "Set DATABASE_DIRECT_URL to the address of Postgres itself, of the same database and role."
const HEARD_WITHIN = "3 seconds"

/** Checks wake-ups as the service uses them: listens at the direct address, and notifies over the pool. */
const notifications = Effect.gen(function* () {
  const sql = yield* PgSql
  const named = directAddressOf(sql) !== sql.config.url
  const channel = `millrace_doctor_${randomBytes(6).toString("hex")}`
  const heard = yield* Effect.scoped(
    Effect.gen(function* () {
      const queue = yield* listen(sql, channel)
      yield* sql.notify(channel, "")
      return yield* Queue.take(queue).pipe(Effect.timeout(HEARD_WITHIN), Effect.isSuccess)
    })
  )
  if (heard) return fine(named ? "come through at DATABASE_DIRECT_URL" : "come through")
  return named
    ? wrong(
        "do not come through: DATABASE_DIRECT_URL leads through a pooler as well, or to another database than DATABASE_URL",
        DIRECT
      )
    : wrong("do not come through: DATABASE_URL leads through a pooler in transaction mode", DIRECT)
})

const ASKED = "SELECT pg_backend_pid()"
const UNKNOWN_NAME = "26000"
const TRIES = 5

const pidOf = (connection: PgConnection.PgConnection, prepared: boolean) =>
  Effect.map(connection.queryValues(ASKED, [], prepared), ([row]) => Number(row?.[0]))

/**
 * Tells what becomes of a prepared statement when the pooler gives a client another server process. One connection prepares a statement,
 * another takes the server process away from it, if it can, and the first executes the statement again: in a transaction, where no layer
 * retries a failure. Answers "stays" if the client kept its server process.
 */
const moved = Effect.fnUntraced(function* (one: PgConnection.PgConnection, other: PgConnection.PgConnection) {
  const pidBefore = yield* pidOf(one, true)
  yield* other.query("BEGIN", [], false)
  yield* pidOf(other, false)
  yield* one.query("BEGIN", [], false)
  const pidAfter = yield* Effect.result(pidOf(one, true))
  yield* one.query("ROLLBACK", [], false)
  yield* other.query("ROLLBACK", [], false)
  if (Result.isSuccess(pidAfter)) return pidAfter.success === pidBefore ? "stays" : "carried"
  return codeOf(pidAfter.failure) === UNKNOWN_NAME ? "lost" : yield* Effect.fail(pidAfter.failure)
})

const pooler = Effect.gen(function* () {
  const { config } = yield* PgSql
  const connect = PgConnection.make({ ...config, multiplex: false })
  const tries = Effect.gen(function* () {
    const [one, other] = yield* Effect.all([connect, connect])
    for (let triesLeft = TRIES; triesLeft > 0; triesLeft--) {
      const tryOutcome = yield* moved(one, other)
      if (tryOutcome !== "stays") return tryOutcome
    }
    return "stays"
  })
  const outcome = yield* Effect.scoped(tries)
  if (outcome === "stays") return fine("none in transaction mode: a connection keeps its server process")
  const summary = "DATABASE_URL leads through one in transaction mode"
  return outcome === "carried"
    ? fine(`${summary}, which carries prepared statements`)
    : wrong(
        `${summary}, which loses prepared statements: transactions fail`,
        "PgBouncer 1.21 or newer, with max_prepared_statements = 200."
      )
})

const AGAIN = "See the message, and docs/operations.md."
export const poolerChecks = [
  check("postgres", "notifications", notifications, DIRECT),
  check("postgres", "pooler", pooler, AGAIN)
]
