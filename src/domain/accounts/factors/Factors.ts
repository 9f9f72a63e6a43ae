// Second steps of a person: set up, listed, checked, removed, reset (decisions, "The second step"). The last one takes the recovery codes along.
import { Context, Effect, Layer } from "effect"
import { AuditLog } from "../../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../../platform/config/Config.ts"
import { Conflict, NotFound, type ValidationError } from "../../../platform/primitives/errors.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { endSessions } from "../endSessions.ts"
import { type AskingOrg, askingOf } from "../factorPolicy.ts"
import type { Person } from "../People.ts"
import { makeEnrolment } from "./enrolment.ts"
import { makeFactorChecks, type StepAnswer } from "./factorChecks.ts"
import { type FactorOwner, makeFactorLocks } from "./factorLocks.ts"
import { makeFactorNews } from "./factorMails.ts"
import { type Factor, makeFactorRows } from "./factorRows.ts"
import { authenticationOptions, siteOf } from "./passkeys.ts"

export interface OwnFactors {
  readonly factors: ReadonlyArray<Factor>
  readonly codesLeft: number
  /** Organizations that ask for a second step, now or from a day on. */
  readonly asking: ReadonlyArray<AskingOrg>
}

/** Options that the browser's script passes to its passkey call. */
export interface Asked {
  readonly challenge: string
}

/** Recovery codes, if it was the first second step: shown once. */
type Added = ReadonlyArray<string> | undefined

/** Author of a reset, for the mail to the person and for the audit log. */
export interface ResetBy {
  readonly words: string
  readonly orgId?: number
  readonly details: Readonly<Record<string, unknown>>
}

export class Factors extends Context.Service<
  Factors,
  {
    readonly of: (personId: number) => Effect.Effect<OwnFactors>
    /** True if this service can have passkeys: it needs a host name, and https unless it runs on the reader's own machine. */
    readonly passkeysPossible: boolean
    readonly addTotp: (
      owner: FactorOwner,
      name: string,
      secret: string,
      code: string
    ) => Effect.Effect<Added, ValidationError | Conflict>
    readonly askToRegister: (person: Person) => Effect.Effect<Asked, ValidationError>
    /** @param challenge sent to the browser; undefined if it has expired */
    readonly addPasskey: (
      owner: FactorOwner,
      name: string,
      challenge: string | undefined,
      answer: string
    ) => Effect.Effect<Added, ValidationError | Conflict>
    /** Undefined for who has no passkey. */
    readonly askToSign: (personId: number) => Effect.Effect<Asked | undefined>
    readonly check: (person: Person, answer: StepAnswer) => Effect.Effect<boolean>
    readonly remove: (owner: FactorOwner, factorId: number) => Effect.Effect<Factor, NotFound | Conflict>
    readonly newCodes: (owner: FactorOwner) => Effect.Effect<ReadonlyArray<string>, Conflict>
    /** Removes every second step and every session of the person, on behalf of somebody else. Returns the number of second steps. */
    readonly reset: (person: Person, by: ResetBy) => Effect.Effect<number>
  }
>()("millrace/accounts/Factors") {
  static readonly layer = Layer.effect(
    Factors,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog
      const rows = yield* makeFactorRows
      const { locked, lockedBy, replaceCodes } = yield* makeFactorLocks
      const tell = yield* makeFactorNews
      const site = siteOf((yield* AppConfig).baseUrl)

      const factorsOf = Effect.fn("Factors.of")(function* (personId: number) {
        const [factors, codesLeft, asking] = yield* Effect.all([
          rows.list(personId),
          rows.codesLeft(personId),
          askingOf(sql, personId)
        ])
        return { factors, codesLeft, asking }
      }, orSqlDefect)

      const askToSign = Effect.fn("Factors.askToSign")(function* (personId: number) {
        const passkeys = yield* rows.passkeys(personId)
        return site === undefined || passkeys.length === 0 ? undefined : yield* authenticationOptions(site, passkeys)
      }, orSqlDefect)

      const remove = Effect.fn("Factors.remove")(
        function* (owner: FactorOwner, factorId: number) {
          const personId = owner.person.person_id
          const present = yield* lockedBy(owner)
          const factor = present.find(({ factor_id }) => factor_id === factorId)
          if (factor === undefined) return yield* new NotFound({ message: "It was removed already." })
          const isLast = present.length === 1
          const [asking] = isLast ? yield* askingOf(sql, personId) : []
          if (asking !== undefined)
            return yield* new Conflict({ message: `${asking.name} asks for a second step. Add another one first.` })
          yield* sql`DELETE FROM factors WHERE factor_id = ${factorId}`
          if (isLast) yield* sql`DELETE FROM recovery_codes WHERE person_id = ${personId}`
          yield* audit.record({
            event: "person.factor_removed",
            personId,
            details: { kind: factor.kind, last: isLast }
          })
          yield* tell({ person_id: personId }, { type: "removed", name: factor.name, last: isLast })
          return factor
        },
        sql.withTransaction,
        orSqlDefect
      )

      const newCodes = Effect.fn("Factors.newCodes")(
        function* (owner: FactorOwner) {
          const { person } = owner
          const present = yield* lockedBy(owner)
          if (present.length === 0) return yield* new Conflict({ message: "Set up a second step first." })
          yield* tell(person, { type: "new_codes" })
          return yield* replaceCodes(person.person_id)
        },
        sql.withTransaction,
        orSqlDefect
      )

      const reset = Effect.fn("Factors.reset")(
        function* ({ person_id: personId }: Person, { details, orgId, words }: ResetBy) {
          yield* locked(personId)
          const deletedRows = yield* sql`DELETE FROM factors WHERE person_id = ${personId} RETURNING 1`
          yield* sql`DELETE FROM recovery_codes WHERE person_id = ${personId}`
          yield* endSessions(sql, personId)
          const auditDetails = { ...details, factors: deletedRows.length }
          yield* audit.record({ event: "person.factors_reset", orgId, personId, details: auditDetails })
          yield* tell({ person_id: personId }, { type: "reset", by: words })
          return deletedRows.length
        },
        sql.withTransaction,
        orSqlDefect
      )

      return Factors.of({
        of: factorsOf,
        passkeysPossible: site !== undefined,
        ...(yield* makeEnrolment),
        askToSign,
        check: yield* makeFactorChecks,
        remove,
        newCodes,
        reset
      })
    })
  )
}
