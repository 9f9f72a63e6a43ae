// Checks Postgres: version, rights, schema, keys, connections, bloat, statistics, clock, long transactions.

import { Clock, Effect, Schema } from "effect"
import { needed } from "../../../platform/sealing/KeyRegister.ts"
import { Secrets } from "../../../platform/sealing/Secrets.ts"
import { postgresLiveness } from "../../../platform/sql/postgresLiveness.ts"
import { MOVE_TO_NEWER, OLDEST_POSTGRES } from "../../../platform/sql/postgresVersion.ts"
import { rowOf, rowsOf } from "../../../platform/sql/rows.ts"
import { Sql } from "../../../platform/sql/Sql.ts"
import { schemaStanding } from "../../../platform/sql/schemaLevel.ts"
import { check, fine, warning, wrong } from "./Diagnosis.ts"

const SKEW_MILLIS = 2_000
const CROWDED = 0.8
const LONG_SECONDS = 300
const DEAD_ROWS = 100_000
/** Seconds between two runs of autovacuum in a database. */
const SELDOM_SECONDS = 15
const BACKUP =
  "Restore the right database or take the key from where you keep it (docs/operations.md, Back up and restore)."

const Version = Schema.Struct({ number: Schema.Int, name: Schema.String, encoding: Schema.String, size: Schema.String })
const version = Effect.gen(function* () {
  const sql = yield* Sql
  const row = (yield* rowOf(Version)(sql`
    SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS name,
      current_setting('server_encoding') AS encoding, pg_size_pretty(pg_database_size(current_database())) AS size`))!
  const summary = `Postgres ${row.name}, ${row.encoding}, ${row.size}`
  if (row.encoding !== "UTF8") return wrong(summary, "Make the database anew with ENCODING 'UTF8' and restore into it.")
  return row.number < OLDEST_POSTGRES ? wrong(summary, MOVE_TO_NEWER) : fine(summary)
})

const Rights = Schema.Struct({
  name: Schema.String,
  superuser: Schema.Boolean,
  owns: Schema.Boolean,
  lacks: Schema.Int
})
const rights = Effect.gen(function* () {
  const sql = yield* Sql
  const row = (yield* rowOf(Rights)(sql`
    SELECT current_user::text AS name, r.rolsuper AS superuser,
      has_schema_privilege(current_schema(), 'CREATE') AS owns,
      (SELECT count(*)::int FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
        AND NOT c.relispartition
        AND NOT has_table_privilege(c.oid, 'SELECT')) AS lacks
    FROM pg_roles r WHERE r.rolname = current_user`))!
  if (row.lacks > 0)
    return wrong(
      `${row.name} may not read ${row.lacks} tables`,
      "Run `npm run cli -- migrate` with DATABASE_OWNER_URL."
    )
  if (row.superuser)
    return warning(
      `${row.name} is a superuser`,
      "Give the service a role of its own (docs/operations.md, Roles of the database)."
    )
  return fine(row.owns ? `${row.name} may change the schema` : `${row.name} reads and writes rows, and that is all`)
})

const schema = Effect.gen(function* () {
  const { ahead, missing } = yield* schemaStanding
  if (missing.length > 0) return wrong(`lacks ${missing.join(", ")}`, "Run `npm run cli -- migrate`.")
  return ahead.length > 0
    ? warning(`is ahead of this release: ${ahead.join(", ")}`, "A newer release works on it: upgrade this one.")
    : fine("is this release's")
})

const keys = Effect.gen(function* () {
  const { ring } = yield* Secrets
  const { needed: all } = yield* needed
  const missing = all.filter(({ fingerprint }) => !ring.some((key) => key.fingerprint === fingerprint))
  if (missing.length > 0) return wrong(`the ring lacks ${missing.map(({ id }) => id).join(", ")}`, BACKUP)
  return fine(`the ring of ${ring.length} holds all that the database needs; ${ring[0].id} encrypts`)
})

const Connections = Schema.Struct({ used: Schema.Int, most: Schema.Int, ours: Schema.Int })
const connections = Effect.gen(function* () {
  const sql = yield* Sql
  const { most, ours, used } = (yield* rowOf(Connections)(sql`
    SELECT count(*)::int AS used, current_setting('max_connections')::int AS most,
      (count(*) FILTER (WHERE application_name LIKE 'millrace-%'))::int AS ours FROM pg_stat_activity WHERE datname IS NOT NULL`))!
  const summary = `${used} of ${most} are taken, ${ours} of them by us`
  return used > CROWDED * most
    ? wrong(summary, "Raise max_connections, or lower DATABASE_POOL_API and DATABASE_POOL_WORKER.")
    : fine(summary)
})

