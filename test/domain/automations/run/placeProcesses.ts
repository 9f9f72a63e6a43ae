// Processes that share the concurrency slots of an organization, and runs for them, for places.test.ts.
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationSlots } from "../../../../src/domain/automations/run/OrganizationSlots.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { RelayWake } from "../../../../src/engine/outbox/RelayWake.ts"
import { AppConfig } from "../../../../src/platform/config/Config.ts"
import { layerPool } from "../../../../src/platform/sql/Pool.ts"
import { freshDatabaseUrl } from "../../../support/database.ts"

export const ORG = 7

/** As processes of the service are: each with its own pool and its own line. */
export const processes = Effect.fnUntraced(function* (n: number, places: number) {
  const url = Redacted.make(yield* freshDatabaseUrl)
  const processLayer = OrganizationSlots.layer.pipe(
    Layer.provide(Outbox.layer),
    Layer.provide(RelayWake.layer),
    Layer.provide(Layer.succeed(AppConfig, { runsConcurrent: places } as AppConfig["Service"])),
    Layer.provideMerge(layerPool({ url, maxConnections: 8, applicationName: "places" })),
    Layer.fresh
  )
  return yield* Effect.forEach(Array.from({ length: n }), () =>
    Effect.map(Layer.build(processLayer), (context) => ({
      sql: Context.get(context, SqlClient.SqlClient),
      places: Context.get(context, OrganizationSlots)
    }))
  )
})
export type Process = Effect.Success<ReturnType<typeof processes>>[number]

export const created = ({ sql }: Process, id: number, app = 1, automation = app) => sql`
  INSERT INTO runs (run_id, org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain, created_on)
  OVERRIDING SYSTEM VALUE VALUES (${id}, ${ORG}, ${app}, ${automation}, 0, ${id}, 'regular', 'running', false, 0, '{}', now())`
