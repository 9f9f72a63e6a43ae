// Gauges of due deliveries in all processes for /metrics: read from the database at collection.
import { Clock, Effect, Layer, Schema } from "effect"
import { gauge } from "../../platform/metrics/instruments.ts"
import { observing } from "../../platform/metrics/observers.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { dueDeliveries } from "./bundles/allDeliveries.ts"

const size = gauge("millrace.backlog.size")
const age = gauge("millrace.backlog.age")

const Due = Schema.Struct({ count: Schema.Int, oldest: Schema.NullOr(Schema.Date) })

export const DeliveryBacklog = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* Sql
    const observer = Effect.gen(function* () {
      const nowMillis = yield* Clock.currentTimeMillis
      const due = yield* rowOf(Due)(dueDeliveries(sql, new Date(nowMillis)))
      size.set(due?.count ?? 0, "webhooks")
      age.set(due?.oldest == null ? 0 : Math.max(0, nowMillis - due.oldest.getTime()) / 1000, "webhooks")
    })
    yield* observing("deliveries", observer)
  })
)
