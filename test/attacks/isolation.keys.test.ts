// Issue "Safe among strangers", sections 1.4 and 3.3: what whoever speaks with the service's voice to the database can take, and
// what a redirected log holds. Every attempt is one that worked while the service was the database's superuser.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { SERVICE_ROLE } from "../../bin/parts/database.js"
import { toShow } from "../../bin/parts/demo-seed.js"
import { postgresPassword } from "../../bin/parts/environment.js"
import { freePort, readJson, stop } from "../../bin/parts/os.js"
import { STOP_SIGNALS, startPostgres } from "../../bin/parts/postgres.js"
import { layerPool } from "../../src/sql/Client.ts"
import { migrate } from "../../src/sql/Migrator.ts"
import { root, Started } from "../bin/launcher.ts"
import { asOwner, layerDatabase } from "../support/database.ts"

/** Beyond the rows: the machine, other roles, the schema, the log of what happened. */
const attacks = [
  "COPY (SELECT 1) TO PROGRAM 'true'",
  "COPY (SELECT 1) TO '/tmp/millrace-attack'",
  "COPY organizations (name) FROM '/etc/hostname'",
  "SELECT pg_read_file('/etc/hostname')",
  "SELECT pg_read_binary_file('postgresql.conf')",
  "SELECT pg_ls_dir('.')",
  "SELECT lo_import('/etc/hostname')",
  "SELECT rolpassword FROM pg_authid",
  "SET session_replication_role = 'replica'",
  "SET ROLE millrace_owner",
  "SET SESSION AUTHORIZATION millrace",
  "CREATE ROLE attacker SUPERUSER",
  `ALTER ROLE ${SERVICE_ROLE} SUPERUSER`,
  `GRANT millrace_owner TO ${SERVICE_ROLE}`,
  "GRANT pg_execute_server_program TO CURRENT_USER",
  "CREATE SCHEMA attacker",
  "CREATE TABLE attacker (id int)",
  "CREATE VIEW attacker AS SELECT 1",
  "CREATE FUNCTION attacker() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  "CREATE OR REPLACE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
  "CREATE TRIGGER attacker BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_append_only()",
  "ALTER TABLE audit_log DISABLE TRIGGER ALL",
  "DROP TRIGGER audit_log_append_only ON audit_log",
  "UPDATE audit_log SET event = 'x'",
  "DELETE FROM audit_log",
  "TRUNCATE audit_log",
  "SELECT 1 FROM audit_log FOR UPDATE",
  "ALTER TABLE users ADD COLUMN backdoor text",
  "ALTER TABLE users OWNER TO CURRENT_USER",
  "DROP TABLE records",
  "TRUNCATE records",
  "DROP INDEX audit_log_org",
  "DELETE FROM effect_sql_migrations",
  "INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'attacker')"
]

/** The same, of those that no transaction takes. */
const outsideOfTransactions = ["ALTER SYSTEM SET log_statement = 'all'", "CREATE DATABASE attacker"]

const REFUSED = /permission denied|must be (owner|superuser)/

/** What Postgres says to a statement; undefined when it carries it out. */
const refusal = (statement: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    // Rolled back, so that one that gets through spoils nothing for the next.
    return yield* sql.withTransaction(Effect.andThen(sql.unsafe(statement), Effect.fail("carried out" as const))).pipe(
      Effect.flip,
      Effect.map((e) => (e === "carried out" ? undefined : String((e.reason.cause as Error).message)))
    )
  })

const allRefused = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const attack of outsideOfTransactions) {
    const { reason } = yield* Effect.flip(sql.unsafe(attack))
    assert.match(String((reason.cause as Error).message), REFUSED, attack)
  }
  for (const attack of attacks) {
    const said = yield* refusal(attack)
    assert.isDefined(said, `carried out: ${attack}`)
    assert.match(said!, REFUSED, attack)
  }
})

layer(layerDatabase, { excludeTestServices: true })(
  "issue 3.3: the role of the service in the embedded Postgres",
  (it) => {
    it.effect(
      "reads no files, runs no programs, becomes nobody else, changes neither schema nor audit log",
      () => allRefused
    )

    it.effect("is refused for its rights alone: an owner of everything gets through", () =>
      Effect.gen(function* () {
        const through = yield* asOwner(
          Effect.filter(attacks, (attack) => Effect.map(refusal(attack), (said) => said === undefined))
        )
        for (const word of [
          "TO PROGRAM",
          "pg_read_file",
          "CREATE ROLE",
          "CREATE TABLE",
          "DISABLE TRIGGER",
          "DROP TABLE"
        ])
          assert.isTrue(
            through.some((attack) => attack.includes(word)),
            word
          )
      })
    )
  }
)

