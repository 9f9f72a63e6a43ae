// Brings the database to this release's schema, one process at a time (advisory lock), recorded in effect_sql_migrations.
// A role that may not create tables, as the service's own in the embedded Postgres, finds it done or refuses to start.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgMigrator } from "@effect/sql-pg"
import { Effect, Layer, Schema } from "effect"
import { migrations } from "./migrations/index.ts"
import { rowOf, rowsOf } from "./rows.ts"
import { Sql } from "./Sql.ts"

const MIGRATION_LOCK = 727_001

export class SchemaBehind extends Schema.TaggedError<SchemaBehind>()("SchemaBehind", {
  missing: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The database lacks ${this.missing.join(", ")}, and the role of DATABASE_URL may not change the schema. Run \`npm run cli -- migrate\` with DATABASE_OWNER_URL.`
  }
}

const Found = Schema.Struct({ known: Schema.Boolean, may: Schema.Boolean })

const LastMigration = Schema.Struct({ id: Schema.NullOr(Schema.Int) })

/** What this release has and the database has not, without touching anything. */
const pending = Effect.gen(function* () {
  const sql = yield* Sql
  const found = yield* rowOf(Found)(sql`
    SELECT to_regclass('effect_sql_migrations') IS NOT NULL AS known,
      has_schema_privilege(current_schema(), 'CREATE') AS may`)
  const [last] =
    found?.known === true
      ? yield* rowsOf(LastMigration)(sql`SELECT max(migration_id) AS id FROM effect_sql_migrations`)
      : []
  const missing = Object.keys(migrations).filter((name) => Number.parseInt(name, 10) > (last?.id ?? 0))
  return { missing, may: found?.may === true }
})

/** Runs what is missing; resolves to the `[id, name]` pairs that ran. */
export const migrate = Effect.gen(function* () {
  const sql = yield* Sql
  const { may, missing } = yield* pending
  if (missing.length === 0) return []
  if (!may) return yield* new SchemaBehind({ missing })
  return yield* sql.withTransaction(
    Effect.andThen(
      sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`,
      PgMigrator.run({ loader: PgMigrator.fromRecord(migrations) })
    )
  )
}).pipe(Effect.provide(NodeServices.layer))

export const layer = Layer.effectDiscard(migrate)
