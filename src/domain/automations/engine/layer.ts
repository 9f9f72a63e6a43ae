// The engine's services. `Engine` is for processes with a worker; `Steps`, `Values` and `Filters` come from their rooms.
import { Layer } from "effect"
import { StepsLive } from "../actions/runtimes.ts"
import { FiltersLive } from "../filter/evaluate.ts"
import { ValuesLive } from "../values/resolve.ts"
import { Changes } from "./Changes.ts"
import { Credits } from "./Credits.ts"
import { Executions } from "./Executions.ts"
import { Executor } from "./Executor.ts"
import { Firing } from "./Firing.ts"
import { NewRuns } from "./NewRuns.ts"
import { OutsidePlaces } from "./OutsidePlaces.ts"
import { Places } from "./Places.ts"
import { Reconcile } from "./Reconcile.ts"
import { RecordStates } from "./RecordStates.ts"
import { Revisions } from "./Revisions.ts"
import { Runner } from "./Runner.ts"
import { RunStore } from "./RunStore.ts"
import { RunWorkflows } from "./RunWorkflows.ts"
import { Schedules } from "./Schedules.ts"
import { Sight } from "./Sight.ts"
import { Ticks } from "./Ticks.ts"

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
