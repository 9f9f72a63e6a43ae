// completion/complete: ids of apps, automations and runs by id or name, within the caller's rights, at most 100 (MCP completion).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { appLayer, seedToken, seedUser } from "../../support/app.ts"
import { createApp } from "../../support/records.ts"
import { seedFailedRun } from "./seeds.ts"
import { harbor, ok, rpc } from "./support.ts"

const prompt = (name: string) => ({ type: "ref/prompt", name })
const template = (uri: string) => ({ type: "ref/resource", uri })

const complete = (token: string, ref: object, name: string, value: string, headers = {}) =>
  Effect.map(rpc("completion/complete", { ref, argument: { name, value } }, { token, headers }), (reply) => reply.json)

const revisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"]

layer(appLayer(), { excludeTestServices: true })("MCP completion", (it) => {
  it.effect("finds apps, automations and runs by id and by a part of their name, in every revision", () =>
    Effect.gen(function* () {
      const { appId, owner, token, workspaceId } = yield* harbor
      yield* createApp(owner, workspaceId, [], "Berths")
      const byName = { values: [`${appId} (Deliveries)`], total: 1, hasMore: false }
      for (const version of revisions) {
        const headers = { "mcp-protocol-version": version }
        const appCompletion = yield* complete(token, prompt("build_automation"), "app_id", "liver", headers)
        assert.deepStrictEqual(appCompletion.result.completion, byName, version)
      }
      const byId = yield* complete(token, template("millrace://app/{app_id}"), "app_id", String(appId))
      assert.include(byId.result.completion.values, String(appId))
      const allCompletions = yield* complete(token, template("millrace://app/{app_id}"), "app_id", "")
      assert.strictEqual(allCompletions.result.completion.total, 2)
      // What it has offered completes to itself.
      const repeatCompletion = yield* complete(token, prompt("build_automation"), "app_id", `${appId} (Deliv`)
      assert.deepStrictEqual(repeatCompletion.result.completion, byName)
      const { automation } = yield* ok(token, "create_automation", { app_id: appId, name: "Greet" })
      const runId = yield* seedFailedRun(automation.id)
      const ofAutomation = yield* complete(token, prompt("explain_automation"), "automation_id", "gree")
      assert.deepStrictEqual(ofAutomation.result.completion.values, [`${automation.id} (Greet)`])
      const ofRun = yield* complete(token, prompt("why_did_this_run_fail"), "run_id", "failed")
      assert.deepStrictEqual(ofRun.result.completion.values, [`${runId} (Greet, failed)`])
      const goalCompletion = yield* complete(token, prompt("build_automation"), "goal", "Gre")
      assert.deepStrictEqual(goalCompletion.result.completion.values, [])
    })
  )

  it.effect("shows what the caller may see and no more, and asks nobody for a scope", () =>
    Effect.gen(function* () {
      const { appId, owner } = yield* harbor
      const guest = yield* seedUser(owner.orgId, "guest")
      const selected = yield* seedToken(owner.userId, ["apps:read"], { appIds: [appId] })
      const narrow = yield* seedToken(owner.userId, ["records:read"])
      const stranger = yield* harbor
      const ask = (token: string) =>
        Effect.map(
          complete(token, template("millrace://app/{app_id}"), "app_id", ""),
          (one) => one.result.completion.values
        )
      assert.deepStrictEqual(yield* ask(selected), [String(appId)])
      assert.deepStrictEqual(yield* ask(narrow), [])
      assert.deepStrictEqual(yield* ask(guest.key), [])
      assert.deepStrictEqual(yield* ask(stranger.token), [String(stranger.appId)])
    })
  )

  it.effect("offers at most 100, and says that there are more", () =>
    Effect.gen(function* () {
      const { token, workspaceId } = yield* harbor
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<Record<string, unknown>>`SELECT * FROM apps WHERE workspace_id = ${workspaceId}`
      const { app_id: _, ...rest } = row!
      const copies = Array.from({ length: 119 }, (__, i) => ({
        ...rest,
        name: `Pier ${i}`,
        slug: `p${i}`,
        position: i + 2
      }))
      yield* sql`INSERT INTO apps ${sql.insert(copies as never)}`
      const { completion } = (yield* complete(token, prompt("find_records"), "app_id", "pier")).result
      assert.deepStrictEqual([completion.values.length, completion.total, completion.hasMore], [100, 119, true])
    })
  )

  it.effect("refuses references and arguments that are not there (-32602)", () =>
    Effect.gen(function* () {
      const { token } = yield* harbor
      const wrong: ReadonlyArray<readonly [object, string]> = [
        [prompt("nothing"), "app_id"],
        [prompt("build_automation"), "run_id"],
        [prompt("build_automation"), "constructor"],
        [template("millrace://nothing/{id}"), "id"],
        [template("millrace://app/{app_id}"), "run_id"],
        [{ type: "ref/other" }, "app_id"]
      ]
      for (const [ref, name] of wrong) {
        const answer = yield* complete(token, ref, name, "x")
        assert.strictEqual(answer.error?.code, -32602, JSON.stringify(ref))
      }
    })
  )
})
