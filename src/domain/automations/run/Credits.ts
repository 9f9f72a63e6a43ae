// Hourly budget of actions per organization (developer-api.md 7.11 rule 5): the installation's default, or the organization's own
// (decisions P2). Each process collects spent credits in memory and writes them every second. The run's own count is exact; the hour's may
// miss the last second of a process that was killed.
import { Cache, Clock, Context, Duration, Effect, Exit, Layer, Schema } from "effect"
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
    readonly spend: (orgId: number, credits: number) => Effect.Effect<void>
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

      const write = Effect.gen(function* () {
        if (spent.size === 0) return
        const hour = new Date(hourOf(yield* Clock.currentTimeMillis))
        const rows = [...spent].map(([org_id, used]) => ({ org_id, used }))
        spent.clear()
        const insertRows = sql`
          INSERT INTO run_credits (org_id, hour, used)
          SELECT c.org_id, ${hour}, c.used FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
            AS c (org_id bigint, used bigint) ORDER BY c.org_id
          ON CONFLICT (org_id, hour) DO UPDATE SET used = run_credits.used + excluded.used`
        yield* Effect.catchTag(insertRows, "SqlError", (error) =>
          Effect.andThen(
            Effect.logDebug("credits are written later", error.message),
            Effect.sync(() =>
              rows.forEach(({ org_id, used }) => void spent.set(org_id, (spent.get(org_id) ?? 0) + used))
            )
          )
        )
      })
      yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(write, "2 seconds")))
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(EVERY), write)))

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

      const readRemaining = Effect.fnUntraced(function* (orgId: number) {
        const { most, used } = yield* Cache.get(balances, `${orgId} ${hourOf(yield* Clock.currentTimeMillis)}`)
        return Math.max(0, most - used - (spent.get(orgId) ?? 0))
      })

      return Credits.of({
        spend: (orgId, credits) =>
          Effect.sync(() => void (credits > 0 && spent.set(orgId, (spent.get(orgId) ?? 0) + credits))),
        left: readRemaining,
        flush: write
      })
    })
  )
}
