// A database of its own for every test file, cloned in milliseconds from a template that has been migrated once.
import { randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Redacted } from "effect"
import { inject } from "vitest"
import { layerPool } from "../../src/sql/Client.ts"

export const TEMPLATE = "millrace_template"

/** The address of another database on the same server. */
export const urlOf = (url: string, database: string): string => {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

const administer = (url: string, command: string) =>
  Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(command)).pipe(
    Effect.provide(layerPool({ url: Redacted.make(url), maxConnections: 1, applicationName: "tests" })),
    Effect.orDie
  )

/** Creates a database, empty or as a copy of the template. */
export const createDatabase = (url: string, name: string, template = "template0") =>
  administer(url, `CREATE DATABASE "${name}" TEMPLATE "${template}" STRATEGY file_copy`)

/** The URL of a fresh, migrated database, dropped with the scope: for tests that start processes. */
export const freshDatabaseUrl = Effect.gen(function* () {
  const server = inject("databaseUrl")
  const name = `test_${randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(createDatabase(server, name, TEMPLATE), () =>
    administer(server, `DROP DATABASE "${name}" WITH (FORCE)`)
  )
  return urlOf(server, name)
})

/** The same without a schema: for tests of the migrator and of a first start. */
export const emptyDatabaseUrl = Effect.gen(function* () {
  const server = inject("databaseUrl")
  const name = `test_${randomUUID().replaceAll("-", "")}`
  yield* Effect.acquireRelease(createDatabase(server, name), () =>
    administer(server, `DROP DATABASE "${name}" WITH (FORCE)`)
  )
  return urlOf(server, name)
})

/** `PgClient` and `SqlClient` on a fresh, migrated database, which goes with the layer's scope. */
export const layerDatabase = Layer.unwrap(
  Effect.map(freshDatabaseUrl, (url) =>
    layerPool({ url: Redacted.make(url), maxConnections: 10, applicationName: "tests" })
  )
)
