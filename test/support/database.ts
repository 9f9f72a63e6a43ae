// A database of its own for every test file, cloned in milliseconds from a template that has been migrated once. Tests work on it
// as the service does, with the rights of the service's role; what only an owner may do, as DDL, goes through `asOwner`.
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { SERVICE_ROLE, urlAs } from "../../bin/parts/database.js"
import { layerPool } from "../../src/platform/sql/Pool.ts"
import { grantTo } from "../../src/platform/sql/roleGrants.ts"
import { databaseServer } from "./databaseServer.ts"

export const TEMPLATE = "millrace_template"

/** A busy machine takes its time; nothing here is about that. */
const PATIENT = { connectSeconds: 60 }

/** The address for the service's role. */
export const asService = (url: string): string => urlAs(url, SERVICE_ROLE, "test-service")

/** The address of another database on the same server. */
export const urlOf = (url: string, database: string): string => {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

const administer = (url: string, command: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(command)).pipe(
    Effect.provide(layerPool({ url: Redacted.make(url), maxConnections: 1, applicationName: "tests", ...PATIENT })),
    Effect.orDie
  )

/** Creates a database, empty or as a copy of the template. */
export const createDatabase = (url: string, name: string, template = "template0") =>
  administer(url, `CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY file_copy`)

/** The URL of a fresh, migrated database, dropped with the scope: for tests that start processes. */
export const freshDatabaseUrl = Effect.gen(function* () {
  const server = yield* databaseServer
  const name = `test_${randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(createDatabase(server, name, TEMPLATE), () =>
    administer(server, `DROP DATABASE "${name}" WITH (FORCE)`)
  )
  return asService(urlOf(server, name))
})

/** Statements after which a transaction of this database was left open, as it is while its owner waits for something else. */
export const openTransactions = (sql: SqlClient.SqlClient) =>
  sql`SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`

const nameIn = (url: string) => new URL(url).pathname.slice(1)

/** Keeps the database as it is now; what is given puts it back in the place of the one that has gone on. Nobody may be connected. */
export const keepCopy = Effect.fnUntraced(function* (url: string) {
  const server = inject("databaseUrl")
  const name = nameIn(url)
  const kept = `kept_${randomUUID().replaceAll("-", "")}`
  yield* createDatabase(server, kept, name)
  return administer(server, `DROP DATABASE "${name}" WITH (FORCE)`).pipe(
    Effect.andThen(createDatabase(server, name, kept)),
    Effect.andThen(administer(server, `DROP DATABASE "${kept}"`))
  )
})

/** Runs statements as the superuser on this very database; what they make, the service may use. */
export const asOwner = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [here] = yield* sql<{ name: string }>`SELECT current_database() AS name`
    const url = Redacted.make(urlOf(inject("databaseUrl"), here!.name))
    return yield* Effect.tap(effect, () => grantTo(SERVICE_ROLE)).pipe(
      Effect.provide(layerPool({ url, maxConnections: 1, applicationName: "owner", ...PATIENT }))
    )
  })

/** DDL as the superuser on this very database. */
export const ddl = (...commands: ReadonlyArray<string>) =>
  asOwner(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.forEach(commands, (command) => sql.unsafe(command), { discard: true })
    )
  )

/** Without a schema, for a role that may do everything: for tests of the migrator and of a first start. */
export const emptyDatabaseUrl = Effect.gen(function* () {
  const server = yield* databaseServer
  const name = `test_${randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(createDatabase(server, name), () =>
    administer(server, `DROP DATABASE "${name}" WITH (FORCE)`)
  )
  return urlOf(server, name)
})

/** `PgClient` and `SqlClient` on a database that is there. */
export const layerOn = (url: string, maxConnections = 10) =>
  layerPool({ url: Redacted.make(url), maxConnections, applicationName: "tests", ...PATIENT })

/** `PgClient` and `SqlClient` on a fresh, migrated database, which goes with the layer's scope. */
export const layerDatabase = Layer.unwrap(Effect.map(freshDatabaseUrl, layerOn))
