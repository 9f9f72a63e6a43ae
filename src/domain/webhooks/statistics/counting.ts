// Adds a batch of results to the counts of its hooks: one row for each hook and minute. Runs in the statement that settles the batch, which
// locks the hooks anyway, so it adds no further lock waits.
import { Effect } from "effect"
import { Sql } from "../../../platform/sql/Sql.ts"
import type { Written } from "../resultStatements.ts"
import { bucketsOf } from "./latencies.ts"
import { outcomes } from "./Statistics.ts"

const MINUTE = 60_000

/** Counts in the order of hooks, in which all writers write them. */
const countsOf = (written: ReadonlyArray<Written>, now: Date) => {
  const minute = new Date(now.getTime() - (now.getTime() % MINUTE))
  return [...Map.groupBy(written, ({ hook_id }) => hook_id)]
    .sort(([a], [b]) => a - b)
    .map(([hook_id, of]) => ({
      hook_id,
      counted_on: minute,
      ...Object.fromEntries(outcomes.map((outcome) => [outcome, of.filter(({ status }) => status === outcome).length])),
      latency: bucketsOf(of.map(({ latency_ms }) => latency_ms))
    }))
}

/** The sum of two lists of buckets, however long each is. */
export const sumOfBuckets = (a: string, b: string) =>
  `(SELECT array_agg(coalesce(u.a, 0) + coalesce(u.b, 0) ORDER BY u.n) FROM unnest(${a}, ${b}) WITH ORDINALITY AS u(a, b, n))`

export const makeCounting = Effect.map(Sql, (sql) => {
  const added = sql.literal(
    [
      ...outcomes.map((name) => `${name} = s.${name} + excluded.${name}`),
      `latency = ${sumOfBuckets("s.latency", "excluded.latency")}`
    ].join(", ")
  )
  /** @param condition on a table `verdict`, if the batch is only written under a condition */
  const counts = (written: ReadonlyArray<Written>, now: Date, condition = "true", from = "") => sql`
    INSERT INTO hook_statistics AS s (hook_id, counted_on, delivered, retrying, failed, withheld, latency)
    SELECT c.hook_id, c.counted_on, c.delivered, c.retrying, c.failed, c.withheld, c.latency
    FROM ${sql.literal(from)} jsonb_to_recordset(${JSON.stringify(countsOf(written, now))}::jsonb) AS c(
      hook_id bigint, counted_on timestamptz, delivered integer, retrying integer, failed integer, withheld integer, latency integer[])
    WHERE ${sql.literal(condition)}
    ON CONFLICT (hook_id, counted_on) DO UPDATE SET ${added}`
  return { counts }
})
