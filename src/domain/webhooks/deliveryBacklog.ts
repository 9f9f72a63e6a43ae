// Gauges of due deliveries in all processes for /metrics: read from the database at collection.
import { Clock, Effect, Layer, Schema } from "effect"
import { gauge } from "../../platform/metrics/instruments.ts"
import { observing } from "../../platform/metrics/observers.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { waitingDeliveries } from "./bundles/allDeliveries.ts"

const size = gauge("millrace.backlog.size")
const age = gauge("millrace.backlog.age")

const Due = Schema.Struct({ count: Schema.Int, oldest: Schema.NullOr(Schema.Date) })

export const DeliveryBacklog = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* Sql
    const observer = Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const due = yield* rowOf(Due)(sql`
        SELECT count(*)::int AS count, min(due_at) AS oldest FROM ${waitingDeliveries(sql)} q
        WHERE NOT blocked AND due_at <= ${new Date(nowMillis)}
          AND NOT EXISTS (SELECT 1 FROM hooks h WHERE h.hook_id = q.hook_id AND h.paused_on IS NOT NULL)`)
      size.set(due?.count ?? 0, "webhooks")
      age.set(due?.oldest == null ? 0 : Math.max(0, nowMillis - due.oldest.getTime()) / 1000, "webhooks")
    })
    yield* observing("deliveries", observer)
  })
)
