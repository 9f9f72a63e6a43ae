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
    /** Adds to what is spent in this hour. */
    readonly spend: (orgId: number, credits: number) => Effect.Effect<void>
    /** Spends credits ahead of their work. Returns what gives them back, to the hour they are of; null if fewer are left. */
    readonly take: (orgId: number, credits: number) => Effect.Effect<Effect.Effect<void> | null>
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
      /** Counts that are not written yet, by organization and hour. */
      const spent = new Map<string, number>()

      const keyOf = (orgId: number) =>
        Effect.map(Clock.currentTimeMillis, (millis) => `${orgId} ${Math.floor(millis / HOUR) * HOUR}`)
      const partsOf = (key: string) => key.split(" ").map(Number) as [orgId: number, hour: number]

      const read = Effect.fnUntraced(function* (key: string) {
        const [orgId, hour] = partsOf(key)
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

      const add = (key: string, credits: number) => {
        const total = (spent.get(key) ?? 0) + credits
        if (total === 0) spent.delete(key)
        else spent.set(key, total)
      }

      const writeLock = yield* Semaphore.make(1)
      /** Credits count as spent here until they are in the database, and are read from there afterwards. */
      const write = Effect.gen(function* () {
        if (spent.size === 0) return
        const rows = [...spent].map(([key, used]) => {
          const [org_id, hour] = partsOf(key)
          return { key, org_id, hour: new Date(hour), used }
        })
        yield* sql`
          INSERT INTO run_credits (org_id, hour, used)
          SELECT c.org_id, c.hour, c.used FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            AS c (org_id bigint, hour timestamptz, used bigint) ORDER BY c.org_id, c.hour
          ON CONFLICT (org_id, hour) DO UPDATE SET used = run_credits.used + excluded.used`
        for (const { key, used } of rows) {
          add(key, -used)
          yield* Cache.invalidate(balances, key)
        }
      }).pipe(
        Effect.catchTag("SqlError", (error) => Effect.logDebug("credits are written later", error.message)),
        Effect.uninterruptible,
        writeLock.withPermit
      )
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(write, "2 seconds")))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(EVERY), write)))

      const readRemaining = (key: string) =>
        Effect.map(Cache.get(balances, key), ({ most, used }) => Math.max(0, most - used - (spent.get(key) ?? 0)))

      return Credits.of({
        spend: (orgId, credits) => Effect.map(keyOf(orgId), (key) => add(key, credits)),
        take: Effect.fnUntraced(function* (orgId, credits) {
          const key = yield* keyOf(orgId)
          if ((yield* readRemaining(key)) < credits) return null
          add(key, credits)
          return Effect.sync(() => add(key, -credits))
        }),
        left: (orgId) => Effect.flatMap(keyOf(orgId), readRemaining),
        flush: write
      })
    })
  )
}
