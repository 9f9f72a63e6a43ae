// Issue "Safe among strangers", sections 1.4 and 3.3: what whoever speaks with the service's voice to the database can take, and
// what a redirected log holds. Every attempt is one that worked while the service was the database's superuser.
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { SERVICE_ROLE } from "../../bin/parts/database.js"
import { toShow } from "../../bin/parts/demo-seed.js"
import { postgresPassword } from "../../bin/parts/environment.js"
import { freePort, readJson, stop } from "../../bin/parts/os.js"
import { STOP_SIGNALS, startPostgres } from "../../bin/parts/postgres.js"
import { migrate } from "../../src/platform/sql/Migrator.ts"
import { root, Started } from "../bin/launcher.ts"
import { asOwner, freshDatabaseUrl, layerDatabase, layerOn } from "../support/database.ts"
import { plainEnvironment } from "../support/environment.ts"
import { ENDS_MILLIS } from "../support/eventually.ts"
import { startService } from "../support/processes.ts"
import { program } from "../support/programs.ts"

/** Beyond the rows: the machine, other roles, the schema, the log of what happened. */
const attacks = [
  "COPY (SELECT 1) TO PROGRAM 'cat > /dev/null'",
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
  "UPDATE audit_log SET happened_on = now(), count = 1",
  "SELECT audit_log_add_default()",
  "SELECT audit_log_guard('users')",
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
    const refusalText = yield* refusal(attack)
    assert.isDefined(refusalText, `carried out: ${attack}`)
    assert.match(refusalText!, REFUSED, attack)
  }
})

layer(layerDatabase, { excludeTestServices: true })("the role of the service in the embedded Postgres", (it) => {
  it.effect(
    "reads no files, runs no programs, becomes nobody else, changes neither schema nor audit log",
    () => allRefused
  )

  it.effect("is refused for its rights alone: an owner of everything gets through", () =>
    Effect.gen(function* () {
      const through = yield* asOwner(
        Effect.filter(attacks, (attack) => Effect.map(refusal(attack), (said) => said === undefined))
      )
      for (const word of ["TO PROGRAM", "pg_read_file", "CREATE ROLE", "CREATE TABLE", "DISABLE TRIGGER", "DROP TABLE"])
        assert.isTrue(
          through.some((attack) => attack.includes(word)),
          word
        )
    })
  )
})

describe("O9: npm start on a data directory of an earlier release", () => {
  it("takes the superuser away from the service, keeps the data, and puts no credential into a redirected log", {
    timeout: ENDS_MILLIS
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
      const pool = (url: string) => layerOn(url, 1)
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
      await started.says("Ctrl-C stops it.")
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

      // Nor does the state that a stopped service leaves behind, as a backup would take it along.
      started.child.kill("SIGTERM")
      await started.exit()
      const stateText = readFileSync(join(data, "run", "state.json"), "utf8")
      for (const secret of [url.password, state.env.SECRET_KEY]) assert.notInclude(stateText, secret)
    } finally {
      started?.killAll()
      if (started !== undefined) for (const part of Object.values(started.parts())) if (part) await stop(part, [])
      const remainingPostgres = readJson(join(data, "run", "postgres.json"))
      if (remainingPostgres !== undefined) await stop(remainingPostgres, STOP_SIGNALS)
      rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    }
  })
})

