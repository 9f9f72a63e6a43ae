// docs/operations.md, "When something is wrong": `doctor` as a process of its own, beside a service that works, one that does not, and none.
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { status } from "@grpc/grpc-js"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Diagnosis } from "../../../src/interfaces/cli/doctor/Diagnosis.ts"
import { seedHook, seedOrgWithApp } from "../../domain/webhooks/support/harness.ts"
import { ddl, freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { plainEnvironment } from "../../support/environment.ts"
import { eventually } from "../../support/eventually.ts"
import { failingTemporal } from "../../support/failingTemporal.ts"
import { startService } from "../../support/processes.ts"
import { program } from "../../support/programs.ts"
import { freshName, temporalAddress } from "../../support/temporal.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const SECRET_KEY = Buffer.alloc(32, 9).toString("base64")

const cli = (command: string, env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.callback<{ code: number; out: string; err: string }>((resume) => {
    const childEnv = { ...plainEnvironment(), SECRET_KEY, ...env }
    execFile(process.execPath, [program("cli"), command, ...args], { cwd: root, env: childEnv }, (error, out, err) =>
      resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? 1), out, err }))
    )
  })
const doctor = (env: Record<string, string>, ...args: ReadonlyArray<string>) => cli("doctor", env, ...args)

/** What it found, by place. The machine itself is whatever it is. */
const diagnosesOf = (out: string) => {
  const { findings } = JSON.parse(out) as { readonly findings: ReadonlyArray<Diagnosis> }
  return new Map(findings.map((one) => [`${one.area}: ${one.what}`, one]))
}
const wrongOf = (all: ReadonlyMap<string, Diagnosis>) =>
  [...all].flatMap(([name, { area, state }]) => (state === "wrong" && area !== "machine" ? [name] : []))

