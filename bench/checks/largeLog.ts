// Measures the cost of a long log of deliveries for the next delivery: two services, one with ten million deliveries in its log, under the
// same load at the same time, so that other work of the machine affects both equally.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { OWNER } from "../../src/platform/sql/roles.ts"
import { besideLarge } from "../support/besideLarge.ts"
import type { Check, Reading } from "../support/Check.ts"
import { type HookApp, hookBed, seedApps, seedHook } from "../support/hooks.ts"
import { postLatenciesOf } from "../support/postLatencies.ts"
import { median } from "../support/statistics.ts"

const APPS = 10
const PER_SECOND = 25
const WEEKS = 5
/** Deliveries of each week, and of one statement. */
const [OF_WEEK, AT_ONCE] = [2_000_000, 500_000]
const TABLES = ["webhook_deliveries", "webhook_attempts"]

/** Partitions of former weeks in the place of what was before them, and this week's ids, as an installation has them after that time. */
const aged = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const former = Effect.gen(function* () {
    yield* sql.unsafe(`SET LOCAL ROLE ${OWNER}`)
    for (const table of TABLES) {
      yield* sql.unsafe(`DROP TABLE ${table}_before`)
      for (let ago = WEEKS; ago > 0; ago--)
        yield* sql`SELECT id_weeks_add(${table}::regclass, id_week(now()) - ${ago}::int)`
    }
  })
  yield* sql.withTransaction(former)
  for (let step = 0; step < 10; step++) yield* sql`SELECT webhook_log_keep(30)`
})

const filled = Effect.fnUntraced(function* (hookIds: ReadonlyArray<number>, say: (line: string) => void) {
  const sql = yield* SqlClient.SqlClient
  const hooks = sql.literal(`(ARRAY[${hookIds.join()}]::bigint[])[1 + n % ${hookIds.length}]`)
  for (let ago = WEEKS; ago > 0; ago--) {
    const id = sql`id_week_first(id_week(now()) - ${ago}::int) + n`
    const on = sql`now() - ${ago}::int * interval '1 week' + n * interval '0.3 s'`
    for (let firstNumber = 1; firstNumber <= OF_WEEK; firstNumber += AT_ONCE) {
      const numbers = sql`generate_series(${firstNumber}::int, ${firstNumber + AT_ONCE - 1}::int) n`
      yield* sql`
        INSERT INTO webhook_deliveries (hook_id, event_id, record_id, type, status, payload, num_attempts, created_on)
        SELECT ${hooks}, ${id}, n, 'record.create', 'delivered',
          '{"hook_id":1,"record_id":' || n || ',"revision_id":0,"type":"record.create"}', 1, ${on} FROM ${numbers}`
      yield* sql`
        INSERT INTO webhook_attempts (hook_id, event_id, attempt, attempted_on, status_code, latency_ms)
        SELECT ${hooks}, ${id}, 1, ${on}, 204, 5 FROM ${numbers}`
    }
    say(`${(WEEKS + 1 - ago) * OF_WEEK} deliveries and their attempts`)
  }
  for (const table of TABLES) yield* sql.unsafe(`VACUUM (ANALYZE) ${table}`)
  yield* sql`CHECKPOINT`
})

/** A service with apps of one hook each, with or without a log behind it. */
const side = Effect.fnUntraced(function* (name: string, large: boolean, say: (line: string) => void) {
  const { operate, receiver } = yield* hookBed({ name })
  const apps = yield* operate(seedApps("Log", APPS))
  const hookIds = yield* Effect.forEach(apps, (app: HookApp) =>
    Effect.map(operate(seedHook(app, receiver.port, `/hook-${app.appId}`)), ({ hookId }) => hookId)
  )
  yield* operate(aged)
  if (large) yield* operate(filled(hookIds, say))
  let from = 1
  return (seconds: number) =>
    Effect.suspend(() => {
      from += 1_000_000
      return postLatenciesOf(operate, receiver, apps, { seconds, perSecond: PER_SECOND, from })
    })
})

export const largeLog: Check = {
  name: "webhook-large-log",
  work: `${PER_SECOND} events a second for each of two services, one with ${WEEKS * OF_WEEK} deliveries in its log, one with none`,
  seconds: 120,
  run: Effect.fnUntraced(function* (seconds, say) {
    const sides = { none: yield* side("bench-none", false, say), large: yield* side("bench-large", true, say) }
    const { p99, taken } = yield* besideLarge(sides, seconds)
    return [
      { what: "deliveries measured of each", value: taken.large.length, unit: "" },
      { what: "p50 from commit to POST, without a log", value: median(taken.none), unit: "ms" },
      { what: `p50 with ${WEEKS * OF_WEEK} deliveries in it`, value: median(taken.large), unit: "ms" },
      { what: "p99 without a log", value: p99.none, unit: "ms" },
      { what: `p99 with ${WEEKS * OF_WEEK} deliveries in it`, value: p99.large, unit: "ms" },
      { what: "p99 with / without", value: p99.large / p99.none, unit: "", atMost: 1.1 }
    ] satisfies ReadonlyArray<Reading>
  }, Effect.scoped)
}
