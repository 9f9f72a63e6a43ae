// Passwords of people in the database: set, changed, verified, and rehashed with today's parameters (decisions O9, O12). The new password,
// the end of the sessions that the former one began, and the audit entry are one transaction.
import { DateTime, Effect, Schema } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { ValidationError } from "../../platform/primitives/errors.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { transact } from "../../platform/sql/transact.ts"
import { endSessions } from "./endSessions.ts"
import type { Turn } from "./passwordSlots.ts"
import { hashPassword, hashPasswordInTurn, isDated, maximumLength, minimumLength, verifyPassword } from "./passwords.ts"

/** Person whose password was right, and the time at which it was set: another may be set by now. */
export interface Proven {
  readonly person_id: number
  readonly email: string
  readonly name: string
  readonly password_set: string | null
}

const PasswordHolder = Schema.Struct({
  person_id: Schema.Int,
  email: Schema.String,
  name: Schema.String,
  password_hash: Schema.NullOr(Schema.String),
  password_set: Schema.NullOr(Schema.String)
})

/** Time at which the password of `people` was set, for later comparison; rehashing does not change it. */
const passwordSet = "extract(epoch FROM password_set_on)::text"

/** Condition that the proven password is still set: no other one was set since, and the person was not erased. */
export const stillSet = (sql: Sql, { password_set }: Pick<Proven, "password_set">) =>
  sql`(password_hash IS NOT NULL AND ${sql.literal(passwordSet)} IS NOT DISTINCT FROM ${password_set}::text)`

export const makeStoredPasswords = Effect.gen(function* () {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const currentTime = Effect.map(DateTime.now, DateTime.toDate)

  const checkLength = (password: string) =>
    password.length < minimumLength || password.length > maximumLength
      ? Effect.fail(new ValidationError({ message: `password: ${minimumLength} to ${maximumLength} characters.` }))
      : Effect.void

  /**
   * Stores a hash. False if `former` had to be in force, and another password was set meanwhile.
   * @param kept session that continues
   */
  const store = Effect.fnUntraced(function* (
    personId: number,
    hash: string,
    by: "link" | "invitation" | "change" | "operator",
    former?: Proven,
    kept: number | null = null
  ) {
    const set = yield* sql`
      UPDATE people SET password_hash = ${hash}, password_set_on = ${yield* currentTime}
      WHERE person_id = ${personId} AND ${former === undefined ? sql`true` : stillSet(sql, former)} RETURNING 1`
    if (set.length === 0) return false
    yield* endSessions(sql, personId, kept)
    yield* audit.record({ event: "person.password_set", personId, details: { by } })
    return true
  }, transact(sql))

  const setPassword = Effect.fn("People.setPassword")(function* (personId: number, password: string) {
    yield* checkLength(password)
    yield* store(personId, yield* hashPassword(password), "operator")
  }, orSqlDefect)

  const changePassword = Effect.fn("People.changePassword")(function* (
    proven: Proven,
    password: string,
    turn: Turn,
    sessionId: number
  ) {
    yield* checkLength(password)
    return yield* store(proven.person_id, yield* hashPasswordInTurn(password, turn), "change", proven, sessionId)
  }, orSqlDefect)

  /** Rehashes a password that was just verified. Without a free slot this is left for another time. */
  const renew = Effect.fnUntraced(
    function* (personId: number, password: string, stored: string, turn: Turn) {
      const hash = yield* hashPasswordInTurn(password, turn)
      yield* sql`UPDATE people SET password_hash = ${hash} WHERE person_id = ${personId} AND password_hash = ${stored}`
    },
    Effect.catchTag("PlacesFull", () => Effect.void)
  )

  const signIn = Effect.fn("People.signIn")(function* (email: string, given: string, turn: Turn) {
    const password = given.slice(0, maximumLength)
    const row = yield* rowOf(PasswordHolder)(sql`
        SELECT person_id, email, name, password_hash, ${sql.literal(passwordSet)} AS password_set FROM people WHERE lower(email) = lower(${email.trim()})`)
    const storedHash = row?.password_hash ?? null
    const right = yield* verifyPassword(password, storedHash, turn)
    if (!right || row === undefined || storedHash === null) return null
    if (isDated(storedHash)) yield* renew(row.person_id, password, storedHash, turn)
    yield* sql`UPDATE people SET last_sign_in_on = ${yield* currentTime} WHERE person_id = ${row.person_id}`
    // A user who was added without an invitation becomes active with the first sign-in (developer-api.md 2.1); others accept theirs (11.5).
    yield* sql`
      UPDATE users SET status = 'active' WHERE person_id = ${row.person_id} AND status = 'invited'
        AND NOT EXISTS (SELECT 1 FROM invitations i WHERE i.user_id = users.user_id)`
    return { person_id: row.person_id, email: row.email, name: row.name, password_set: row.password_set }
  }, orSqlDefect)

  return { checkLength, store, setPassword, changePassword, signIn }
})