describe("the key is changed while the service runs (P11)", () => {
  const [old, fresh] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string]

  const run = (args: ReadonlyArray<string>, url: string, key: string) =>
    Effect.callback<{ code: number; out: string; err: string }>((resume) => {
      const env = {
        ...plainEnvironment(),
        DATABASE_URL: url,
        SECRET_KEY: key,
        DATA_DIR: tmpdir(),
        ROLE: "api"
      }
      const child = execFile(process.execPath, [...args], { cwd: root, env, timeout: ENDS_MILLIS }, (error, out, err) =>
        resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? 1), out, err }))
      )
      return Effect.sync(() => void child.kill("SIGKILL"))
    })
  const cli = (url: string, key: string, ...args: ReadonlyArray<string>) =>
    Effect.map(run([program("cli"), ...args, "--json"], url, key), ({ code, err, out }) => {
      assert.strictEqual(code, 0, err)
      return JSON.parse(out)
    })
  /** What a process says that does not start. */
  const refusalOf = (url: string, key: string) =>
    Effect.map(run([program("main")], url, key), ({ code, err }) => {
      assert.strictEqual(code, 1)
      return err
    })
  const api =
    (origin: string, token: string) =>
    (method: string, path: string, body?: object, more: object = {}) =>
      Effect.promise(async () => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json", ...more }
        const response = await fetch(`${origin}/v1${path}`, {
          method,
          headers,
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        return { status: response.status, json: (await response.json()) as any }
      })

  it.live(
    "no request fails and nothing is lost, and who lacks a key is told which",
    () =>
      Effect.gen(function* () {
        const url = yield* freshDatabaseUrl
        const secret = "an account's password"
        const folder = mkdtempSync(join(tmpdir(), "millrace-password-"))
        yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
        const file = join(folder, "password")
        writeFileSync(file, secret)
        const withKey = { "idempotency-key": "one" }
        const firstLife = yield* Effect.gen(function* () {
          const { origin } = yield* startService(url, { SECRET_KEY: old })
          const { token } = yield* cli(url, old, "demo-seed")
          yield* cli(
            url,
            old,
            "smtp",
            "create",
            "1",
            "--name",
            "x",
            "--host",
            "mail.example.com",
            "--from-address",
            "a@example.com",
            "--password-file",
            file
          )
          const call = api(origin, token)
          const { json: made } = yield* call("POST", "/automation/app/1", {
            name: "Inbound",
            trigger: { type: "webhook_received", config: {} },
            actions: [{ type: "http_call", config: { http_call_type: "post", http_call_url: ["https://example.com"] } }]
          })
          const answer = yield* call("POST", "/record/app/1", { fields: { title: "Tide tables" } }, withKey)
          for (const title of ["a", "b"]) yield* call("POST", "/record/app/1", { fields: { title } })
          const page = yield* call("POST", "/record/app/1/filter?limit=1", {})
          return {
            token,
            id: made.automation.id,
            address: new URL(made.automation.trigger.config.webhook_url).pathname,
            answer,
            page
          }
        }).pipe(Effect.scoped)
        assert.strictEqual(firstLife.answer.status, 200)

        const lacking = yield* refusalOf(url, fresh)
        assert.match(lacking, /SECRET_KEY is not the key .* lacks the key [0-9a-f]{8}\./)
        for (const key of [old, fresh]) assert.notInclude(lacking, key.slice(0, 10))

        // Every process gets the new key as a second one, then as the first.
        yield* Effect.scoped(startService(url, { SECRET_KEY: `${old},${fresh}` }))
        const both = `${fresh},${old}`
        yield* Effect.gen(function* () {
          const { origin } = yield* startService(url, { SECRET_KEY: both, RATE_BUDGET: "1000000" })
          const call = api(origin, firstLife.token)
          const keysBefore = yield* cli(url, both, "key", "list")
          const [newest, oldest] = keysBefore as [any, any]
          assert.deepStrictEqual([newest.place_in_ring, newest.values, oldest.place_in_ring], [1, 0, 2])
          assert.isAtLeast(oldest.values, 3)
          const early = yield* run([program("cli"), "key", "retire", oldest.key], url, both)
          assert.include(early.err, `${oldest.key} still encrypts ${oldest.values} value(s)`)

          const statuses = new Set<number>()
          const serving = yield* Effect.forkChild(
            Effect.forever(
              Effect.gen(function* () {
                const automationReply = yield* call("GET", `/automation/${firstLife.id}`)
                const replayedReply = yield* call(
                  "POST",
                  "/record/app/1",
                  { fields: { title: "Tide tables" } },
                  withKey
                )
                for (const { status } of [automationReply, replayedReply]) statuses.add(status)
                assert.strictEqual(replayedReply.json.record_id, firstLife.answer.json.record_id)
              })
            )
          )
          const rotation = yield* cli(url, both, "key", "rotate")
          assert.deepInclude(
            rotation.find(({ column }: any) => column === "inbound_sealed"),
            { table: "automations", rewritten: 1, unreadable: 0 }
          )
          yield* Fiber.interrupt(serving)
          assert.deepStrictEqual([...statuses], [200])
          const keysAfter = yield* cli(url, both, "key", "list")
          assert.strictEqual(keysAfter.find(({ key }: any) => key === oldest.key).values, 0)
          assert.include(yield* refusalOf(url, fresh), oldest.key)
          yield* cli(url, both, "key", "retire", oldest.key)
        }).pipe(Effect.scoped)

        yield* Effect.gen(function* () {
          const { origin, output } = yield* startService(url, { SECRET_KEY: fresh, RATE_BUDGET: "1000000" })
          const call = api(origin, firstLife.token)
          const automationReply = yield* call("GET", `/automation/${firstLife.id}`)
          assert.strictEqual(
            new URL(automationReply.json.automation.trigger.config.webhook_url).pathname,
            firstLife.address
          )
          const replayedReply = yield* call("POST", "/record/app/1", { fields: { title: "Tide tables" } }, withKey)
          assert.deepStrictEqual(replayedReply, firstLife.answer)
          for (const key of [old, fresh]) assert.notInclude(output(), key.slice(0, 10))
        }).pipe(Effect.scoped)
        assert.match(yield* refusalOf(url, old), /lacks the key/)

        // A dump without the key.
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const tables = yield* sql<{ name: string }>`
          SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`
          const inbound = firstLife.address.split("/").at(-1)!
          const secrets = [secret, inbound, firstLife.token, Buffer.from(old, "base64").toString("hex"), old]
          for (const { name } of tables) {
            const rows = yield* sql<{ row: string }>`SELECT t::text AS row FROM ${sql(name)} t`
            for (const { row } of rows)
              for (const text of secrets)
                for (const form of [text, Buffer.from(text).toString("hex"), btoa(text)])
                  assert.isFalse(row.includes(form), `a secret in ${name}`)
          }
        }).pipe(Effect.provide(layerOn(url, 1)))
      }).pipe(Effect.scoped),
    400_000
  )
})
