// The engine's services. `Engine` is for processes with a worker; `Steps`, `Values` and `Filters` come from their rooms.
import { Layer } from "effect"
import { StepsLive } from "./actions/runtimes.ts"
import { OutsidePlaces } from "./durable/OutsidePlaces.ts"
import { Reconcile } from "./durable/Reconcile.ts"
import { Runner } from "./durable/RunDriver.ts"
import { RunWorkflows } from "./durable/RunWorkflows.ts"
import { FiltersLive } from "./filter/evaluate.ts"
import { Firing } from "./firing/Firing.ts"
import { NewRuns } from "./firing/RunCreation.ts"
import { Changes } from "./firing/StateChanges.ts"
import { RecordStates } from "./model/RecordStates.ts"
import { Sight } from "./model/Sight.ts"
import { Revisions } from "./run/AutomationRevisions.ts"
import { Credits } from "./run/Credits.ts"
import { Executions } from "./run/RunContextFactory.ts"
import { Places } from "./run/RunPlaces.ts"
import { RunStore } from "./run/RunStore.ts"
import { Ticks } from "./schedules/PeriodicTicks.ts"
import { Schedules } from "./schedules/TemporalSchedules.ts"
import { Executor } from "./steps/SegmentExecutor.ts"
import { ValuesLive } from "./values/resolve.ts"

const Rules = StepsLive.pipe(Layer.provideMerge(FiltersLive), Layer.provideMerge(ValuesLive))

const Stores = Layer.mergeAll(
  RunStore.layer,
  RecordStates.layer,
  Revisions.layer,
  Credits.layer,
  Places.layer,
  RunWorkflows.layer,
  Schedules.layer,
  Ticks.layer
)

const Core = Reconcile.layer.pipe(
  Layer.provideMerge(Runner.layer),
  Layer.provideMerge(Layer.mergeAll(Executor.layer, Firing.layer, NewRuns.layer)),
  Layer.provideMerge(Executions.layer),
  Layer.provideMerge(Layer.mergeAll(Rules, Stores)),
  Layer.provideMerge(Sight.layer)
)

/** Needs services of records and accounts, a pool, `Temporal` and `Draining`. */
export const Engine = Layer.mergeAll(Changes.layer, OutsidePlaces.layer, Reconcile.layerRounds).pipe(
  Layer.provideMerge(Core)
)

/** `Reconcile` for one round, without what an engine does by itself. */
export const ReconcileOnce = Core
