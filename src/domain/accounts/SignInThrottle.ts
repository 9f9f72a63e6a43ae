// Throttles guesses: counts failed sign-ins and requested links across all processes, for the person that the database finds for the typed
// address, and for the source (decisions O12, O22). A browser in which the person has signed in before has its own counter, which guesses
// from elsewhere do not use up. Successful attempts are uncounted, so that a busy office is not shut out. Codes of a second step are short,
// so they are also counted by the day.
import { Context, Effect, Layer } from "effect"
import { SourceAddress } from "../../platform/audit/AuditLog.ts"
import { sourceKey } from "../../platform/fairness/sourceAddress.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { countInWindow, windowKey } from "./countInWindow.ts"

const minute = 60_000

/** Failures allowed in a window that begins with the first. */
export const throttles = {
  person: { max: 10, windowMillis: 15 * minute },
  browser: { max: 10, windowMillis: 15 * minute },
  address: { max: 100, windowMillis: 15 * minute },
  code: { max: 10, windowMillis: 15 * minute },
  codesOfDay: { max: 30, windowMillis: 24 * 60 * minute },
  recovery: { max: 10, windowMillis: 15 * minute },
  linkPerson: { max: 3, windowMillis: 60 * minute },
  linkBrowser: { max: 3, windowMillis: 60 * minute },
  linkAddress: { max: 30, windowMillis: 60 * minute }
} as const
type Kind = keyof typeof throttles

/** Counters of a guess at a second step. Passkeys have none: their answers cannot be guessed, so nobody should have to wait for one. */
const counting = {
  totp: ["code", "codesOfDay"],
  recovery_code: ["recovery"],
  passkey: []
} as const satisfies Record<string, ReadonlyArray<Kind>>
export type SecondStep = keyof typeof counting

export interface Guess {
  /** Key of the person, as the database has it (`People.meant`): equal for every spelling. */
  readonly person: string
  /** The browser, when it is known to be this person's (KnownBrowsers.ts). */
  readonly browser: string | undefined
}

export class SignInThrottle extends Context.Service<
  SignInThrottle,
  {
    /** Counts an attempt beforehand, so that parallel ones count too; false when it may not be made. */
    readonly attempt: (guess: Guess) => Effect.Effect<boolean>
    /** An attempt that succeeded, or was not made after all. */
    readonly giveBack: (guess: Guess) => Effect.Effect<void>
    /**
     * Counts an attempt at a second step of this kind: for the person or their known browser, and without one for the source address too.
     */
    readonly attemptStep: (guess: Guess, step: SecondStep) => Effect.Effect<boolean>
    readonly giveBackStep: (guess: Guess, step: SecondStep) => Effect.Effect<void>
    /** Resets the counter of guesses at a person, after the person has proved their identity. */
    readonly forgive: (person: string) => Effect.Effect<void>
    /**
     * Counts a request of a link for a forgotten password: `refused` per source, `silent` per person, when the answer may reveal nothing.
     */
    readonly link: (guess: Guess) => Effect.Effect<"allowed" | "silent" | "refused">
  }
>()("millrace/pages/SignInThrottle") {
  static readonly layer = Layer.effect(
    SignInThrottle,
    Effect.gen(function* () {
      const sql = yield* Sql
      const keyOf = (kind: Kind, who: string) => windowKey(`${kind} ${who}`, throttles[kind])
      const source = Effect.map(SourceAddress, sourceKey)

      const count = (kind: Kind, who: string) => orSqlDefect(countInWindow(sql, `${kind} ${who}`, throttles[kind]))

      const attempt = Effect.fn("SignInThrottle.attempt")(function* ({ person, browser }: Guess) {
        if (browser !== undefined) return yield* count("browser", browser)
        return (yield* count("address", yield* source)) && (yield* count("person", person))
      })

      const uncount = (keys: ReadonlyArray<string>) =>
        sql`UPDATE oauth_rate_windows SET leased = GREATEST(leased - 1, 0) WHERE key = ANY(${[...keys]}::text[])`

      const giveBack = Effect.fn("SignInThrottle.giveBack")(function* ({ person, browser }: Guess) {
        const keys =
          browser === undefined
            ? [keyOf("person", person), keyOf("address", yield* source)]
            : [keyOf("browser", browser)]
        yield* uncount(keys)
      }, orSqlDefect)

      const guessed = ({ browser, person }: Guess) => (browser === undefined ? person : `browser ${browser}`)

      const attemptStep = Effect.fn("SignInThrottle.attemptStep")(function* (guess: Guess, step: SecondStep) {
        if (guess.browser === undefined && !(yield* count("address", yield* source))) return false
        for (const kind of counting[step]) if (!(yield* count(kind, guessed(guess)))) return false
        return true
      })

      const giveBackStep = Effect.fn("SignInThrottle.giveBackStep")(function* (guess: Guess, step: SecondStep) {
        const keys = counting[step].map((kind) => keyOf(kind, guessed(guess)))
        yield* uncount(guess.browser === undefined ? [...keys, keyOf("address", yield* source)] : keys)
      }, orSqlDefect)

      const forgive = Effect.fn("SignInThrottle.forgive")(function* (person: string) {
        yield* sql`DELETE FROM oauth_rate_windows WHERE key = ${keyOf("person", person)}`
      }, orSqlDefect)

      const link = Effect.fn("SignInThrottle.link")(function* ({ person, browser }: Guess) {
        if (browser !== undefined) return (yield* count("linkBrowser", browser)) ? "allowed" : "silent"
        if (!(yield* count("linkAddress", yield* source))) return "refused"
        return (yield* count("linkPerson", person)) ? "allowed" : "silent"
      })

      return SignInThrottle.of({ attempt, giveBack, attemptStep, giveBackStep, forgive, link })
    })
  )
}