const Long = Schema.Struct({ pid: Schema.Int, application: Schema.String, seconds: Schema.Int })
const transactions = Effect.gen(function* () {
  const sql = yield* Sql
  const [long] = yield* rowsOf(Long)(sql`
    SELECT pid, coalesce(application_name, '') AS application, extract(epoch FROM now() - xact_start)::int AS seconds
    FROM pg_stat_activity WHERE datname = current_database() AND xact_start < now() - make_interval(secs => ${LONG_SECONDS})
    ORDER BY xact_start LIMIT 1`)
  if (long === undefined) return fine(`none is older than ${LONG_SECONDS} s`)
  const summary = `${long.application || "somebody"} (pid ${long.pid}) has one open for ${long.seconds} s`
  return warning(
    summary,
    `Rows that are gone cannot be cleaned up behind it: SELECT pg_terminate_backend(${long.pid}), if nobody needs it.`
  )
})

const Bloat = Schema.Struct({ name: Schema.String, dead: Schema.Int, live: Schema.Int })
const bloat = Effect.gen(function* () {
  const sql = yield* Sql
  const rows = yield* rowsOf(Bloat)(sql`
    SELECT relname::text AS name, n_dead_tup::int8 AS dead, n_live_tup::int8 AS live FROM pg_stat_user_tables
    WHERE n_dead_tup > ${DEAD_ROWS} AND n_dead_tup > n_live_tup ORDER BY n_dead_tup DESC LIMIT 5`)
  if (rows.length === 0) return fine("no table has more dead rows than live ones")
  const summary = rows.map(({ dead, live, name }) => `${name}: ${dead} dead, ${live} live`).join("; ")
  return warning(
    summary,
    "Is autovacuum on? VACUUM (ANALYZE) these tables; look for old transactions and replication slots."
  )
})

const Autovacuum = Schema.Struct({ on: Schema.Boolean, seconds: Schema.Int })
const SEEN_OFTEN = "Set autovacuum_naptime to 5 s (docs/production.md)."
const statistics = Effect.gen(function* () {
  const sql = yield* Sql
  const { on, seconds } = (yield* rowOf(Autovacuum)(sql`
    SELECT current_setting('autovacuum')::boolean AND current_setting('track_counts')::boolean AS on,
      extract(epoch FROM current_setting('autovacuum_naptime')::interval)::int AS seconds`))!
  if (!on) return wrong("autovacuum is off", "Switch autovacuum and track_counts on: tables grow without it.")
  const summary = `autovacuum runs every ${seconds} s`
  return seconds > SELDOM_SECONDS
    ? warning(`${summary}: until then work that comes all at once is done by plans for empty tables`, SEEN_OFTEN)
    : fine(summary)
})

const Now = Schema.Struct({ now: Schema.Date })
const clock = Effect.gen(function* () {
  const sql = yield* Sql
  const beforeMillis = yield* Clock.currentTimeMillis
  const { now } = (yield* rowOf(Now)(sql`SELECT clock_timestamp() AS now`))!
  const afterMillis = yield* Clock.currentTimeMillis
  const skew = now.getTime() < beforeMillis ? now.getTime() - beforeMillis : Math.max(0, now.getTime() - afterMillis)
  const summary = `Postgres's clock is ${Math.abs(skew)} ms ${skew < 0 ? "behind" : "ahead of"} ours`
  return Math.abs(skew) > SKEW_MILLIS
    ? wrong(summary, "Set both machines' clocks by NTP: due dates and time-outs go by them.")
    : fine(summary)
})

const AGAIN = "See the message, and docs/operations.md."

const checkWrites = Effect.gen(function* () {
  const { detail, ok } = yield* postgresLiveness(yield* Sql)
  return ok
    ? fine("takes writes")
    : wrong(
        detail ?? "takes no writes",
        "Is it a standby, or its disk full? Is the schema there (below)? npm start restarts the embedded one by itself; read logs/postgres.log in DATA_DIR."
      )
})

export const databaseChecks = [
  check("postgres", "version", version, AGAIN),
  check("postgres", "work", checkWrites, AGAIN),
  check("postgres", "rights", rights, AGAIN),
  check("postgres", "schema", schema, "Run `npm run cli -- migrate`."),
  check("postgres", "keys", keys, BACKUP),
  check("postgres", "connections", connections, AGAIN),
  check("postgres", "transactions", transactions, AGAIN),
  check("postgres", "dead rows", bloat, AGAIN),
  check("postgres", "statistics", statistics, AGAIN),
  check("postgres", "clock", clock, AGAIN)
]
