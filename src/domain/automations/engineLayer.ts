// Services of the engine. `Engine` is for processes with a worker; `Steps`, `Values` and `Filters` come from their own modules.
import { Layer } from "effect"
import { Actors } from "../../engine/actors/Actors.ts"
import { FormerEpochs } from "../../engine/actors/FormerEpochs.ts"
import { StepsLive } from "./actions/runtimes.ts"
import { OutsideSlots } from "./durable/OutsideSlots.ts"
import { Reconcile } from "./durable/Reconcile.ts"
import { RunDriver } from "./durable/RunDriver.ts"
import { RunStarts } from "./durable/RunStarts.ts"
import { RunWorkflows } from "./durable/RunWorkflows.ts"
import { FiltersLive } from "./filter/FiltersLive.ts"
import { HookEventJudge } from "./hookfilters/hookEventJudge.ts"
import { RecordStates } from "./model/RecordStates.ts"
import { RunSecrets } from "./model/RunSecrets.ts"
import { RunVisibility } from "./model/RunVisibility.ts"
import { ConcurrencyLimits } from "./run/ConcurrencyLimits.ts"
import { Credits } from "./run/Credits.ts"
import { OrganizationSlots } from "./run/OrganizationSlots.ts"
import { PayloadShares } from "./run/PayloadShares.ts"
import { RevisionCache } from "./run/RevisionCache.ts"
import { RunContextFactory } from "./run/RunContextFactory.ts"
import { RunStore } from "./run/RunStore.ts"
import { PeriodicTicks } from "./schedules/PeriodicTicks.ts"
import { TemporalSchedules } from "./schedules/TemporalSchedules.ts"
import { SegmentExecutor } from "./steps/SegmentExecutor.ts"
import { ValuesLive } from "./values/resolveValues.ts"

const Rules = StepsLive.pipe(Layer.provideMerge(FiltersLive), Layer.provideMerge(ValuesLive))

const Stores = Layer.mergeAll(
  RunStore.layer,
  RecordStates.layer,
  RevisionCache.layer,
  Credits.layer,
  OrganizationSlots.layer,
  PayloadShares.layer,
  ConcurrencyLimits.layer,
  RunStarts.layer,
  RunWorkflows.layer,
  TemporalSchedules.layer,
  PeriodicTicks.layer
)

const Core = Reconcile.layer.pipe(
  Layer.provide(FormerEpochs.layer.pipe(Layer.provide(Actors.layer))),
  Layer.provideMerge(RunDriver.layer),
  Layer.provideMerge(Layer.mergeAll(SegmentExecutor.layer, HookEventJudge)),
  Layer.provideMerge(RunContextFactory.layer),
  Layer.provideMerge(Layer.mergeAll(Rules, Stores)),
  Layer.provideMerge(RunSecrets.layer),
  Layer.provideMerge(RunVisibility.layer)
)

/** Needs services of records and accounts, a pool, `Installation`, `Temporal`, `Epoch` and `Draining`. */
export const Engine = Layer.mergeAll(OutsideSlots.layer, Reconcile.layerRounds).pipe(Layer.provideMerge(Core))

/** Layer for one round of `Reconcile`, without the background work of an engine. */
export const ReconcileOnce = Core
