// Schema and rights of a Postgres of one's own (issue "isolation"): an owner's address besides the service's, or one role for both.
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { urlAs } from "../../../bin/parts/database.js"
import { migrate } from "../../../src/platform/sql/Migrator.ts"
import { prepareOwned } from "../../../src/platform/sql/prepareDatabase.ts"
import { emptyDatabaseUrl, layerOn, urlOf } from "../../support/database.ts"

const on = (url: string) => layerOn(url, 1)
const commands = (url: string, ...list: ReadonlyArray<string>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(list, (command) => sql.unsafe(command), { discard: true })
  ).pipe(Effect.provide(on(url)))

/** An empty database that a role without any other right owns, and a second role. */
const twoRoles = Effect.gen(function* () {
  const server = inject("databaseUrl")
  const superuser = yield* emptyDatabaseUrl
  const name = new URL(superuser).pathname.slice(1)
  const [owner, service] = ["owner", "service"].map((what) => `test_${what}_${randomUUID().slice(0, 8)}`) as [
    string,
    string
  ]
  yield* Effect.acquireRelease(
    commands(
      superuser,
      `CREATE ROLE ${owner} LOGIN PASSWORD 'owner'`,
      `CREATE ROLE ${service} LOGIN PASSWORD 'service'`,
      `ALTER DATABASE "${name}" OWNER TO ${owner}`
    ),
    () =>
      commands(
        superuser,
        `DROP OWNED BY ${service}`,
        `REASSIGN OWNED BY ${owner} TO CURRENT_USER`,
        `DROP ROLE ${owner}, ${service}`
      ).pipe(Effect.orDie)
  )
  const url = urlOf(server, name)
  return { owner: urlAs(url, owner, "owner"), service: urlAs(url, service, "service") }
})

const database = (url: string) => `"${new URL(url).pathname.slice(1)}"`
/** The same database as its superuser. */
const inDatabaseOf = (url: string) => urlOf(inject("databaseUrl"), new URL(url).pathname.slice(1))

const RECORD = `
  INSERT INTO records (app_id, org_id, app_record_id, cells, created_on, created_by) VALUES (1, 1, 1, '{}', now(), '{}')`
const TRASHED = "UPDATE records SET deleted_on = now()"

describe("the schema and its rights", () => {
  it.live("with an owner's address the service's role works on the rows, and what a later release adds", () =>
    Effect.gen(function* () {
      const { owner, service } = yield* twoRoles
      const schemaError = yield* Effect.flip(migrate.pipe(Effect.provide(on(service))))
      assert.strictEqual(schemaError._tag, "SchemaBehind")
      assert.match(schemaError.message, /lacks 0001_accounts, .* DATABASE_OWNER_URL/)

      const prepareAgain = prepareOwned(Redacted.make(owner), Redacted.make(service))
      assert.isAbove((yield* prepareAgain).length, 10)
      assert.deepStrictEqual(yield* migrate.pipe(Effect.provide(on(service))), [])
      yield* commands(service, "INSERT INTO organizations (name, slug, created_on) VALUES ('a', 'a', now())")
      yield* commands(service, "UPDATE organizations SET name = 'b'", "DELETE FROM organizations")
      for (const denied of ["DELETE FROM audit_log", "CREATE TABLE more (id int)", "DROP TABLE organizations"])
        assert.isTrue(yield* Effect.isFailure(commands(service, denied)), denied)

      yield* commands(owner, "CREATE TABLE of_a_later_release (id int GENERATED ALWAYS AS IDENTITY)")
      yield* commands(owner, "CREATE TABLE by_month (at date) PARTITION BY RANGE (at)")
      yield* commands(
        owner,
        "CREATE TABLE by_month_1 PARTITION OF by_month FOR VALUES FROM ('2026-01-01') TO ('2026-02-01')"
      )
      yield* prepareAgain
      yield* commands(service, "INSERT INTO of_a_later_release DEFAULT VALUES", "DELETE FROM of_a_later_release")
      yield* commands(service, "INSERT INTO by_month VALUES ('2026-01-05')", "SELECT at FROM by_month")
      assert.isTrue(
        yield* Effect.isFailure(commands(service, "DELETE FROM by_month_1")),
        "a partition is no way around"
      )
    }).pipe(Effect.scoped)
  )

  it.live("one role may do it all, as before", () =>
    Effect.gen(function* () {
      const { owner } = yield* twoRoles
      const url = Redacted.make(owner)
      assert.isAbove((yield* prepareOwned(url, url)).length, 10)
      yield* commands(owner, "INSERT INTO organizations (name, slug, created_on) VALUES ('a', 'a', now())")
    }).pipe(Effect.scoped)
  )

  it.live("in a schema of another name a record is made, deleted, restored and removed", () =>
    Effect.gen(function* () {
      const { owner, service } = yield* twoRoles
      const [name, other] = [owner, service].map((url) => new URL(url).username)
      yield* commands(
        owner,
        `CREATE SCHEMA millrace`,
        `ALTER ROLE ${name} SET search_path = millrace`,
        "DROP SCHEMA IF EXISTS public"
      )
      yield* commands(inDatabaseOf(owner), `ALTER ROLE ${other} SET search_path = millrace`)
      yield* prepareOwned(Redacted.make(owner), Redacted.make(service))
      yield* commands(service, RECORD, TRASHED, "UPDATE records SET deleted_on = NULL", TRASHED, "DELETE FROM records")
      const counts = Effect.flatMap(
        SqlClient.SqlClient,
        (sql) => sql`SELECT sum(change)::int AS live FROM record_counts WHERE app_id = 1`
      )
      assert.deepStrictEqual(yield* counts.pipe(Effect.provide(on(service))), [{ live: 0 }])
    }).pipe(Effect.scoped)
  )

  it.live("what a session of the service's makes for itself is nothing to functions that run as the owner", () =>
    Effect.gen(function* () {
      const { owner, service } = yield* twoRoles
      yield* prepareOwned(Redacted.make(owner), Redacted.make(service))
      assert.isTrue(yield* Effect.isFailure(commands(service, "CREATE TEMPORARY TABLE mine (id int)")))
      // An administrator may allow it all the same.
      yield* commands(inDatabaseOf(owner), `GRANT TEMPORARY ON DATABASE ${database(owner)} TO PUBLIC`)
      const session = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(RECORD)
        yield* sql`CREATE TEMPORARY TABLE record_counts (app_id bigint, change bigint)`
        yield* sql.unsafe(TRASHED)
        assert.deepStrictEqual(yield* sql`SELECT * FROM pg_temp.record_counts`, [])
        assert.deepStrictEqual(
          yield* sql`
            SELECT proname, proconfig FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace
            WHERE prosecdef AND nspname = 'public' AND NOT 'search_path=public, pg_temp' = ANY(coalesce(proconfig, '{}'))`,
          []
        )
      })
      yield* session.pipe(Effect.provide(on(service)))
    }).pipe(Effect.scoped)
  )

  it.effect("an address that cannot be read is named, not shown", () =>
    Effect.gen(function* () {
      const [owner, service] = ["postgres://a:secret@host:port/db", "postgres://b:secret@host/db"].map((url) =>
        Redacted.make(url)
      )
      const refusal = yield* Effect.flip(prepareOwned(owner!, service!))
      assert.match(refusal.message, /^DATABASE_OWNER_URL must be postgres:/)
      assert.notInclude(refusal.message, "secret")
    })
  )
})