describe("npm run cli -- doctor", () => {
  it.live("beside a service that works nothing is wrong; then each ill is named, with what to do", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const temporal = { TEMPORAL_ADDRESS: temporalAddress(), TEMPORAL_NAMESPACE: freshName("doctor") }
      const env = { DATABASE_URL: databaseUrl, ...temporal }
      const pool = layerOn(databaseUrl, 1)
      yield* Effect.gen(function* () {
        const { origin } = yield* startService(databaseUrl, { ...temporal, ROLE: "all" })
        const healthy = Effect.map(doctor({ ...env, BASE_URL: origin }, "--json"), ({ out }) => diagnosesOf(out))
        // A worker comes a moment after the first answer.
        const diagnoses = yield* eventually("well", healthy, (seen) => wrongOf(seen).length === 0)
        assert.strictEqual(diagnoses.get("postgres: schema")!.summary, "is this release's")
        assert.match(diagnoses.get("temporal: workers")!.summary, /^1 process\(es\) poll millrace$/)
        assert.strictEqual(diagnoses.get("mail: server")!.state, "warning")
        // The tests' Postgres has its default, a minute.
        const statistics = diagnoses.get("postgres: statistics")!
        assert.strictEqual(statistics.state, "warning")
        assert.match(statistics.summary, /^autovacuum runs every 60 s: /)
        assert.match(statistics.todo!, /autovacuum_naptime/)
      }).pipe(Effect.scoped)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const app = yield* seedOrgWithApp()
        const { hookId } = yield* seedHook(app, "record.create", "https://hooks.example.com/in")
        yield* sql`UPDATE hooks SET num_failed_executions = 3 WHERE hook_id = ${hookId}`
        yield* sql`INSERT INTO outbox (type, org_id, app_id, payload, created_on)
          VALUES ('app.update', ${app.orgId}, ${app.appId}, '{}', now() - interval '1 hour')`
        // The process of the second one died over it; the third one is just being sent.
        yield* sql`INSERT INTO mails (message_id, status, counted, sender, recipients, subject, created_on)
          SELECT age, status, true, 'a@x.test', '{}', '', now() - age::interval
          FROM (VALUES ('1 minute', 'failed'), ('2 hours', 'sending'), ('3 minutes', 'sending')) m (age, status)`
        yield* sql`UPDATE installation SET name = 'secret_key/' || repeat('A', 43) WHERE starts_with(name, 'secret_key/')`
        yield* ddl("INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'from_tomorrow')")
      }).pipe(Effect.provide(pool))
      const { code, out } = yield* doctor(
        { ...env, BASE_URL: "http://127.0.0.1:9", SMTP_URL: "smtp://127.0.0.1:9" },
        "--json"
      )
      assert.strictEqual(code, 1)
      const ill = diagnosesOf(out)
      assert.match(ill.get("work: relay")!.summary, /^1 events that wait to be handed out, the oldest for 36\d\d s$/)
      assert.match(ill.get("work: failing hooks")!.summary, /^1 hooks/)
      assert.match(ill.get("mail: mails")!.summary, /^2 mails that failed within a day, or were begun and never ended/)
      assert.strictEqual(ill.get("postgres: schema")!.summary, "is ahead of this release: 9999_from_tomorrow")
      assert.match(ill.get("postgres: keys")!.todo!, /Restore the right database or take the key/)
      for (const name of ["postgres: keys", "work: relay", "mail: server", "service: address"])
        assert.include(wrongOf(ill), name)
      for (const { state, todo } of ill.values()) assert.strictEqual(todo !== null, state !== "fine")
    }).pipe(Effect.scoped)
  )

  it.live(
    "P12: a Temporal whose port answers and whose store fails is told as that, with its cure, and nothing dies of it",
    () =>
      Effect.gen(function* () {
        for (const code of [status.UNAVAILABLE, status.UNKNOWN]) {
          const { address } = yield* failingTemporal(code)
          const env = { DATABASE_URL: "postgres://nobody@127.0.0.1:9/none", TEMPORAL_ADDRESS: address }
          const { code: exit, err, out } = yield* doctor(env, "--json")
          assert.strictEqual(exit, 1)
          assert.notInclude(err, "Channel has been shut down")
          const ill = diagnosesOf(out)
          assert.strictEqual(ill.get("temporal: connection")!.state, "fine")
          const work = ill.get("temporal: work")!
          assert.strictEqual(work.summary, "its port answers and it does not work: DescribeNamespace: interrupted (9)")
          assert.match(work.todo!, /^Restart Temporal\. npm start does so by itself/)
          // Nothing else of it is advised, which would not help.
          assert.deepStrictEqual(
            [...ill.keys()].filter((name) => name.startsWith("temporal: ")),
            ["temporal: connection", "temporal: work"]
          )
          const parts = yield* cli("parts", env, "--json")
          assert.strictEqual(parts.code, 1)
          const partByName = new Map(JSON.parse(parts.out).map((one: { part: string }) => [one.part, one]))
          assert.deepStrictEqual(partByName.get("temporal"), {
            part: "temporal",
            ok: false,
            detail: "DescribeNamespace: interrupted (9)"
          })
          assert.isFalse((partByName.get("postgres") as { ok: boolean }).ok)
        }
      }).pipe(Effect.scoped)
  )

  it.live("without Postgres and Temporal it says so, and checks the rest; mistakes in settings come alone", () =>
    Effect.gen(function* () {
      const unreachableEnv = { DATABASE_URL: "postgres://nobody@127.0.0.1:9/none", TEMPORAL_ADDRESS: "127.0.0.1:9" }
      const { code, out } = yield* doctor({ ...unreachableEnv, BASE_URL: "http://127.0.0.1:9" })
      assert.strictEqual(code, 1)
      assert.match(out, /^WRONG +postgres: connection +does not answer at DATABASE_URL: .*ECONNREFUSED/m)
      assert.match(out, /^WRONG +temporal: connection +not reached at 127\.0\.0\.1:9/m)
      assert.match(out, /^ok +settings: all +can be read$/m)
      assert.notInclude(out, SECRET_KEY)
      const mistaken = diagnosesOf((yield* doctor({ ...unreachableEnv, PORT: "none" }, "--json")).out)
      assert.deepStrictEqual([...mistaken.keys()], ["settings: PORT"])
    })
  )
})
