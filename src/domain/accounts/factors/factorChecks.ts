// The second step itself (decisions, "The second step"): a code of an authenticator app, a passkey's answer, a recovery code. Each is good once, by
// one statement, so that of two that come at the same time one is refused.
import { Clock, Effect } from "effect"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { Secrets } from "../../../platform/sealing/Secrets.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import type { Person } from "../People.ts"
import { makeFactorNews } from "./factorMails.ts"
import { makeFactorRows, secretContext } from "./factorRows.ts"
import { answered, siteOf } from "./passkeys.ts"
import { hashOfCode } from "./recoveryCodes.ts"
import { stepOf } from "./totp.ts"

export type StepAnswer =
  | { readonly type: "totp"; readonly text: string }
  | { readonly type: "recovery_code"; readonly text: string }
  /** @property challenge sent to the browser; undefined if there was none, or it has expired */
  | { readonly type: "passkey"; readonly text: string; readonly challenge: string | undefined }

/** Authentication methods (RFC 8176) of a sign-in: a password and, unless undefined, this second step. */
export const methodsOf = (answer: StepAnswer["type"] | undefined): ReadonlyArray<string> => {
  switch (answer) {
    case undefined:
      return ["pwd"]
    case "totp":
      return ["pwd", "otp", "mfa"]
    case "passkey":
      return ["pwd", "pop", "mfa"]
    case "recovery_code":
      return ["pwd", "mfa"]
  }
}

export const makeFactorChecks = Effect.gen(function* () {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const secrets = yield* Secrets
  const rows = yield* makeFactorRows
  const tell = yield* makeFactorNews
  const site = siteOf((yield* AppConfig).baseUrl)

  const totp = Effect.fnUntraced(function* ({ person_id }: Person, text: string) {
    const nowMillis = yield* Clock.currentTimeMillis
    const matching: Array<{ readonly id: string; readonly step: string }> = []
    for (const { factor_id, secret } of yield* rows.totps(person_id)) {
      const plainSecret = yield* Effect.orDie(secrets.decrypt(secret, secretContext(person_id)))
      const step = stepOf(plainSecret, text, nowMillis)
      if (step !== undefined) matching.push({ id: String(factor_id), step: String(step) })
    }
    if (matching.length === 0) return "wrong"
    // An app may stand there twice, with one secret: a code that was used for either is used.
    const used = yield* sql`
      UPDATE factors f SET last_step = m.step, last_used_on = ${new Date(nowMillis)}
      FROM unnest(${matching.map(({ id }) => id)}::text[]::bigint[], ${matching.map(({ step }) => step)}::text[]::bigint[]) AS m (id, step)
      WHERE f.factor_id = m.id AND (f.last_step IS NULL OR f.last_step < m.step) RETURNING 1`
    return used.length === matching.length ? undefined : "replayed"
  })

  const recovery = Effect.fnUntraced(function* (person: Person, text: string) {
    const hash = hashOfCode(text)
    if (hash === undefined) return "wrong"
    const used = yield* sql`
      UPDATE recovery_codes SET used_on = ${new Date(yield* Clock.currentTimeMillis)}
      WHERE person_id = ${person.person_id} AND code_hash = ${hash} AND used_on IS NULL RETURNING 1`
    if (used.length === 0) return "wrong"
    const codesLeft = yield* rows.codesLeft(person.person_id)
    yield* audit.record({
      event: "person.recovery_code_used",
      personId: person.person_id,
      details: { left: codesLeft }
    })
    yield* tell(person, { type: "code_used", left: codesLeft })
    return undefined
  }, sql.withTransaction)

  const passkey = Effect.fnUntraced(
    function* ({ person_id }: Person, text: string, challenge: string | undefined) {
      if (site === undefined || challenge === undefined) return "not asked for"
      const assertion = yield* answered(site, challenge, text, yield* rows.passkeys(person_id))
      // A counter that does not increase belongs to a copied key (WebAuthn 6.1.1); keys without a counter always send 0.
      const used = yield* sql`
        UPDATE factors SET counter = ${assertion.counter}, last_used_on = ${new Date(yield* Clock.currentTimeMillis)}
        WHERE factor_id = ${assertion.passkey.factor_id} AND (counter < ${assertion.counter} OR (counter = 0 AND ${assertion.counter} = 0))
        RETURNING 1`
      return used.length === 1 ? undefined : "cloned"
    },
    Effect.catchTag("PasskeyRefused", ({ why }) => Effect.succeed(why.slice(0, 200)))
  )

  /** True if the answer is the person's second step; the audit log records wrong answers. */
  return Effect.fn("Factors.check")(function* (person: Person, answer: StepAnswer) {
    const { text, type } = answer
    const why = yield* type === "totp"
      ? totp(person, text)
      : type === "recovery_code"
        ? recovery(person, text)
        : passkey(person, text, answer.challenge)
    if (why === undefined) return true
    yield* audit.record({
      event: "person.second_step_failed",
      personId: person.person_id,
      details: { method: type, why }
    })
    return false
  }, orSqlDefect)
})
