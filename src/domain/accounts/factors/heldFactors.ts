// What a person holds, locked while it changes, and their recovery codes made anew (decisions, "The second step").
import { Effect } from "effect"
import { AuditLog } from "../../../ground/audit/AuditLog.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { makeFactorRows } from "./factorRows.ts"
import { CODES, hashOfCode, newCodes } from "./recoveryCodes.ts"

export const makeHeldFactors = Effect.gen(function* () {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const rows = yield* makeFactorRows

  /** The person's row is the lock. */
  const locked = Effect.fnUntraced(function* (personId: number) {
    yield* sql`SELECT 1 FROM people WHERE person_id = ${personId} FOR UPDATE`
    return yield* rows.list(personId)
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

  return { locked, replaceCodes }
})
