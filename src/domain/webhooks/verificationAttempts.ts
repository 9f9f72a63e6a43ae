// Stores the latest attempts to send a hook's code (decisions W14), so that a wrong port or certificate can be seen. Never the code: an
// answer that echoes the request would verify any address, so every spelling of the code is removed from what is shown.
import { Effect, Schema } from "effect"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import type { AttemptOutcome } from "./attempt.ts"
import { shownOutcome } from "./Delivery.ts"

export const VerificationAttempt = Schema.Struct({
  attempted_on: Schema.String,
  ...shownOutcome
}).annotate({ identifier: "VerificationAttempt" })
export type VerificationAttempt = typeof VerificationAttempt.Type

/** Kept for each hook. */
const KEPT = 10

const Row = Schema.Struct({ ...VerificationAttempt.fields, attempted_on: Schema.Date })

/** Plain, as hexadecimal digits, and as base64 at each of its three alignments. */
const spellings = (code: string): ReadonlyArray<string> => {
  const bytes = Buffer.from(code)
  const inBase64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64")
    // Drops the characters at both ends, which depend on the neighbouring bytes.
    return text.slice(Math.ceil((shift * 4) / 3), -4)
  })
  return [
    code,
    bytes.toString("hex"),
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))
  ]
}

/** Answer without the code; none for a 2xx, whose text nobody needs. */
export const withoutCode = ({ body, ok }: Pick<AttemptOutcome, "body" | "ok">, code: string): string | null => {
  if (ok || body === null) return null
  return spellings(code).reduce((text, spelling) => text.replaceAll(spelling, "…"), body)
}

export const makeVerificationAttempts = Effect.gen(function* () {
  const sql = yield* Sql

  const keep = (hookId: number, outcome: AttemptOutcome, code: string) => sql`
    WITH kept AS (
      INSERT INTO hook_verifications (hook_id, attempted_on, status_code, latency_ms, error, response_body)
      SELECT hook_id, ${outcome.attemptedOn}, ${outcome.status}, ${Math.round(outcome.latencyMillis)}, ${outcome.error},
        ${withoutCode(outcome, code)}
      FROM hooks WHERE hook_id = ${hookId} FOR KEY SHARE
    )
    DELETE FROM hook_verifications v WHERE v.hook_id = ${hookId} AND v.attempt_id NOT IN (
      SELECT attempt_id FROM hook_verifications WHERE hook_id = ${hookId} ORDER BY attempt_id DESC LIMIT ${KEPT - 1})`

  /** The newest first. */
  const list = (hookId: number) =>
    Effect.map(
      rowsOf(Row)(sql`
        SELECT attempted_on, status_code, latency_ms, error, response_body FROM hook_verifications
        WHERE hook_id = ${hookId} ORDER BY attempt_id DESC`),
      (rows) => rows.map((row): VerificationAttempt => ({ ...row, attempted_on: formatDateTime(row.attempted_on) }))
    )

  return { keep, list }
})
