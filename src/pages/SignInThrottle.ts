// Guessing is slow: failed sign-ins and asked-for links are counted per account and per source address, over all processes
// (decisions O12). What succeeds is given back, so that a busy office behind one address is not shut out.
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { SourceAddress } from "../oauth/AuditLog.ts"

const minute = 60_000

/** Failures allowed in a window that begins with the first. */
export const throttles = {
  account: { max: 10, windowMillis: 15 * minute },
  address: { max: 100, windowMillis: 15 * minute },
  linkAccount: { max: 3, windowMillis: 60 * minute },
  linkAddress: { max: 30, windowMillis: 60 * minute }
} as const
type Kind = keyof typeof throttles

export class SignInThrottle extends Context.Service<
  SignInThrottle,
  {
    /** Counts an attempt beforehand, so that parallel ones count too; false when it may not be made. */
    readonly attempt: (email: string) => Effect.Effect<boolean>
    readonly succeeded: (email: string) => Effect.Effect<void>
    /** A link for a forgotten password: `refused` per address, `silent` per account, where nothing may be told. */
    readonly link: (email: string) => Effect.Effect<"allowed" | "silent" | "refused">
  }
>()("millrace/pages/SignInThrottle") {
  static readonly layer = Layer.effect(
    SignInThrottle,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keyOf = (kind: Kind, who: string) => `${kind} ${who.trim().toLowerCase()}`.slice(0, 300)
      const address = Effect.map(SourceAddress, (source) => source ?? "unknown")

      // The table of the OAuth rate limits: its windows are pruned after two hours.
      const count = Effect.fnUntraced(
        function* (kind: Kind, who: string) {
          const now = yield* Clock.currentTimeMillis
          const { max, windowMillis } = throttles[kind]
          const over = new Date(now - windowMillis)
          const [row] = yield* sql<{ leased: number }>`
            INSERT INTO oauth_rate_windows AS w (key, window_start, leased) VALUES (${keyOf(kind, who)}, ${new Date(now)}, 1)
            ON CONFLICT (key) DO UPDATE SET
              window_start = CASE WHEN w.window_start <= ${over} THEN excluded.window_start ELSE w.window_start END,
              leased = CASE WHEN w.window_start <= ${over} THEN 1 ELSE LEAST(w.leased + 1, ${max + 1}) END
            RETURNING leased`
          return row!.leased <= max
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      const attempt = Effect.fn("SignInThrottle.attempt")(function* (email: string) {
        const source = yield* address
        return (yield* count("address", source)) && (yield* count("account", email))
      })

      const succeeded = Effect.fn("SignInThrottle.succeeded")(
        function* (email: string) {
          yield* sql`DELETE FROM oauth_rate_windows WHERE key = ${keyOf("account", email)}`
          yield* sql`
            UPDATE oauth_rate_windows SET leased = GREATEST(leased - 1, 0) WHERE key = ${keyOf("address", yield* address)}`
        },
        Effect.catchTag("SqlError", Effect.die)
      )

      const link = Effect.fn("SignInThrottle.link")(function* (email: string) {
        if (!(yield* count("linkAddress", yield* address))) return "refused" as const
        return (yield* count("linkAccount", email)) ? ("allowed" as const) : ("silent" as const)
      })

      return SignInThrottle.of({ attempt, succeeded, link })
    })
  )
}
