// Sets up a second step (decisions, "The second step"): it counts when it has been shown to work. The first one brings recovery codes, and
// ends the sessions that began with the password alone.
import { Clock, Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { Conflict, ValidationError } from "../../../platform/primitives/errors.ts"
import { Secrets } from "../../../platform/sealing/Secrets.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { endSessions } from "../endSessions.ts"
import type { Person } from "../People.ts"
import { type FactorOwner, makeFactorLocks } from "./factorLocks.ts"
import { makeFactorNews } from "./factorMails.ts"
import { type FactorKind, makeFactorRows, most, secretContext } from "./factorRows.ts"
import { registered, registrationOptions, siteOf } from "./passkeys.ts"
import { stepOf } from "./totp.ts"

interface New {
  readonly kind: FactorKind
  readonly name: string
  /** Inserts it under the person's lock. Returns no row if it is set up already. */
  readonly insert: Effect.Effect<ReadonlyArray<object>, SqlError>
}

const present: Readonly<Record<FactorKind, string>> = {
  totp: "This app is set up already. Recovery codes that you have not seen are made anew under Two-step sign-in.",
  passkey: "This passkey is in use already."
}

const validationError = (message: string) => new ValidationError({ message })
const nowhere = validationError("Passkeys need an address with a name, by https.")

export const makeEnrolment = Effect.gen(function* () {
  const sql = yield* Sql
  const audit = yield* AuditLog
  const secrets = yield* Secrets
  const rows = yield* makeFactorRows
  const { lockedBy, replaceCodes } = yield* makeFactorLocks
  const tell = yield* makeFactorNews
  const site = siteOf((yield* AppConfig).baseUrl)
  const currentTime = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

  const add = Effect.fnUntraced(
    function* (owner: FactorOwner, { insert, kind, name }: New) {
      const personId = owner.person.person_id
      const former = yield* lockedBy(owner)
      if (former.filter((factor) => factor.kind === kind).length >= most[kind])
        return yield* new Conflict({
          message: `You have ${most[kind]} of this kind, which is the most. Remove one first.`
        })
      if ((yield* insert).length === 0) return yield* new Conflict({ message: present[kind] })
      yield* audit.record({ event: "person.factor_added", personId, details: { kind } })
      yield* tell({ person_id: personId }, { type: "added", name, first: former.length === 0 })
      if (former.length > 0) return undefined
      yield* endSessions(sql, personId, owner.sessionId)
      return yield* replaceCodes(personId)
    },
    sql.withTransaction,
    orSqlDefect
  )

  const addTotp = Effect.fn("Factors.addTotp")(function* (
    owner: FactorOwner,
    name: string,
    secret: string,
    code: string
  ) {
    const nowDate = yield* currentTime
    const step = stepOf(secret, code, nowDate.getTime())
    if (step === undefined)
      return yield* validationError("This is not the code that the app shows now. Try the next one.")
    const { person_id } = owner.person
    const sealed = secrets.encrypt(secret, secretContext(person_id))
    const insert = Effect.gen(function* () {
      // Rejects a form that was sent twice: the same secret twice would accept each code twice.
      for (const other of yield* rows.totps(person_id))
        if ((yield* Effect.orDie(secrets.decrypt(other.secret, secretContext(person_id)))) === secret) return []
      return yield* sql`
        INSERT INTO factors (person_id, kind, name, secret, last_step, created_on)
        VALUES (${person_id}, 'totp', ${name}, ${sealed}, ${step}, ${nowDate}) RETURNING 1`
    })
    return yield* add(owner, { kind: "totp", name, insert })
  })

  const askToRegister = Effect.fn("Factors.askToRegister")(function* (person: Person) {
    if (site === undefined) return yield* nowhere
    return yield* registrationOptions(site, person, yield* orSqlDefect(rows.passkeys(person.person_id)))
  })

  const addPasskey = Effect.fn("Factors.addPasskey")(function* (
    owner: FactorOwner,
    name: string,
    challenge: string | undefined,
    answer: string
  ) {
    if (site === undefined) return yield* nowhere
    if (challenge === undefined) return yield* validationError("That took too long. Try again.")
    const key = yield* Effect.mapError(registered(site, challenge, answer), () =>
      validationError("The passkey was not accepted. Try again.")
    )
    const transports = (key.transports ?? []).filter((text) => /^[a-z-]{1,20}$/.test(text)).slice(0, 10)
    const insert = sql`
      INSERT INTO factors (person_id, kind, name, credential_id, public_key, counter, transports, created_on)
      VALUES (${owner.person.person_id}, 'passkey', ${name}, ${key.id}, ${key.publicKey}, ${key.counter},
        ${transports}::text[], ${yield* currentTime})
      ON CONFLICT (credential_id) DO NOTHING RETURNING 1`
    return yield* add(owner, { kind: "passkey", name, insert })
  })

  return { addTotp, askToRegister, addPasskey }
})
