// Metrics of open runs and of the mailbox rows that wait to become runs, in all processes. Each collection of /metrics reads them.
import { Clock, Effect, Layer, Schema } from "effect"
import { gauge } from "../../../platform/metrics/instruments.ts"
import { observing } from "../../../platform/metrics/observers.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { waitingBy, waitReasons } from "./waitReasons.ts"

const size = gauge("millrace.backlog.size")
const age = gauge("millrace.backlog.age")
const openRuns = gauge("millrace.run.open")

/** Maximum of rows that each query reads along an index: further rows are not counted, so that the queries stay cheap under overload. */
const AT_MOST = 20_000

const Waiting = Schema.Struct({ count: Schema.Int, oldest: Schema.NullOr(Schema.Date) })
const Open = Schema.Struct({
  state: Schema.Literals([...waitReasons, "pending", "running"]),
  count: Schema.Int,
  oldest: Schema.NullOr(Schema.Date)
})

export const RunBacklog = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* Sql
    const observer = Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const secondsSince = (oldest: Date | null | undefined) =>
        oldest == null ? 0 : Math.max(0, nowMillis - oldest.getTime()) / 1000
      const setBacklog = (stage: string, of: { readonly count: number; readonly oldest: Date | null } | undefined) => {
        size.set(of?.count ?? 0, stage)
        age.set(secondsSince(of?.oldest), stage)
      }
      setBacklog(
        "automations",
        yield* rowOf(Waiting)(sql`
          SELECT count(*) AS count, min(due_at) AS oldest FROM (
            SELECT due_at FROM automation_inbox WHERE due_at <= ${new Date(nowMillis)} AND NOT parked ORDER BY due_at LIMIT ${AT_MOST}::int
          ) AS due`)
      )
      setBacklog(
        "places",
        yield* rowOf(Waiting)(sql`
          SELECT count(*) AS count, min(place_wanted_on) AS oldest FROM (
            SELECT place_wanted_on FROM runs WHERE place_wanted_on IS NOT NULL
            ORDER BY org_id, app_id, automation_id, run_id LIMIT ${AT_MOST}::int
          ) AS line`)
      )
      const runs = yield* rowsOf(Open)(sql`
        SELECT state, count(*) AS count, min(since) AS oldest FROM (
          SELECT coalesce(${waitingBy(sql)}, r.status) AS state, r.wait_since AS since
          FROM runs r WHERE r.completed_on IS NULL ORDER BY r.automation_id, r.run_id LIMIT ${AT_MOST}::int
        ) AS open GROUP BY 1`)
      openRuns.clear()
      for (const { count, state } of runs) openRuns.set(count, state)
      setBacklog(
        "credits",
        runs.find(({ state }) => state === "credits")
      )
    })
    yield* observing("runs", observer)
  })
)
