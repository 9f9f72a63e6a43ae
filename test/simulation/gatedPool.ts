// Pools of Postgres whose sessions have a gate: that of a process, and those that its services open beside it.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Redacted } from "effect"
import { withWatchedCommits } from "../../src/platform/sql/Changes.ts"
import { withDirectAddress } from "../../src/platform/sql/directAddress.ts"
import { registry } from "../../src/platform/sql/Int8.ts"
import { type layerPool, PLANNED_ONCE, type PoolOptions } from "../../src/platform/sql/Pool.ts"
import { withCountedUse } from "../../src/platform/sql/poolUse.ts"
import type { Gate } from "./Gate.ts"

/** Of which gate and process the pools are that its services open; undefined outside of a schedule. */
export const Gating = Context.Reference<{ readonly gate: Gate; readonly owner: string } | undefined>(
  "test/SimulatedGating",
  { defaultValue: () => undefined }
)

/** A pool as a process with a worker has it (src/main.ts). */
export const gatedPool = (
  { gate, url }: { readonly gate: Gate; readonly url: Redacted.Redacted },
  owner: string,
  maxConnections: number
) =>
  PgClient.layerFrom(
    Effect.map(
      PgClient.make({
        ...{ url, maxConnections, applicationName: owner, multiplex: false, types: registry },
        stream: gate.streamFor(owner),
        startupParameters: { jit: "off", ...PLANNED_ONCE }
      }),
      (client) => withDirectAddress(withCountedUse(withWatchedCommits(client), owner, maxConnections), url)
    )
  )

/** `layerPool` with a gate, where a service of a schedule opens a pool of its own: draws of records' numbers do (RecordNumbers.ts). */
export const withGates = <M extends { readonly layerPool: typeof layerPool }>(module: M): M => ({
  ...module,
  layerPool: (options: PoolOptions) =>
    Layer.unwrap(
      Effect.map(Gating, (gating) =>
        gating === undefined
          ? module.layerPool(options)
          : Layer.fresh(
              gatedPool(
                { gate: gating.gate, url: options.url },
                `${gating.owner}.${options.applicationName}`,
                options.maxConnections
              )
            )
      )
    )
})
