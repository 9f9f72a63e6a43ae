// developer-api.md 7.13, decisions P1: what an operator looks at before an automation runs.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seedOrgWithApp } from "../../domain/webhooks/support/harness.ts"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { typed } from "../../support/processes.ts"

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { appId, orgId } = yield* seedOrgWithApp()
  const [user] = yield* sql<{ user_id: number }>`
    WITH p AS (INSERT INTO people (email, name, created_on) VALUES ('owner@example.com', 'Owner', now()) RETURNING person_id)
    INSERT INTO users (org_id, person_id, name, role, status, created_on)
    SELECT ${orgId}, person_id, 'Owner', 'owner', 'active', now() FROM p RETURNING user_id`
  return { appId, userId: user!.user_id }
})

/** How many runs were asked for. */
const countCommands = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ n: number }>`SELECT count(*)::int AS n FROM outbox WHERE type LIKE 'command.%'`
  return row!.n
})

const definition = {
  name: "Rates",
  trigger: { type: "webhook_received", config: {} },
  actions: [
    {
      id: "ask",
      type: "http_call",
      config: { http_call_type: "get", http_call_url: ["https://rates.example.com/{{currency}}"] }
    },
    { id: "end", type: "exit", config: { exit_type: "success" } }
  ]
}

describe("npm run cli -- automation validate, simulate, test-step", () => {
  it.live("tell mistakes and warnings, and ask for dry runs", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const pool = layerOn(databaseUrl, 1)
      const { appId, userId } = yield* Effect.provide(seed, pool)
      const folder = mkdtempSync(join(tmpdir(), "trying-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
      const file = (name: string, content: unknown) => {
        writeFileSync(join(folder, name), JSON.stringify(content))
        return join(folder, name)
      }
      const cli = (...args: ReadonlyArray<string>) => typed(databaseUrl, "automation", ...args)
      const appFlags = ["--app", String(appId), "--owner", String(userId), "--json"]
      const applyResult = yield* cli("apply", file("rates.json", definition), ...appFlags)
      const { automation_id, warnings: appliedWarnings } = JSON.parse(applyResult.out)
      const id = String(automation_id)
      assert.deepStrictEqual(
        appliedWarnings.map((line: string) => line.slice(0, line.indexOf(":"))),
        ["literal_looks_like_reference ask"]
      )

      const validation = yield* cli("validate", id, "--json")
      const { errors, warnings } = JSON.parse(validation.out)
      assert.deepStrictEqual(errors, [], validation.err)
      assert.deepStrictEqual(
        warnings.map((one: any) => [one.code, one.action_id]),
        [["literal_looks_like_reference", "ask"]]
      )

      const countBefore = yield* Effect.provide(countCommands, pool)
      const pinned = file("pinned.json", { ask: { status: 200, data: { eur: 1.08 } } })
      const payload = ["--payload", file("payload.json", { total: 7 })]
      const dry = yield* cli("simulate", id, "--pinned", pinned, ...payload, "--json")
      assert.strictEqual(dry.code, 0, dry.err)
      const { run_id, ...simulated } = JSON.parse(dry.out)
      assert.match(run_id, /^\d+$/)
      assert.deepStrictEqual(simulated, {
        message: "The simulation is accepted.",
        look: `run list --automation ${id}`
      })
      const step = yield* cli("test-step", id, "ask")
      assert.match(step.out, /The test is accepted/)
      assert.strictEqual(yield* Effect.provide(countCommands, pool), countBefore + 2)

      for (const [args, why] of [
        [["simulate", id, "--pinned", file("list.json", [])], /list\.json is no readable file with one JSON object/],
        [["simulate", id, ...payload, "--pinned", file("other.json", { end: {} })], /end/],
        [["simulate", id], /webhook_payload/],
        [["simulate", id, ...payload, "--revision", "999999"], /999999/],
        [["test-step", id, "none"], /no step with this id/],
        [["validate", "999999"], /No automation with id 999999/]
      ] as const) {
        const refusal = yield* cli(...args)
        assert.deepStrictEqual([refusal.code, why.test(refusal.err)], [1, true], refusal.err + refusal.out)
      }
      assert.strictEqual(
        yield* Effect.provide(countCommands, pool),
        countBefore + 2,
        "what is refused asks for nothing"
      )
    })
  )
})
