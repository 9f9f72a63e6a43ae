// The whole spine over one test kind: relay, actors, workers, on the run's Postgres and Temporal, with short time-outs.
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { actorActivities } from "../../../../activities/actor.ts"
import type { Activations } from "../../../../src/engine/actors/Activations.ts"
import { type ActorKind, ActorKinds } from "../../../../src/engine/actors/ActorKind.ts"
import { RelayWake } from "../../../../src/engine/outbox/RelayWake.ts"
import * as ActorsLayer from "../../../../src/engine/relay/layer.ts"
import { attempt } from "../../../../src/engine/temporal/bridge.ts"
import { Draining } from "../../../../src/engine/temporal/Draining.ts"
import type { Epoch } from "../../../../src/engine/temporal/Epoch.ts"
import { Temporal, TemporalSettings } from "../../../../src/engine/temporal/Temporal.ts"
import * as Worker from "../../../../src/engine/temporal/TemporalWorker.ts"
import { ActorTuning, defaultTuning, type Tuning } from "../../../../src/platform/config/Tuning.ts"
import { layerPool } from "../../../../src/platform/sql/Pool.ts"
import { Wakes } from "../../../../src/platform/sql/Wakes.ts"
import { layerFirstEpoch } from "../../../support/epochs.ts"

export interface Setting {
  readonly databaseUrl: string
  readonly temporalAddress: string
  readonly namespace: string
  readonly tuning?: Partial<Tuning>
}

const quick: Partial<Tuning> = {
  heartbeatTimeoutMillis: 2_000,
  heartbeatEveryMillis: 200,
  seenEveryMillis: 500,
  lingerMillis: 300,
  activationMillis: 5_000,
  sweepEveryMillis: 500,
  sweepCalledAfterMillis: 1_000,
  sweepAsleepAfterMillis: 500,
  sweepUnseenAfterMillis: 3_000,
  idleInTransactionMillis: 1_000,
  relayPollMillis: 100
}

const layerActivities = Layer.effect(
  Worker.Activities,
  Effect.map(Effect.context<Activations | Epoch>(), (context) => ({
    actors: actorActivities(attempt(context)),
    outside: {}
  }))
)

/** One process's worth of worker role. */
export const layerWorker = (setting: Setting, kind: Effect.Effect<ActorKind, never, SqlClient.SqlClient>) =>
  Worker.layer.pipe(
    Layer.provide(layerActivities),
    Layer.provideMerge(ActorsLayer.layer),
    Layer.provideMerge(ActorKinds.layer([kind])),
    Layer.provideMerge(Layer.mergeAll(Temporal.layer, layerFirstEpoch, RelayWake.layer, Wakes.layer, Draining.layer)),
    Layer.provideMerge(
      Layer.mergeAll(
        layerPool({ url: Redacted.make(setting.databaseUrl), maxConnections: 12, applicationName: "worker" }),
        Layer.succeed(TemporalSettings, {
          connection: { address: setting.temporalAddress },
          namespace: setting.namespace,
          retentionDays: 1,
          queues: { actors: "millrace", outside: "millrace-outside" }
        }),
        Layer.succeed(ActorTuning, { ...defaultTuning, ...quick, ...setting.tuning })
      )
    ),
    Layer.fresh
  )

export { eventually } from "../../../support/eventually.ts"

export const countWhere = (table: string, where: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql.unsafe<{ n: number }>(`SELECT count(*) AS n FROM ${table} WHERE ${where}`)
    return rows[0]!.n
  })
