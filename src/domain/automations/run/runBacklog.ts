// What /metrics tells of runs that are not over and of what waits to become one, in all processes: read when somebody collects.
import { Clock, Effect, Layer, Schema } from "effect"
import { gauge } from "../../../ground/metrics/instruments.ts"
import { observing } from "../../../ground/metrics/observers.ts"
import { rowOf, rowsOf } from "../../../ground/sql/rows.ts"
import { Sql } from "../../../ground/sql/Sql.ts"
import { waitingBy, waitReasons } from "./waiting.ts"

const size = gauge("millrace.backlog.size")
const age = gauge("millrace.backlog.age")
const open = gauge("millrace.run.open")

const Due = Schema.Struct({ count: Schema.Int, oldest: Schema.NullOr(Schema.Date) })
const Open = Schema.Struct({
  state: Schema.Literals([...waitReasons, "pending", "running"]),
  count: Schema.Int,
  oldest: Schema.NullOr(Schema.Date)
})

/** Why a run waits, and the stage of the backlog that this is. */
const stages = { place: "places", credits: "credits" } as const

export const RunBacklog = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* Sql
    const observer = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const secondsSince = (oldest: Date | null | undefined) =>
        oldest == null ? 0 : Math.max(0, now - oldest.getTime()) / 1000
      const due = yield* rowOf(Due)(sql`
        SELECT count(*) AS count, min(due_at) AS oldest FROM automation_inbox
        WHERE due_at <= ${new Date(now)} AND NOT parked`)
      size.set(due?.count ?? 0, "automations")
      age.set(secondsSince(due?.oldest), "automations")
      const runs = yield* rowsOf(Open)(sql`
        SELECT coalesce(${waitingBy(sql)}, r.status) AS state, count(*) AS count,
          min(coalesce(r.wait_since, r.place_wanted_on)) AS oldest
        FROM runs r WHERE r.completed_on IS NULL GROUP BY 1`)
      open.clear()
      for (const { count, state } of runs) open.set(count, state)
      for (const [why, stage] of Object.entries(stages)) {
        const waiting = runs.find(({ state }) => state === why)
        size.set(waiting?.count ?? 0, stage)
        age.set(secondsSince(waiting?.oldest), stage)
      }
    })
    yield* observing("runs", observer)
  })
)
