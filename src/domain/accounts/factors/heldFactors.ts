// What a person holds, locked while it changes, and their recovery codes made anew (decisions, "The second step"). Who changes it is signed in until then.
import { Effect } from "effect"
import { AuditLog } from "../../../ground/audit/AuditLog.ts"
import { Conflict } from "../../../ground/primitives/errors.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import type { Person } from "../People.ts"
import { makeFactorRows } from "./factorRows.ts"
import { CODES, hashOfCode, newCodes } from "./recoveryCodes.ts"

/** Who changes it, and where they are signed in. */
export interface FactorOwner {
  readonly person: Person
  readonly sessionId: number
}

export const makeHeldFactors = Effect.gen(function* () {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const rows = yield* makeFactorRows

  /** The person's row is the lock. */
  const locked = Effect.fnUntraced(function* (personId: number) {
    yield* sql`SELECT 1 FROM people WHERE person_id = ${personId} FOR UPDATE`
    return yield* rows.list(personId)
  })

  /** By the person. Whoever sets another password holds the lock as well: the end of this session has been waited for, and is seen. */
  const lockedBy = Effect.fnUntraced(function* ({ person: { person_id: personId }, sessionId }: FactorOwner) {
    const held = yield* locked(personId)
    const session = yield* sql`SELECT 1 FROM sessions WHERE session_id = ${sessionId} AND person_id = ${personId}`
    return session.length > 0 ? held : yield* new Conflict({ message: "You were signed out meanwhile. Sign in again." })
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
