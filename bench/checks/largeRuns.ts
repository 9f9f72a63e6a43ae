// Measures the cost of past runs for the next run: two services, one with ten million past runs with their logs and ledgers, under the same
// load at the same time, so that other work of the machine affects both equally.
import { Effect } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { countOf } from "../../src/platform/sql/rows.ts"
import { type AppOf, type Bed, created, makeBed, update } from "../support/bed.ts"
import { besideLarge } from "../support/besideLarge.ts"
import type { Check, Reading } from "../support/Check.ts"
import { timedCommits } from "../support/latency.ts"
import { BenchFailed } from "../support/Row.ts"
import { median } from "../support/statistics.ts"
import { steadily } from "../support/steady.ts"

const RUNS = 10_000_000
const AT_ONCE = 500_000
const PER_SECOND = 5

const mapped = <A>(effect: Effect.Effect<A, SqlError>) =>
  Effect.mapError(effect, ({ message }) => new BenchFailed({ message }))

/** Seeds finished runs of one step, all of this week: so the partition of the logs that the next run writes to is the largest. */
const filled = Effect.fnUntraced(function* (
  { orgId, sql }: Bed,
  { appId }: AppOf,
  automationId: number,
  runs: number,
  say: (line: string) => void
) {
  const [from] = yield* sql<{ first: number; revision: string }>`
    SELECT nextval('runs_run_id_seq') AS first, revision_id::text AS revision FROM automations WHERE automation_id = ${automationId}`
  const { first, revision } = from!
  for (let runCount = 0; runCount < runs; runCount += AT_ONCE) {
    const numbers = sql`generate_series(${runCount + 1}::int, ${Math.min(runs, runCount + AT_ONCE)}::int) n`
    const id = sql`${first}::bigint + n`
    const on = sql`now() - interval '1 day' + n * interval '5 ms'`
    yield* sql`
      INSERT INTO runs (run_id, org_id, app_id, automation_id, revision_id, event_id, type, status, durable, record_id, record_revision, depth,
        chain, log_seq, credits, created_on, filtering_on, started_on, completed_on)
      OVERRIDING SYSTEM VALUE
      SELECT ${id}, ${orgId}, ${appId}, ${automationId}, ${revision}::bigint, -n, 'regular', 'completed', false, n, 0, 0, '{}', 2, 1, ${on}, ${on},
        ${on}, ${on} FROM ${numbers}`
    yield* sql`
      INSERT INTO run_triggers (run_id, data)
      SELECT ${id}, jsonb_build_object('type', 'record_created', 'record', jsonb_build_object('record_id', n)) FROM ${numbers}`
    yield* sql`
      INSERT INTO run_logs (run_id, seq, type, status, label, messages, action_id, record_id, detail, logged_on)
      SELECT ${id}, seq, CASE seq WHEN 1 THEN 'trigger' ELSE 'action' END, 'success', 'Update record', '[]',
        CASE seq WHEN 2 THEN repeat('a', 36) END, n, CASE seq WHEN 2 THEN '{"inputs":{},"outputs":{},"duration_ms":1}'::jsonb END, ${on}
      FROM ${numbers}, generate_series(1, 2) seq`
    yield* sql`
      INSERT INTO run_ledger (run_id, path, iteration, action_id, state, started_on, done_on)
      SELECT ${id}, '0', '', repeat('a', 36), 'done', ${on}, ${on} FROM ${numbers}`
    say(`${Math.min(runs, runCount + AT_ONCE)} runs with their logs`)
  }
  yield* sql`SELECT setval('runs_run_id_seq', ${first + runs})`
  for (const table of ["runs", "run_triggers", "run_logs", "run_ledger"]) yield* sql.unsafe(`VACUUM (ANALYZE) ${table}`)
  yield* sql`CHECKPOINT`
})

/** A service with an automation of one step, with or without runs behind it. */
const side = Effect.fnUntraced(function* (name: string, runs: number, say: (line: string) => void) {
  const bed = yield* makeBed(name, { settings: timedCommits })
  const app = yield* bed.app("Stamped")
  const automation = yield* bed.automation(app.appId, { trigger: created, actions: [update(app, "stamped")] })
  if (runs > 0) yield* mapped(filled(bed, app, automation, runs, say))
  // Events that were made up have ids below zero.
  const completedRuns = countOf(bed.sql`
    SELECT count(*)::int AS n FROM runs
    WHERE automation_id = ${automation} AND event_id > 0 AND completed_on IS NOT NULL`)
  return (seconds: number) =>
    Effect.gen(function* () {
      const initialCount = yield* mapped(completedRuns)
      const ids: Array<number> = []
      yield* steadily(seconds, PER_SECOND, () =>
        Effect.map(bed.records(app, 1, true), (made) => {
          ids.push(...made)
        })
      )
      yield* bed.until("the runs", completedRuns, initialCount + ids.length)
      const rows = yield* mapped(bed.sql<{ millis: number }>`
        SELECT (extract(epoch FROM pg_xact_commit_timestamp(r.xmin) - pg_xact_commit_timestamp(o.xmin)) * 1000)::float8 AS millis
        FROM runs r JOIN revisions o ON o.record_id = r.record_id AND o.revision = 0
        WHERE r.automation_id = ${automation} AND r.event_id > 0 AND r.record_id = ANY(${ids.map(String)}::text[]::bigint[])`)
      return rows.map(({ millis }) => millis)
    })
})

export const largeRuns: Check = {
  name: "run-large-history",
  work: `${PER_SECOND} events a second for each of two services, one with --records runs (${RUNS}) of this week behind it, one with none`,
  seconds: 120,
  run: Effect.fnUntraced(function* (seconds, say, { records = RUNS }) {
    const sides = { none: yield* side("bench-none", 0, say), large: yield* side("bench-large", records, say) }
    const { p99, taken } = yield* besideLarge(sides, seconds)
    return [
      { what: "runs measured of each", value: taken.large.length, unit: "" },
      { what: "p50 from event to committed step, without runs behind it", value: median(taken.none), unit: "ms" },
      { what: `p50 with ${records} of them`, value: median(taken.large), unit: "ms" },
      { what: "p99 without", value: p99.none, unit: "ms" },
      { what: `p99 with ${records} of them`, value: p99.large, unit: "ms" },
      { what: "p50 with / without", value: median(taken.large) / median(taken.none), unit: "", atMost: 1.1 },
      { what: "p99 with / without", value: p99.large / p99.none, unit: "", atMost: 1.1 }
    ] satisfies ReadonlyArray<Reading>
  }, Effect.scoped)
}
