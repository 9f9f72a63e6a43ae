// The whole service with its worker in one process, over a fresh database and the run's Temporal: what is done over HTTP is
// relayed, filtered, executed. Actors are quicker than in production, and jobs of housekeeping run when a test calls them.
import type { PgClient } from "@effect/sql-pg"
import { Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { Installation } from "../../src/engine/epoch/Installation.ts"
import { Temporal, TemporalSettings } from "../../src/engine/temporal/Temporal.ts"
import { ActorTuning, defaultTuning, type Tuning } from "../../src/platform/config/Tuning.ts"
import { WorkerLayerWithoutSchedules } from "../../src/worker.ts"
import { appLayerOver } from "./app.ts"
import { layerDatabase, layerOn } from "./database.ts"
import { freshName, temporalAddress } from "./temporal.ts"

const quickTuning: Partial<Tuning> = {
  heartbeatTimeoutMillis: 3_000,
  heartbeatEveryMillis: 300,
  lingerMillis: 500,
  sweepEveryMillis: 500,
  sweepCalledAfterMillis: 1_000,
  sweepAsleepAfterMillis: 500,
  relayPollMillis: 200
}

/** Where a process works that others come before and after. */
export interface Standing {
  readonly url: string
  readonly namespace: string
  readonly address?: string
}

export const spineLayer = (env: Record<string, string> = {}, tuning: Partial<Tuning> = {}) =>
  spineLayerOver(layerDatabase, env, tuning)

/** The same over a database and a namespace that outlive it. */
export const spineLayerOn = (on: Standing, env: Record<string, string> = {}) =>
  spineLayerOver(layerOn(on.url), env, {}, on)

/** The same over a database that is reached otherwise. */
export const spineLayerOver = <A, E>(
  database: Layer.Layer<A | PgClient.PgClient | SqlClient.SqlClient, E>,
  env: Record<string, string> = {},
  tuning: Partial<Tuning> = {},
  on?: Standing
) =>
  WorkerLayerWithoutSchedules.pipe(
    Layer.provideMerge(Installation.layerSettled),
    Layer.provideMerge(Temporal.layer),
    Layer.provideMerge(appLayerOver(database, env)),
    Layer.provideMerge(
      Layer.mergeAll(
        Layer.succeed(TemporalSettings, {
          connection: { address: on?.address ?? temporalAddress() },
          namespace: on?.namespace ?? freshName("spine"),
          retentionDays: 1,
          queues: { actors: "millrace", outside: "millrace-outside" }
        }),
        Layer.succeed(ActorTuning, { ...defaultTuning, ...quickTuning, ...tuning })
      )
    ),
    Layer.fresh
  )

export { eventually } from "./eventually.ts"
