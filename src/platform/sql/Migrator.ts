// Migrates the database to this release's schema, one process at a time (advisory lock), recorded in effect_sql_migrations. A role that may
// not create tables, as the service's own in the embedded Postgres, finds the schema migrated or refuses to start; so does a release that
// is too old for the schema (./schemaLevel.ts).
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgMigrator } from "@effect/sql-pg"
import { Effect, Layer, type Redacted, Schedule, Schema } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { MIGRATION_LOCK } from "./advisoryLocks.ts"
import { laterPending } from "./laterChanges.ts"
import { laterList } from "./laterList.ts"
import { migrations } from "./migrations/index.ts"
import { layerPool } from "./Pool.ts"
import { MOVE_TO_NEWER, OLDEST_POSTGRES } from "./postgresVersion.ts"
import { rowOf } from "./rows.ts"
import { Sql } from "./Sql.ts"
import { mayWork, raiseLevel, schemaStanding } from "./schemaLevel.ts"

class SchemaBehind extends Schema.TaggedError<SchemaBehind>()("SchemaBehind", {
  missing: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The database lacks ${this.missing.join(", ")}, and the role of DATABASE_URL may not change the schema. Run \`npm run cli -- migrate\` with DATABASE_OWNER_URL.`
  }
}

/** Error of a database that cannot hold all text, or is too old: found before anything is made. */
class DatabaseUnfit extends Schema.TaggedError<DatabaseUnfit>()("DatabaseUnfit", { why: Schema.String }) {
  override get message() {
    return this.why
  }
}

const Fitness = Schema.Struct({
  version: Schema.Int,
  name: Schema.String,
  encoding: Schema.String,
  database: Schema.String
})

/** Checks encoding and version of the database, as `doctor` does first. */
const fit = Effect.gen(function* () {
  const sql = yield* Sql
  const { database, encoding, name, version } = (yield* rowOf(Fitness)(sql`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
      current_setting('server_encoding') AS encoding, current_database()::text AS database`))!
  if (encoding !== "UTF8")
    return yield* new DatabaseUnfit({
      why: `The database ${database} is in ${encoding}, which does not hold every text. Make one anew: CREATE DATABASE ${database} ENCODING 'UTF8' TEMPLATE template0.`
    })
  if (version < OLDEST_POSTGRES)
    return yield* new DatabaseUnfit({
      why: `The database is in Postgres ${name}. ${MOVE_TO_NEWER}`
    })
})

const Rights = Schema.Struct({ may: Schema.Boolean })

/** Runs the missing migrations up to this one. Call in a transaction. */
const through = Effect.fnUntraced(function* (name: string) {
  const sql = yield* Sql
  yield* sql`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`
  const those = Object.fromEntries(Object.entries(migrations).filter(([each]) => each <= name))
  const appliedMigrations = yield* PgMigrator.run({ loader: PgMigrator.fromRecord(those) })
  if (name === Object.keys(migrations).at(-1)) yield* raiseLevel
  return appliedMigrations
})

const HELD_UP: ReadonlyArray<string> = ["DeadlockError", "LockTimeoutError"]

/** True if a migration did not get its table locks, as may happen next to a running service. */
const isHeldUp = (error: unknown) => {
  const cause = (error as { readonly cause?: unknown }).cause
  return isSqlError(cause) && HELD_UP.includes(cause.reason._tag)
}

/** Runs the missing migrations; resolves to the `[id, name]` pairs that ran. */
export const migrate = Effect.gen(function* () {
  const sql = yield* Sql
  yield* fit
  const schemaState = yield* schemaStanding
  yield* mayWork(schemaState)
  const { missing } = schemaState
  if (missing.length === 0) return []
  const rights = yield* rowOf(Rights)(sql`SELECT has_schema_privilege(current_schema(), 'CREATE') AS may`)
  if (rights?.may !== true) return yield* new SchemaBehind({ missing })
  // Runs one migration per transaction: next to a running service, one transaction for all would hold locks that others take in the
  // opposite order. A new database gets all of them in one.
  const isNewDatabase = missing.length === Object.keys(migrations).length
  const appliedMigrations = yield* Effect.forEach(isNewDatabase ? missing.slice(-1) : missing, (name) =>
    Effect.retry(sql.withTransaction(through(name)), {
      while: isHeldUp,
      schedule: Schedule.jittered(Schedule.exponential("200 millis")),
      times: 5
    })
  )
  return appliedMigrations.flat()
}).pipe(Effect.provide(NodeServices.layer))

/** Fails unless the database has been prepared. For commands of the operator, which use the database and do not migrate it. */
export const standsReady = Effect.gen(function* () {
  yield* fit
  const { missing } = yield* schemaStanding
  if (missing.length === 0) return
  const lacks =
    missing.length === Object.keys(migrations).length ? "has not been prepared" : `lacks ${missing.join(", ")}`
  return yield* new DatabaseUnfit({
    why: `The database ${lacks}. Start Millrace once, or run \`npm run cli -- migrate\`.`
  })
})

/** Logs at each start which later changes, made next to the running service, are still pending. */
const logPending = Effect.flatMap(laterPending(laterList), (names) =>
  names.length === 0
    ? Effect.void
    : Effect.logWarning(`changes of tables wait for \`npm run cli -- migrate --later\`: ${names.join(", ")}`)
)

const migrateAndLog = Effect.andThen(migrate, logPending)

export const layer = Layer.effectDiscard(migrateAndLog)

/** Migrates over a connection of its own, which is closed again. */
export const layerAt = (url: Redacted.Redacted) =>
  Layer.effectDiscard(
    Effect.provide(migrateAndLog, layerPool({ url, maxConnections: 1, applicationName: "millrace-migrate" }))
  )
