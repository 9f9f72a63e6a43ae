// Brings Temporal in step with the database, at once and whole (design: reconcile). Loaded by its command alone.
import { Effect, Layer } from "effect"
import { InProcessApi } from "../../api/routes.ts"
import { Reconcile } from "../../domain/automations/durable/Reconcile.ts"
import { ReconcileOnce } from "../../domain/automations/engineLayer.ts"
import * as EpochFound from "../../engine/epoch/EpochFound.ts"
import { Installation } from "../../engine/epoch/Installation.ts"
import { Draining } from "../../engine/temporal/Draining.ts"
import { Temporal, TemporalSettings } from "../../engine/temporal/Temporal.ts"
import { failWith } from "./output.ts"

const REACH_TEMPORAL = "20 seconds"

const OverTemporal = ReconcileOnce.pipe(
  Layer.provide(InProcessApi),
  Layer.provide(Draining.layer),
  Layer.provide(EpochFound.layer),
  Layer.provide(Installation.layerSettled),
  Layer.provideMerge(Temporal.layer.pipe(Layer.provide(TemporalSettings.layer)))
)

/** Reconciles once and answers the number of repairs by kind; fails when Temporal cannot be reached in time. */
export const reconcileNow = Effect.gen(function* () {
  const temporal = yield* Temporal
  yield* Effect.timeoutOrElse(temporal.connection, {
    duration: REACH_TEMPORAL,
    orElse: () => failWith({ message: `Temporal is not reached at ${temporal.settings.connection.address}.` })
  })
  return yield* Reconcile.use((service) => service.run(true))
}).pipe(Effect.provide(OverTemporal))
