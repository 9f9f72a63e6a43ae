// The credit budget of a user, shared by all credentials (developer-api.md 1.6). A process leases blocks of the window's budget
// from an unlogged table and counts them down in memory, so that most requests write nothing. Blocks are small at first and double while
// they are used up, and never more than a tenth of what is left: processes that see a user seldom, or end, keep little of it from the others.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { AppConfig } from "../../platform/config/Config.ts"
import { loadBatched } from "../../platform/sql/dataLoader.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"

export interface Budget {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly cost: number
  /** When the budget refills, in epoch milliseconds. */
  readonly resetAt: number
  readonly retryAfterSeconds: number
}

/** Message to a caller whose budget is spent. */
export const spentMessage = ({ retryAfterSeconds }: Budget) => `Rate limit reached; retry in ${retryAfterSeconds} s.`

/** Requests that the first block of a window is for. */
const FIRST = 5
/** No block is more than one in so many parts of what is left. */
const PARTS = 10

interface Lease {
  windowStart: number
  held: number
  /** The next block. */
  next: number
  /** Credits that other leases may still take, as of the last query. */
  outside: number
}

/** A block that a user's request asks for. */
interface Wish {
  readonly userId: number
  /** Credits that a request lacks. */
  readonly need: number
  /** Credits that the request would rather have. */
  readonly want: number
  readonly now: number
}

const RateWindow = Schema.Struct({
  user_id: Schema.Int,
  window_start: Schema.Date,
  leased: Schema.Int,
  granted: Schema.Int
})

export class RateLimit extends Context.Service<
  RateLimit,
  { readonly spend: (userId: number, multiple: number) => Effect.Effect<Budget> }
>()("millrace/http/RateLimit") {
  static readonly layer = Layer.effect(
    RateLimit,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { rateBudget, rateBaseCost, rateWindowSeconds } = yield* AppConfig
      const windowMillis = rateWindowSeconds * 1000
      const firstLease = rateBaseCost * FIRST
      const most = Math.max(firstLease, Math.floor(rateBudget / PARTS))
      const leases = new Map<number, Lease>()

      // Rows are locked in the order of their users, lest two statements wait for each other.
      const leaseOnce = Effect.fnUntraced(function* (wishes: ReadonlyArray<Wish>) {
        const leasedAt = new Date(Math.max(...wishes.map(({ now }) => now)))
        const expired = new Date(leasedAt.getTime() - windowMillis)
        const inOrder = [...wishes].sort((a, b) => a.userId - b.userId)
        const renderColumn = (column: "userId" | "need" | "want") =>
          sql`${inOrder.map((wish) => String(wish[column]))}::text[]::bigint[]`
        const wantedCredits = sql`least(${rateBudget}::int, i.want::int)`
        const need = sql`(${renderColumn("need")})[array_position(${renderColumn("userId")}, w.user_id)]::int`
        const part = sql`greatest(0, least(${rateBudget}::int - w.leased, greatest(${need}, least(excluded.granted, (${rateBudget}::int - w.leased) / ${PARTS}::int))))`
        const rows = yield* rowsOf(RateWindow)(sql`
            INSERT INTO rate_windows AS w (user_id, window_start, leased, granted)
            SELECT i.user_id, ${leasedAt}, ${wantedCredits}, ${wantedCredits} FROM unnest(${renderColumn("userId")}, ${renderColumn("want")}) AS i (user_id, want)
            ON CONFLICT (user_id) DO UPDATE SET
              window_start = CASE WHEN w.window_start <= ${expired} THEN excluded.window_start ELSE w.window_start END,
              granted = CASE WHEN w.window_start <= ${expired} THEN excluded.granted ELSE ${part} END,
              leased = CASE WHEN w.window_start <= ${expired} THEN excluded.leased ELSE w.leased + ${part} END
            RETURNING user_id, window_start, leased, granted`)
        const byUser = new Map(rows.map((row) => [row.user_id, row]))
        return wishes.map(({ userId }) => byUser.get(userId)!)
      })
      const leaseAll = yield* loadBatched(sql, leaseOnce, ({ userId }) => userId)

      /** @param need what a request lacks @param want what would be good to have */
      const lease = Effect.fnUntraced(function* (userId: number, need: number, want: number, now: number) {
        const row = yield* leaseAll({ userId, need, want, now })
        return { start: row.window_start.getTime(), granted: row.granted, outside: rateBudget - row.leased }
      }, orSqlDefect)

      const take = (of: Lease, cost: number, now: number): Budget => {
        const allowed = of.held >= cost
        if (allowed) of.held -= cost
        const resetAt = of.windowStart + windowMillis
        return {
          allowed,
          limit: rateBudget,
          remaining: of.held + of.outside,
          cost,
          resetAt,
          retryAfterSeconds: Math.max(1, Math.ceil((resetAt - now) / 1000))
        }
      }

      const spend = (userId: number, multiple: number) =>
        Effect.clockWith((clock) => {
          const nowMillis = clock.currentTimeMillisUnsafe()
          const cost = Math.ceil(rateBaseCost * multiple)
          let userLease = leases.get(userId)
          if (userLease === undefined || userLease.windowStart + windowMillis <= nowMillis) {
            userLease = { windowStart: nowMillis, held: 0, next: firstLease, outside: rateBudget }
            leases.set(userId, userLease)
          }
          if (userLease.held >= cost || userLease.outside <= 0) return Effect.succeed(take(userLease, cost, nowMillis))
          const began = userLease
          const need = cost - userLease.held
          return Effect.map(lease(userId, need, Math.max(need, userLease.next), nowMillis), (got) => {
            const current = leases.get(userId) ?? began
            if (current.windowStart !== got.start) {
              // Another process began this window, or it began anew: nothing of an older one may be spent.
              current.windowStart = got.start
              current.held = 0
              current.next = firstLease
            }
            current.next = Math.min(most, 2 * current.next)
            current.held += got.granted
            current.outside = got.outside
            return take(current, cost, nowMillis)
          })
        })

      yield* Effect.forkScoped(
        Effect.forever(
          Effect.delay(
            Effect.map(Clock.currentTimeMillis, (now) => {
              for (const [user, l] of leases) if (l.windowStart + windowMillis <= now) leases.delete(user)
            }),
            "30 seconds"
          )
        )
      )
      return RateLimit.of({ spend })
    })
  )
}
