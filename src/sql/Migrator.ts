// Brings the database to this release's schema, one process at a time (advisory lock), recorded in effect_sql_migrations.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgMigrator } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "./migrations/index.ts"

const MIGRATION_LOCK = 727_001

/** Runs what is missing; resolves to the `[id, name]` pairs that ran. */
export const migrate = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.andThen(
      sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`,
      PgMigrator.run({ loader: PgMigrator.fromRecord(migrations) })
    )
  )
}).pipe(Effect.provide(NodeServices.layer))

export const layer = Layer.effectDiscard(migrate)
