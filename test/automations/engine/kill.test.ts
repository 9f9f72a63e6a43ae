// A worker killed in the middle of a run: the next one goes on behind the last committed step, and nothing is done twice (decisions
// A1). In full by `npm run disturb`.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { compileCache, freePort } from "../../../bin/parts/os.js"
import { App, appLayer } from "../../support/app.ts"
import { urlOf } from "../../support/database.ts"
import { eventually } from "../../support/spine.ts"
import { freshName, temporalAddress } from "../../support/temporal.ts"
import { seedApp } from "../support.ts"
import { assign, automate, runsOf } from "./support.ts"

const main = fileURLToPath(new URL("../../../src/main.ts", import.meta.url))
const ITEMS = 250

/** A process with the worker role on the test's database; killed with the scope. */
const startWorker = Effect.fnUntraced(function* (namespace: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ name: string }>`SELECT current_database() AS name`
  const port = yield* Effect.promise(() => freePort())
  return yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [main], {
        env: {
          ...compileCache(),
          ...process.env,
          // The test runner sets one of its own.
          BASE_URL: `http://127.0.0.1:${port}`,
          ROLE: "worker",
          PORT: String(port),
          LOG_LEVEL: "error",
          DATABASE_URL: urlOf(inject("databaseUrl"), row!.name),
          SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
          TEMPORAL_ADDRESS: temporalAddress(),
          TEMPORAL_NAMESPACE: namespace,
          // As of the API beside it: they share the windows.
          RATE_BUDGET: "1000000"
        },
        stdio: ["ignore", "inherit", "inherit"]
      })
    ),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  )
})

const kill = (child: ReturnType<typeof spawn>) =>
  Effect.promise(async () => {
    const gone = once(child, "exit")
    child.kill("SIGKILL")
    await gone
  })

layer(appLayer(), { excludeTestServices: true })("a run and its worker's death", (it) => {
  it.effect(
    "a loop of mutations outlives two SIGKILLs: every item once, in order, none twice (A1)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const namespace = freshName("kill")
        const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
        const create = (name: string) => ({
          type: "record_create",
          config: {
            app_id: appId,
            field_assignments: [assign("single_text", fields["name"]!, [name])],
            trigger_other_flows: false
          }
        })
        const id = yield* automate(token, appId, {
          trigger: { type: "webhook_received", config: {} },
          actions: [
            {
              type: "for_loop",
              config: {
                iterable: { kind: "variable", source: "trigger", trigger_type: "webhook_payload" },
                action_rows: [create("first"), create("second")]
              }
            }
          ]
        })
        const first = yield* startWorker(namespace)
        yield* app.call("POST", `/v1/automation/${id}/manual-run`, {
          token,
          body: { webhook_payload: Array.from({ length: ITEMS }, (_, i) => i) }
        })
        const steps = Effect.map(runsOf(id), ([run]) => run?.ledger.length ?? 0)
        yield* eventually("a few steps", steps, (n) => n > 20, 60_000)
        yield* kill(first)
        const before = yield* steps
        assert.isBelow(before, ITEMS * 2, "killed in the middle")
        const second = yield* startWorker(namespace)
        yield* eventually("more steps", steps, (n) => n > before + 20, 60_000)
        yield* kill(second)
        yield* startWorker(namespace)
        const [run] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.status === "completed", 90_000)
        assert.strictEqual(run!.ledger.length, ITEMS * 2 + 1)
        const made = yield* sql<{ name: string; n: number }>`
          SELECT cells -> ${String(fields["name"])} ->> 0 AS name, count(*)::int AS n FROM records
          WHERE app_id = ${appId} GROUP BY 1 ORDER BY 1`
        assert.deepStrictEqual(made, [
          { name: "first", n: ITEMS },
          { name: "second", n: ITEMS }
        ])
        assert.strictEqual(run!.credits, ITEMS * 2)
      }),
    180_000
  )

  it.effect(
    "a script whose process is killed between its api call and the commit of its step: the repeat gets the first answer (A1)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const namespace = freshName("kill")
        const { appId, fields, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
        const name = fields["name"]!
        const def = { custom_type: "any", label: "Made" }
        // Every beginning would make another record, and hangs after the call for long enough to be killed there.
        const code = [
          `const made = await api.Record.create(${appId}, { name: 'once ' + Math.random() });\n`,
          "await sleep(3000);\n",
          "return made.data.record_id;"
        ]
        const made = { kind: "variable", source: "custom", ...def }
        const id = yield* automate(token, appId, {
          trigger: { type: "webhook_received", config: {} },
          actions: [
            { type: "custom_code", config: { code, custom_variable_defs: [def] } },
            {
              type: "record_create",
              config: {
                app_id: appId,
                field_assignments: [{ ...assign("single_text", name, []), field_value: ["answered ", made] }],
                trigger_other_flows: false
              }
            }
          ]
        })
        const first = yield* startWorker(namespace)
        yield* app.call("POST", `/v1/automation/${id}/manual-run`, { token, body: { webhook_payload: {} } })
        const named = sql<{ record_id: number; name: string }>`
          SELECT record_id, cells -> ${String(name)} ->> 0 AS name FROM records WHERE app_id = ${appId} ORDER BY record_id`
        yield* eventually("the call has had its effect", named, (rows) => rows.length === 1, 60_000)
        yield* kill(first)
        const [open] = yield* runsOf(id)
        assert.deepStrictEqual(
          open!.ledger.map(({ attempts, state }) => [state, attempts]),
          [["started", 1]],
          "killed before its commit"
        )
        yield* startWorker(namespace)
        const [run] = yield* eventually("the end", runsOf(id), (rows) => rows[0]?.completed_on != null, 90_000)
        assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
        assert.deepStrictEqual(
          run!.ledger.map(({ attempts, state }) => [state, attempts]),
          [
            ["done", 2],
            ["done", 1]
          ]
        )
        const [once, answered, ...more] = yield* named
        assert.match(once!.name, /^once /)
        assert.strictEqual(answered!.name, `answered ${once!.record_id}`)
        assert.deepStrictEqual(more, [])
      }),
    180_000
  )
})
