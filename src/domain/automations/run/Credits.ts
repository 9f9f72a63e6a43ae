// Hourly budget of actions per organization (developer-api.md 7.11 rule 5): the installation's default, or the organization's own
// (decisions P2). Each process collects spent credits in memory and writes them every second. The run's own count is exact; the hour's may
// miss the last second of a process that was killed.
import { Cache, Clock, Context, Duration, Effect, Exit, Layer, Schema, Semaphore } from "effect"
import { AppConfig } from "../../../platform/config/Config.ts"
import { rowOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"

const HOUR = 3_600_000
const EVERY = "1 second"
/** Time for which the count from the database is cached. */
const FRESH = Duration.seconds(2)
const ORGANIZATIONS_MOST = 50_000

/** Time after which a run without credits checks again whether it may start or continue. */
export const NO_CREDITS_MILLIS = 300_000

const HourRow = Schema.Struct({ used: Schema.Int, most: Schema.Int })

export class Credits extends Context.Service<
  Credits,
  {
    /** Adds to what is spent; a negative number gives back what `take` has taken. */
    readonly spend: (orgId: number, credits: number) => Effect.Effect<void>
    /** Spends credits ahead of their work. Returns false if fewer are left. */
    readonly take: (orgId: number, credits: number) => Effect.Effect<boolean>
    readonly left: (orgId: number) => Effect.Effect<number>
    /** Writes the collected credits; for tests and for the end of the process. */
    readonly flush: Effect.Effect<void>
  }
>()("millrace/automations/run/Credits") {
  static readonly layer = Layer.effect(
    Credits,
    Effect.gen(function* () {
      const sql = yield* Sql
      const { creditsPerHour } = yield* AppConfig
      const spent = new Map<number, number>()

      const hourOf = (millis: number) => Math.floor(millis / HOUR) * HOUR

      const read = Effect.fnUntraced(function* (key: string) {
        const [orgId, hour] = key.split(" ").map(Number) as [number, number]
        const row = yield* rowOf(HourRow)(sql`
            SELECT coalesce(c.used, 0)::bigint AS used, coalesce((o.limits ->> 'credits_per_hour')::int, ${creditsPerHour}::int) AS most
            FROM organizations o LEFT JOIN run_credits c ON c.org_id = o.org_id AND c.hour = ${new Date(hour)}
            WHERE o.org_id = ${orgId}`)
        return row ?? { used: 0, most: creditsPerHour }
      }, orSqlDefect)
      const balances = yield* Cache.makeWith(read, {
        capacity: ORGANIZATIONS_MOST,
        timeToLive: (exit) => (Exit.isSuccess(exit) ? FRESH : Duration.zero)
      })

      const add = (orgId: number, credits: number) => {
        const total = (spent.get(orgId) ?? 0) + credits
        if (total === 0) spent.delete(orgId)
        else spent.set(orgId, total)
      }

      const writeLock = yield* Semaphore.make(1)
      /** Credits count as spent here until they are in the database, and are read from there afterwards. */
      const write = Effect.gen(function* () {
        if (spent.size === 0) return
        const hour = hourOf(yield* Clock.currentTimeMillis)
        const rows = [...spent].map(([org_id, used]) => ({ org_id, used }))
        yield* sql`
          INSERT INTO run_credits (org_id, hour, used)
          SELECT c.org_id, ${new Date(hour)}, c.used FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            AS c (org_id bigint, used bigint) ORDER BY c.org_id
          ON CONFLICT (org_id, hour) DO UPDATE SET used = run_credits.used + excluded.used`
        for (const { org_id, used } of rows) {
          add(org_id, -used)
          yield* Cache.invalidate(balances, `${org_id} ${hour}`)
        }
      }).pipe(
        Effect.catchTag("SqlError", (error) => Effect.logDebug("credits are written later", error.message)),
        Effect.uninterruptible,
        writeLock.withPermit
      )
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(write, "2 seconds")))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(EVERY), write)))

      const readRemaining = Effect.fnUntraced(function* (orgId: number) {
        const { most, used } = yield* Cache.get(balances, `${orgId} ${hourOf(yield* Clock.currentTimeMillis)}`)
        return Math.max(0, most - used - (spent.get(orgId) ?? 0))
      })

      return Credits.of({
        spend: (orgId, credits) => Effect.sync(() => add(orgId, credits)),
        take: (orgId, credits) =>
          Effect.map(readRemaining(orgId), (left) => {
            if (left >= credits) add(orgId, credits)
            return left >= credits
          }),
        left: readRemaining,
        flush: write
      })
    })
  )
}
