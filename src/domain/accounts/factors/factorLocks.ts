// Locks a person's second steps for a change, and renews their recovery codes (decisions, "The second step"). Whoever changes them must be
// signed in until then.
import { Effect } from "effect"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { Conflict } from "../../../platform/primitives/errors.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { Person } from "../People.ts"
import { makeFactorRows } from "./factorRows.ts"
import { CODES, hashOfCode, newCodes } from "./recoveryCodes.ts"

/** Person who changes their second steps, and the session that they use. */
export interface FactorOwner {
  readonly person: Person
  readonly sessionId: number
}

export const makeFactorLocks = Effect.gen(function* () {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const rows = yield* makeFactorRows

  /** The person's row is the lock. */
  const locked = Effect.fnUntraced(function* (personId: number) {
    yield* sql`SELECT 1 FROM people WHERE person_id = ${personId} FOR UPDATE`
    return yield* rows.list(personId)
  })

  /** Locks for the person themselves. A change of the password takes the same lock, so if it has ended this session, this is seen. */
  const lockedBy = Effect.fnUntraced(function* ({ person: { person_id: personId }, sessionId }: FactorOwner) {
    const heldFactors = yield* locked(personId)
    const session = yield* sql`SELECT 1 FROM sessions WHERE session_id = ${sessionId} AND person_id = ${personId}`
    return session.length > 0
      ? heldFactors
      : yield* new Conflict({ message: "You were signed out meanwhile. Sign in again." })
  })

  const replaceCodes = Effect.fnUntraced(function* (personId: number) {
    const codes = newCodes()
    const hashes = codes.map((code) => Buffer.from(hashOfCode(code)!).toString("hex"))
    yield* sql`DELETE FROM recovery_codes WHERE person_id = ${personId}`
    yield* sql`
      INSERT INTO recovery_codes (person_id, code_hash)
      SELECT ${personId}::bigint, decode(h, 'hex') FROM unnest(${hashes}::text[]) h`
    yield* audit.record({ event: "person.recovery_codes_made", personId, details: { codes: CODES } })
    return codes
  })

  return { locked, lockedBy, replaceCodes }
})
