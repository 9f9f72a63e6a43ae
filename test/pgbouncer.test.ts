// docs/operations.md, "Behind PgBouncer": the service as real processes behind a PgBouncer in transaction mode with five server
// connections, and what `doctor` says of one that is set otherwise.
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import type { Diagnosis } from "../src/interfaces/cli/doctor/Diagnosis.ts"
import { automate, createRecord, setText } from "./domain/automations/runSupport.ts"
import { seedApp } from "./domain/automations/support.ts"
import { App } from "./support/app.ts"
import { remote, verifiedHook } from "./support/busyService.ts"
import { freshDatabaseUrl, layerOn } from "./support/database.ts"
import { plainEnvironment } from "./support/environment.ts"
import { eventsAt } from "./support/eventStream.ts"
import { eventually } from "./support/eventually.ts"
import { noPgbouncer, pooledUrl } from "./support/pgbouncer.ts"
import { startService } from "./support/processes.ts"
import { program } from "./support/programs.ts"
import { receiver } from "./support/receiver.ts"
import { freshNamespace, TestConnection, temporalAddress } from "./support/temporal.ts"

const root = fileURLToPath(new URL("..", import.meta.url))
const SECRET_KEY = Buffer.alloc(32, 9).toString("base64")
/** More at once than there are server connections. */
const AT_ONCE = 40

const doctor = (env: Record<string, string>) =>
  Effect.callback<ReadonlyMap<string, Diagnosis>>((resume) => {
    const childEnv = { ...plainEnvironment(), SECRET_KEY, TEMPORAL_ADDRESS: "127.0.0.1:9", ...env }
    execFile(process.execPath, [program("cli"), "doctor", "--json"], { cwd: root, env: childEnv }, (_, out) => {
      const { findings } = JSON.parse(out) as { readonly findings: ReadonlyArray<Diagnosis> }
      resume(Effect.succeed(new Map(findings.map((one) => [`${one.area}: ${one.what}`, one]))))
    })
  })

const title = (what: string) => (noPgbouncer === null ? what : `${what} (${noPgbouncer})`)

describe.skipIf(noPgbouncer !== null)(title("behind PgBouncer in transaction mode"), () => {
  it.live(
    "records, deliveries, runs and events go on, also past a restart, and many writes at once wait for no connection",
    () =>
      Effect.gen(function* () {
        const direct = yield* freshDatabaseUrl
        const pooled = yield* pooledUrl(direct)
        const outside = yield* receiver()
        const shared = {
          DATABASE_DIRECT_URL: direct,
          TEMPORAL_ADDRESS: temporalAddress(),
          TEMPORAL_NAMESPACE: yield* freshNamespace,
          OUTBOUND_ALLOW: outside.hostPort,
          HTTP_CALL_PORTS: new URL(outside.origin).port,
          // Nobody looks by himself within the test: what goes on was woken.
          ACTOR_TUNING: JSON.stringify({ relayPollMillis: 600_000 })
        }
        const api = yield* startService(pooled, { ...shared, ROLE: "api" })
        yield* Effect.gen(function* () {
          const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Title" } }])
          const app = yield* App
          const delivered = (n: number) =>
            eventually(
              "deliveries",
              Effect.sync(() => outside.of("/received").length),
              // The first was the code.
              (count) => count === n + 1
            )

          yield* Effect.scoped(
            Effect.gen(function* () {
              yield* startService(pooled, { ...shared, ROLE: "worker" })
              yield* verifiedHook(outside, { appId, token }, "/received")
              yield* automate(token, appId, {
                trigger: { type: "record_created", config: {} },
                actions: [setText(fields["title"]!, "seen")]
              })
              const { events } = yield* eventsAt(token, "", {}, api.origin)
              const id = yield* createRecord(token, appId, { title: "first" })
              const read = app.call("GET", `/v1/record/${id}`, { token })
              yield* delivered(1)
              yield* eventually("the run has written", read, ({ text }) => text.includes("seen"))
              yield* eventually(
                "events",
                Effect.sync(() => events.map(({ event }) => event)),
                (names) => names.some((name) => name.startsWith("record"))
              )
            })
          )
          // A key makes the whole request one transaction, which draws its record's number meanwhile.
          const created = yield* Effect.all(
            Array.from({ length: AT_ONCE }, (_, i) =>
              app.call("POST", `/v1/record/app/${appId}`, {
                token,
                headers: { "idempotency-key": `key-${i}` },
                body: { fields: { title: `n${i}` } }
              })
            ),
            { concurrency: AT_ONCE }
          )
          for (const { status, text } of created) assert.strictEqual(status, 200, text)
          yield* startService(pooled, { ...shared, ROLE: "worker" })
          yield* delivered(1 + AT_ONCE)
        }).pipe(Effect.provide(Context.make(App, remote(api.origin))), Effect.provide(layerOn(direct, 2)))
      }).pipe(Effect.provide(TestConnection.layer))
  )

  it.live("doctor tells a pooler that hears nothing, one that loses prepared statements, and none", () =>
    Effect.gen(function* () {
      const direct = yield* freshDatabaseUrl
      const pooled = yield* pooledUrl(direct)
      const losing = yield* pooledUrl(direct, { prepared: 0 })
      const state = (all: ReadonlyMap<string, Diagnosis>) =>
        ["notifications", "pooler"].map((what) => all.get(`postgres: ${what}`)!.state)

      const diagnosis = yield* doctor({ DATABASE_URL: direct })
      assert.deepStrictEqual(state(diagnosis), ["fine", "fine"])
      assert.match(diagnosis.get("postgres: pooler")!.summary, /^none/)

      const both = yield* doctor({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct })
      assert.deepStrictEqual(state(both), ["fine", "fine"])
      assert.match(both.get("postgres: pooler")!.summary, /carries prepared statements$/)

      const deaf = yield* doctor({ DATABASE_URL: pooled })
      assert.deepStrictEqual(state(deaf), ["wrong", "fine"])
      assert.match(deaf.get("postgres: notifications")!.todo!, /^Set DATABASE_DIRECT_URL/)

      assert.deepStrictEqual(state(yield* doctor({ DATABASE_URL: direct, DATABASE_DIRECT_URL: pooled })), [
        "wrong",
        "fine"
      ])
      assert.deepStrictEqual(state(yield* doctor({ DATABASE_URL: losing, DATABASE_DIRECT_URL: direct })), [
        "fine",
        "wrong"
      ])
    }).pipe(Effect.scoped)
  )
})
