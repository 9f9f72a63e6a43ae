// Statistics of executions over time for a hook, an app or an organization, and the current backlog. Reads counts by minute and, after two
// days, by hour, so the length of the log does not matter.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { formatDateTime } from "../../../platform/primitives/dates.ts"
import { ValidationError } from "../../../platform/primitives/errors.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../../platform/sql/sqlDefect.ts"
import { waitingByHook } from "../bundles/allDeliveries.ts"
import { percentileOf } from "./latencies.ts"
import {
  FINE_HOURS,
  type OutcomeCounts,
  outcomeFields,
  type Range,
  type Statistics,
  type StatisticsOf,
  type StatisticsStep
} from "./Statistics.ts"

const HOUR = 3_600_000
const MAX_POINTS = 1_500
const stepMillis: Record<StatisticsStep, number> = { minute: 60_000, hour: HOUR, day: 24 * HOUR }
/** More of a hook is not counted. */
const WAITING_COUNTED = 100_000

const Point = Schema.Struct({ from: Schema.Date, ...outcomeFields, latency: Schema.Array(Schema.Int) })
type Point = typeof Point.Type
const Backlog = Schema.Struct({ waiting: Schema.Int, oldest: Schema.NullOr(Schema.Date) })

const tallyOf = ({ delivered, failed, latency, retrying, withheld }: Omit<Point, "from">): OutcomeCounts => ({
  executions: delivered + retrying + failed + withheld,
  ...{ delivered, retrying, failed, withheld },
  latency_ms: {
    p50: percentileOf(latency, 0.5),
    p95: percentileOf(latency, 0.95),
    p99: percentileOf(latency, 0.99)
  }
})

const sum = (points: ReadonlyArray<Point>): Omit<Point, "from"> => {
  const totalOf = (name: keyof typeof outcomeFields) => points.reduce((total, point) => total + point[name], 0)
  const latency = Array.from({ length: Math.max(0, ...points.map((point) => point.latency.length)) }, (_, bucket) =>
    points.reduce((total, point) => total + (point.latency[bucket] ?? 0), 0)
  )
  return {
    delivered: totalOf("delivered"),
    retrying: totalOf("retrying"),
    failed: totalOf("failed"),
    withheld: totalOf("withheld"),
    latency
  }
}

export class HookStatistics extends Context.Service<
  HookStatistics,
  { readonly read: (of: StatisticsOf, range: Range) => Effect.Effect<Statistics, ValidationError> }
>()("millrace/webhooks/HookStatistics") {
  static readonly layer = Layer.effect(
    HookStatistics,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const sql = yield* Sql

  const check = Effect.fnUntraced(function* ({ before, since, step }: Range) {
    const nowMillis = yield* Clock.currentTimeMillis
    const points = (before.getTime() - since.getTime()) / stepMillis[step]
    if (points <= 0) return yield* new ValidationError({ message: "since: expected a time before until." })
    if (points > MAX_POINTS)
      return yield* new ValidationError({ message: `step: ${Math.ceil(points)} of them; at most ${MAX_POINTS}.` })
    if (step === "minute" && since.getTime() < nowMillis - FINE_HOURS * HOUR)
      return yield* new ValidationError({ message: `step: minutes are kept for ${FINE_HOURS} hours.` })
  })

  const read = Effect.fn("HookStatistics.read")(function* (of: StatisticsOf, range: Range) {
    yield* check(range)
    const { before, since, step } = range
    const hooks =
      of.kind === "hook"
        ? sql`h.hook_id = ${of.id}`
        : of.kind === "app"
          ? sql`h.app_id = ${of.id}`
          : sql`h.org_id = ${of.id}`
    // Buckets are summed first: a point of many hooks is one row of each bucket.
    const points = yield* rowsOf(Point)(sql`
      WITH found AS (
        SELECT s.*, date_bin(${`1 ${step}`}::interval, s.counted_on, '2001-01-01T00:00:00Z') AS "from"
        FROM hooks h JOIN hook_statistics s USING (hook_id)
        WHERE ${hooks} AND s.counted_on >= ${since} AND s.counted_on < ${before}
      ), buckets AS (
        SELECT "from", n, sum(c)::int AS c FROM found CROSS JOIN unnest(latency) WITH ORDINALITY AS u(c, n) GROUP BY "from", n
      ), latencies AS (
        SELECT "from", array_agg(c ORDER BY n) AS latency FROM buckets GROUP BY "from"
      )
      SELECT f."from", sum(delivered)::int AS delivered, sum(retrying)::int AS retrying, sum(failed)::int AS failed,
        sum(withheld)::int AS withheld, coalesce(l.latency, '{}') AS latency
      FROM found f LEFT JOIN latencies l USING ("from") GROUP BY f."from", l.latency ORDER BY f."from"`)
    const backlog = yield* rowOf(Backlog)(sql`
      SELECT coalesce(sum(waiting), 0)::int AS waiting, min(oldest) AS oldest FROM ${waitingByHook(sql, hooks, WAITING_COUNTED)} w`)
    return {
      since: formatDateTime(since),
      until: formatDateTime(before),
      step,
      total: tallyOf(sum(points)),
      points: points.map((point) => ({ from: formatDateTime(point.from), ...tallyOf(point) })),
      backlog: {
        waiting: backlog?.waiting ?? 0,
        oldest_waiting_on: backlog?.oldest == null ? null : formatDateTime(backlog.oldest)
      }
    } satisfies Statistics as Statistics
  }, orSqlDefect)

  return HookStatistics.of({ read })
})