describe("issue 1.4, 3.3: npm start on a data directory of an earlier release", () => {
  it("takes the superuser away from the service, keeps the data, and puts no credential into a redirected log", {
    timeout: 300_000
  }, async () => {
    const dir = mkdtempSync(join(tmpdir(), "millrace-attack-"))
    const data = join(dir, "data")
    for (const name of ["", "logs", "run"]) mkdirSync(join(data, name), { recursive: true, mode: 0o700 })
    let started: Started | undefined
    try {
      const old = await startPostgres({
        root,
        dir: join(data, "postgres"),
        port: await freePort(),
        password: postgresPassword(data),
        log: join(data, "logs", "postgres.log"),
        pidFile: join(data, "run", "postgres.json"),
        durable: false
      })
      const pool = (url: string) => layerPool({ url: Redacted.make(url), maxConnections: 1, applicationName: "test" })
      // As every release before did it: by the superuser, whose then all tables are.
      await Effect.runPromise(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* migrate
          yield* sql`INSERT INTO installation (name, value) VALUES ('left by the earlier release', 'yes')`
        }).pipe(Effect.provide(pool(old.url)))
      )
      await stop(old.identity, STOP_SIGNALS)

      started = new Started(data, await freePort(), { MILLRACE_MAIN: "src/main.ts", DEMO: "on" })
      await started.says("Ctrl-C stops it.", 240)
      const file = join(data, "demo-credentials.json")
      const demo = readJson(file)
      const state = readJson(join(data, "run", "state.json"))
      const url = new URL(state.env.DATABASE_URL)
      const superuser = readFileSync(join(data, "postgres-password"), "utf8").trim()
      assert.strictEqual(url.username, SERVICE_ROLE)
      await Effect.runPromise(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* allRefused
          assert.include(yield* refusal("CREATE TEMPORARY TABLE attacker (id int)"), "permission denied")
          assert.deepStrictEqual(
            yield* sql`SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls FROM pg_roles WHERE rolname = current_user`,
            [{ rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false }]
          )
          assert.deepStrictEqual(
            yield* sql`SELECT DISTINCT relowner::regrole::text AS owner FROM pg_class WHERE relnamespace = 'public'::regnamespace`,
            [{ owner: "millrace_owner" }]
          )
          assert.lengthOf(yield* sql`SELECT 1 FROM installation WHERE name = 'left by the earlier release'`, 1)
          assert.lengthOf(
            yield* sql`SELECT 1 FROM pg_roles WHERE rolname = 'millrace_owner' AND NOT rolsuper AND NOT rolcanlogin`,
            1
          )
        }).pipe(Effect.provide(pool(url.href)))
      )

      for (const name of ["postgres-password", "postgres-service-password", "secret-key", "demo-credentials.json"])
        assert.strictEqual(statSync(join(data, name)).mode & 0o777, 0o600, name)
      const service = started.part("service")
      const environ = readFileSync(`/proc/${service.pid}/environ`, "utf8")
      assert.include(environ, url.password)
      assert.notInclude(environ, superuser)

      const base = `http://127.0.0.1:${started.port}`
      const me = await fetch(`${base}/v1/user`, { headers: { authorization: `Bearer ${demo.token}` } })
      assert.strictEqual(me.status, 200)
      assert.include(started.output, file)
      const logs = readdirSync(join(data, "logs")).map((name) => readFileSync(join(data, "logs", name), "utf8"))
      const secrets = [demo.token, demo.password, superuser, url.password, state.env.SECRET_KEY]
      for (const printed of [started.output, ...logs]) {
        for (const secret of secrets) assert.isFalse(printed.includes(secret), "a credential in a log")
      }
      // On a terminal the person in front of it is shown what the file holds.
      assert.include(toShow(demo, file, true).join("\n"), demo.token)
    } finally {
      started?.killAll()
      if (started !== undefined) for (const part of Object.values(started.parts())) if (part) await stop(part, [])
      const left = readJson(join(data, "run", "postgres.json"))
      if (left !== undefined) await stop(left, STOP_SIGNALS)
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    }
  })
})
