// OAuth rate limits (decisions O21): fixed windows, shared by all processes through an unlogged table from which each process
// leases blocks, so that most requests count in memory. A crash loses at most what was leased.
import { Clock, Context, Deferred, Effect, Layer, Schema } from "effect"
import { SourceAddress } from "../../platform/audit/AuditLog.ts"
import { AppConfig } from "../../platform/config/Config.ts"
import { sourceKey } from "../../platform/fairness/sourceAddress.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { type OAuthRefused, refuse } from "./reasons.ts"

export interface Limit {
  readonly name: "authorize" | "client" | "register" | "register_total" | "sign_in"
  readonly max: number
  readonly windowMillis: number
}

interface Lease {
  windowEnd: number
  left: number
  exhausted: boolean
}

/** Leases kept in memory; beyond, the ones whose window is over go. */
const LEASES = 50_000
/** Pages per minute: ten times the authorization requests, since many people behind one address must be able to sign in. */
const SIGN_IN_PAGES = 1_200
const blockOf = (max: number) => Math.max(1, Math.ceil(max / 20))

const RateWindow = Schema.Struct({ window_start: Schema.Date, leased: Schema.Int })

export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts one request of `who`; refuses with `RATE_LIMITED` and the seconds until the window ends. */
    readonly take: (limit: Limit, who: string) => Effect.Effect<void, OAuthRefused>
    readonly authorize: Effect.Effect<void, OAuthRefused>
    readonly client: (clientId: string) => Effect.Effect<void, OAuthRefused>
    readonly register: Effect.Effect<void, OAuthRefused>
    /** Counts a session that a page with a form begins for an anonymous visitor. */
    readonly signIn: Effect.Effect<void, OAuthRefused>
  }
>()("millrace/oauth/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const sql = yield* Sql
      const config = yield* AppConfig
      const leases = new Map<string, Lease>()
      const underWay = new Map<string, Deferred.Deferred<void>>()

      const lease = Effect.fnUntraced(function* (key: string, { max, windowMillis }: Limit, now: number) {
        const block = blockOf(max)
        const cutoff = new Date(now - windowMillis)
        const rows = yield* rowsOf(RateWindow)(sql`
            INSERT INTO oauth_rate_windows AS w (key, window_start, leased) VALUES (${key}, ${new Date(now)}, ${block})
            ON CONFLICT (key) DO UPDATE SET
              window_start = CASE WHEN w.window_start <= ${cutoff} THEN excluded.window_start ELSE w.window_start END,
              leased = CASE WHEN w.window_start <= ${cutoff} THEN excluded.leased ELSE w.leased + excluded.leased END
            RETURNING window_start, leased`)
        const { window_start, leased } = rows[0]!
        const granted = Math.min(block, max - (leased - block))
        return {
          windowEnd: window_start.getTime() + windowMillis,
          left: Math.max(0, granted),
          exhausted: granted <= 0
        }
      }, orSqlDefect)

      const isSpent = (known: Lease, now: number) => now >= known.windowEnd || (known.left <= 0 && !known.exhausted)

      const rateRefusal = (known: Lease, now: number) =>
        refuse("RATE_LIMITED", { retryAfterSeconds: Math.max(1, Math.ceil((known.windowEnd - now) / 1000)) })

      const store = (key: string, fresh: Lease, now: number) => {
        if (leases.size >= LEASES) for (const [k, l] of leases) if (now >= l.windowEnd) leases.delete(k)
        if (leases.size < LEASES) leases.set(key, fresh)
      }

      /** Takes one request from the lease of a key; undefined if the key has no lease. */
      const spend = (key: string, now: number): Effect.Effect<void, OAuthRefused> | undefined => {
        const keyLease = leases.get(key)
        if (keyLease === undefined || isSpent(keyLease, now)) return undefined
        if (keyLease.left <= 0) return Effect.fail(rateRefusal(keyLease, now))
        keyLease.left -= 1
        return Effect.void
      }

      /** Leases each key at most once at a time: concurrent requests share the lease. */
      const take = Effect.fnUntraced(function* (limit: Limit, who: string) {
        const key = `${limit.name} ${who}`.slice(0, 400)
        for (;;) {
          const nowMillis = yield* Clock.currentTimeMillis
          const spending = spend(key, nowMillis)
          if (spending !== undefined) return yield* spending
          const other = underWay.get(key)
          if (other !== undefined) {
            yield* Deferred.await(other)
            continue
          }
          const leaseDone = Deferred.makeUnsafe<void>()
          underWay.set(key, leaseDone)
          const releaseKey = Effect.suspend(() => {
            underWay.delete(key)
            return Deferred.succeed(leaseDone, undefined)
          })
          // The one that leases takes its own share before the others look.
          const newLease = yield* lease(key, limit, nowMillis).pipe(
            Effect.tap((fresh) =>
              Effect.sync(() => store(key, fresh.left > 0 ? { ...fresh, left: fresh.left - 1 } : fresh, nowMillis))
            ),
            Effect.ensuring(releaseKey)
          )
          if (newLease.left > 0) return
          return yield* rateRefusal(newLease, nowMillis)
        }
      })

      const minute = 60_000
      const hour = 60 * minute
      const limits = {
        authorize: { name: "authorize", max: config.oauthAuthorizePerMinute, windowMillis: minute },
        client: { name: "client", max: config.oauthTokenPerMinute, windowMillis: minute },
        register: { name: "register", max: config.oauthRegisterPerHour, windowMillis: hour },
        registerTotal: { name: "register_total", max: config.oauthRegisterTotalPerHour, windowMillis: hour },
        signIn: { name: "sign_in", max: SIGN_IN_PAGES, windowMillis: minute }
      } as const satisfies Record<string, Limit>

      const source = Effect.map(SourceAddress, sourceKey)
      return RateLimits.of({
        take,
        authorize: Effect.flatMap(source, (address) => take(limits.authorize, address)),
        client: (clientId) => Effect.flatMap(source, (address) => take(limits.client, `${address} ${clientId}`)),
        register: Effect.flatMap(source, (address) =>
          Effect.andThen(take(limits.register, address), take(limits.registerTotal, "all"))
        ),
        signIn: Effect.flatMap(source, (address) => take(limits.signIn, address))
      })
    })
  )
}
