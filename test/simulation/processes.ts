// A process of a schedule: relay, actors and the engine of automations over sessions, time, Temporal and receivers of the schedule.
import type { Client } from "@temporalio/client"
import { Clock, Context, Effect, Exit, Layer, Random, type Redacted, References, Scheduler, Scope } from "effect"
import { InProcess } from "../../src/domain/accounts/InProcess.ts"
import { Engine } from "../../src/domain/automations/engineLayer.ts"
import { WebhookWorker } from "../../src/domain/webhooks/layer.ts"
import { Installation } from "../../src/engine/epoch/Installation.ts"
import { RelayWake } from "../../src/engine/outbox/RelayWake.ts"
import * as Actors from "../../src/engine/relay/layer.ts"
import { Draining } from "../../src/engine/temporal/Draining.ts"
import { Temporal } from "../../src/engine/temporal/Temporal.ts"
import { TemporalFailed } from "../../src/engine/temporal/TemporalFailed.ts"
import * as kinds from "../../src/kinds.ts"
import { ActorTuning, defaultTuning } from "../../src/platform/config/Tuning.ts"
import { Secrets } from "../../src/platform/sealing/Secrets.ts"
import { Wakes } from "../../src/platform/sql/Wakes.ts"
import { Services } from "../../src/services.ts"
import { configLayer } from "../support/app.ts"
import { layerFirstEpoch } from "../support/epochs.ts"
import { type Activities, activitiesOf } from "./activities.ts"
import type { Draws } from "./draws.ts"
import type { Gate } from "./Gate.ts"
import { Gating, gatedPool } from "./gatedPool.ts"
import type { Receivers } from "./receivers.ts"
import type { SimulatedTemporal } from "./SimulatedTemporal.ts"
import { temporalClient } from "./temporalClient.ts"
import type { VirtualTime } from "./virtualTime.ts"

export interface Surroundings {
  readonly url: Redacted.Redacted
  readonly gate: Gate
  readonly time: VirtualTime
  readonly temporal: SimulatedTemporal
  readonly receivers: Receivers
  readonly draws: Draws
  readonly env: Readonly<Record<string, string>>
  readonly reconciles: boolean
}

/** Sessions of its pool. */
export const SESSIONS = 6
const settings = {
  connection: { address: "simulated" },
  namespace: "simulated",
  retentionDays: 1,
  queues: { actors: "actors", outside: "outside" }
}

const tuning = { ...defaultTuning, relayPollMillis: 20_000, sweepEveryMillis: 20_000 }

const temporalLayer = ({ reconciles, temporal }: Surroundings, owner: string) =>
  Layer.succeed(
    Temporal,
    Temporal.of({
      settings: settings as never,
      // Rounds of reconciling begin with it.
      connection: reconciles ? Effect.succeed({} as never) : Effect.never,
      client: Effect.never,
      connected: Effect.succeed(true),
      call: (f) =>
        Effect.tryPromise({
          try: () => f(temporalClient(temporal, owner) as unknown as Client),
          catch: (cause) => new TemporalFailed({ cause })
        })
    })
  )

/** Clock, chance, order of fibers and gates of sessions, all from the schedule. */
export const foundations = (
  { draws, gate, time }: Pick<Surroundings, "draws" | "gate" | "time">,
  owner: string,
  isAlive: () => boolean
): Context.Context<never> => {
  const scheduler = new Scheduler.MixedScheduler("async", (run) => {
    gate.touch()
    const immediate = setImmediate(run)
    return () => clearImmediate(immediate)
  })
  return Context.empty().pipe(
    Context.add(Clock.Clock, time.clockFor(isAlive)),
    Context.add(Random.Random, { nextDoubleUnsafe: draws.next, nextIntUnsafe: () => draws.below(2 ** 31) }),
    Context.add(Scheduler.Scheduler, scheduler),
    Context.add(Gating, { gate, owner }),
    Context.add(References.MinimumLogLevel, "None")
  ) as Context.Context<never>
}

/** The services of the domain over a pool, a way to wake relays, Temporal and settings. */
export const servicesLayer = (surroundings: Surroundings, owner: string) =>
  Services.pipe(
    Layer.provideMerge(Wakes.layer),
    Layer.provideMerge(Secrets.layer),
    Layer.provideMerge(temporalLayer(surroundings, owner)),
    Layer.provideMerge(Layer.succeed(ActorTuning, tuning)),
    Layer.provideMerge(configLayer({ ...surroundings.env, SCRIPT_CONFINEMENT: "off" }))
  )

const workerLayer = (surroundings: Surroundings, owner: string) =>
  Actors.layer.pipe(
    Layer.provideMerge(kinds.layer),
    Layer.provideMerge(WebhookWorker),
    Layer.provideMerge(Engine),
    Layer.provideMerge(surroundings.receivers.layerFor(owner)),
    Layer.provideMerge(Layer.mergeAll(Draining.layer, layerFirstEpoch)),
    Layer.provideMerge(Layer.mock(InProcess, {})),
    Layer.provideMerge(Layer.mock(Installation, { changed: Effect.succeed(null) })),
    Layer.provideMerge(servicesLayer(surroundings, owner)),
    Layer.provideMerge(RelayWake.layer),
    Layer.provideMerge(gatedPool(surroundings, owner, SESSIONS)),
    Layer.fresh
  )

export type Worker = Layer.Success<ReturnType<typeof workerLayer>>

export interface Process {
  readonly owner: string
  isAlive: boolean
  /** Undefined until it has started. */
  activities: Activities | undefined
  /** Tells its relay that there are events. */
  poke: (() => void) | undefined
  /** Frees what it holds; after the schedule, when nobody sees what that does. */
  readonly free: () => void
}

/** Starts a process. It ends only with its life: its fibers wait for ever for sessions and timers that are no more. */
export const startProcess = (surroundings: Surroundings, owner: string): Process => {
  const scope = Scope.makeUnsafe()
  const closeScope = () => void Effect.runFork(Scope.close(scope, Exit.void))
  const process: Process = { owner, isAlive: true, activities: undefined, poke: undefined, free: closeScope }
  const base = foundations(surroundings, owner, () => process.isAlive)
  const layer = workerLayer(surroundings, owner)
  const start = Effect.map(Layer.buildWithScope(layer, scope), (context) => {
    const { poke } = Context.get(context, RelayWake)
    process.poke = () => Effect.runForkWith(base)(poke)
    process.activities = activitiesOf(Context.merge(base, context))
  })
  Effect.runForkWith(base)(start).addObserver((exit) => {
    if (Exit.isFailure(exit) && process.isAlive) throw new Error(`${owner} does not start`, { cause: exit.cause })
  })
  return process
}
