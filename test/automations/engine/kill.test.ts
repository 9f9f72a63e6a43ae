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
          TEMPORAL_NAMESPACE: namespace
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
})
