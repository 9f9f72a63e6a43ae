// What makes an answer useful to a model, and no more than the API's: bounded, paged, failures with advice, resources, prompts.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { allScopes } from "../../../src/domain/accounts/Scope.ts"
import { boundAnswer } from "../../../src/interfaces/mcp/answerSize.ts"
import { App, appLayer, seedToken } from "../../support/app.ts"
import { createApp, seedWorkspace } from "../../support/records.ts"
import { callTool, fails, harbor, ok, rpc } from "./support.ts"

/** What everybody may attach. */
const published = [
  ...["millrace://automation/schema", "millrace://automation/script.d.ts"],
  ...["records", "oauth", "webhooks", "automations", "mcp"].map((name) => `millrace://docs/guides/${name}`),
  ...["errors", "scopes", "limits", "hook-bodies"].map((name) => `millrace://docs/${name}`)
]

layer(appLayer(), { excludeTestServices: true })("MCP answers", (it) => {
  it.effect("check their arguments before they call, and name what is wrong", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* harbor
      const wrong: ReadonlyArray<readonly [string, object, RegExp]> = [
        ["read_record", {}, /^input_validation: record_id: /],
        ["read_record", { record_id: "7" }, /^input_validation: record_id: /],
        ["read_record", { record_id: -1 }, /^input_validation: record_id: /],
        ["read_record", { record_id: 7, extra: 1 }, /^input_validation: extra: /],
        // Tools that take none.
        ["who_am_i", { extra: 1 }, /^input_validation: extra: /],
        ["list_workspaces", { app_id: appId }, /^input_validation: app_id: /],
        ["search_records", { app_id: appId, limit: 51 }, /^input_validation: limit: /],
        ["list_apps", { cursor: "x" }, /^input_validation: cursor: /],
        ["list_filter_operators", { field_type: "nope" }, /^validation: field_type/],
        ["create_record", { app_id: appId, fields: { nope: 1 } }, /^validation: .*nope/]
      ]
      for (const [name, args, expected] of wrong) assert.match(yield* fails(token, name, args), expected, name)
    })
  )

  it.effect(
    "answer like the API for another organization's ids and for a selected token (404), and by right (403)",
    () =>
      Effect.gen(function* () {
        const ownHarbor = yield* harbor
        const theirs = yield* harbor
        const { record_id } = yield* ok(theirs.token, "create_record", { app_id: theirs.appId, fields: {} })
        assert.match(yield* fails(ownHarbor.token, "read_record", { record_id }), /^record_not_exists: /)
        assert.match(yield* fails(ownHarbor.token, "describe_app", { app_id: theirs.appId }), /^not_found: /)
        const other = yield* seedToken(ownHarbor.owner.userId, allScopes, { appIds: [theirs.appId] })
        assert.match(yield* fails(other, "describe_app", { app_id: ownHarbor.appId }), /^not_found: /)
        assert.strictEqual((yield* ok(other, "list_apps")).total, 0)
      })
  )

  it.effect("write with records:edit alone and answer no more than the API does (developer-api.md 2.4)", () =>
    Effect.gen(function* () {
      const { appId, owner } = yield* harbor
      const token = yield* seedToken(owner.userId, ["records:edit"])
      const stub = yield* ok(token, "create_record", { app_id: appId, fields: { reference: "x" } })
      assert.deepStrictEqual(Object.keys(stub).sort(), ["app_record_id", "created_on", "record_id"])
    })
  )

  it.effect("cut long texts with a mark, so that a page stays readable, and leave out no record", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* harbor
      const notes = "n".repeat(20_000)
      for (let i = 0; i < 50; i++) yield* ok(token, "create_record", { app_id: appId, fields: { notes } })
      const page = yield* callTool(token, "search_records", { app_id: appId, limit: 50 })
      const { records } = page.structuredContent as any
      assert.strictEqual(records.length, 50)
      assert.match(records[0].fields[0].values[0].value, /^n+… \[cut: \d+ characters in all\]$/)
      assert.isBelow(JSON.stringify(page.structuredContent).length, 90_000)
      const fullRecord = yield* ok(token, "read_record", { record_id: records[0].record_id })
      assert.isAbove(fullRecord.fields[0].values[0].value.length, 3000)
    })
  )

  it.effect("cut texts between characters, and leave whole what a later call names", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* harbor
      const notes = `${"n".repeat(3_999)}\u{1f6a2}${"n".repeat(100)}`
      const createdRecord = yield* ok(token, "create_record", { app_id: appId, fields: { notes } })
      const fullRecord = yield* ok(token, "read_record", { record_id: createdRecord.record_id })
      const { value } = fullRecord.fields[0].values[0]
      assert.match(value, /\[cut: 4101 characters in all\]$/)
      assert.isTrue(value.isWellFormed(), JSON.stringify(value.slice(3_990, 4_010)))
      const long = "x".repeat(300)
      const many = Array.from({ length: 300 }, () => ({ external_id: long, id: long, action_id: long, label: long }))
      const [kept] = (boundAnswer({ many }).value as { many: Array<Record<string, string>> }).many
      assert.deepStrictEqual([kept!["external_id"], kept!["id"], kept!["action_id"]], [long, long, long])
      assert.match(kept!["label"]!, /^x{60}… \[cut/)
      const refusal = yield* rpc("tools/call", { name: `${"x".repeat(79)}\u{1f6a2}` }, { token })
      assert.isTrue((refusal.json.error.message as string).isWellFormed())
    })
  )

  it.effect("list apps page by page", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner, workspaceId } = yield* seedWorkspace
      yield* createApp(owner, workspaceId, [])
      const [row] = yield* sql<Record<string, unknown>>`SELECT * FROM apps WHERE workspace_id = ${workspaceId}`
      const { app_id: _, ...rest } = row!
      const copies = Array.from({ length: 119 }, (__, i) => ({
        ...rest,
        name: `App ${i}`,
        slug: `app-${i}`,
        position: i + 2
      }))
      yield* sql`INSERT INTO apps ${sql.insert(copies as never)}`
      const appIds: Array<number> = []
      let cursor: string | null | undefined
      do {
        const page: any = yield* ok(owner.key, "list_apps", cursor === undefined ? {} : { cursor })
        assert.strictEqual(page.total, 120)
        appIds.push(...page.apps.map((a: any) => a.app_id))
        cursor = page.cursor
      } while (cursor !== null)
      assert.strictEqual(new Set(appIds).size, 120)
      const resources = (yield* rpc("resources/list", {}, { token: owner.key })).json.result
      assert.deepStrictEqual([resources.resources.length, resources.nextCursor], [100 + published.length, "100"])
      const rest2 = (yield* rpc("resources/list", { cursor: "100" }, { token: owner.key })).json.result
      assert.deepStrictEqual([rest2.resources.length, rest2.nextCursor], [20, undefined])
    })
  )
})

layer(appLayer(), { excludeTestServices: true })("MCP resources and prompts", (it) => {
  it.effect("give app schemas and the automation schema", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, owner, token } = yield* harbor
      const read = (uri: string, as: string) =>
        Effect.map(rpc("resources/read", { uri }, { token: as }), (reply) => reply.json.result.contents[0])
      const schema = yield* read("millrace://automation/schema", token)
      assert.strictEqual(schema.mimeType, "application/schema+json")
      assert.deepStrictEqual(JSON.parse(schema.text), (yield* app.call("GET", "/v1/automation/schema.json")).json)
      const script = yield* read("millrace://automation/script.d.ts", token)
      assert.strictEqual(script.text, (yield* app.call("GET", "/v1/automation/script.d.ts")).text)
      const appResource = yield* read(`millrace://app/${appId}`, token)
      assert.deepStrictEqual(JSON.parse(appResource.text), (yield* app.call("GET", `/v1/app/${appId}`, { token })).json)
      const templates = (yield* rpc("resources/templates/list", {}, { token })).json.result.resourceTemplates
      assert.deepStrictEqual(
        templates.map((t: any) => t.uriTemplate),
        [
          "millrace://app/{app_id}",
          "millrace://record/{record_id}",
          "millrace://automation/{automation_id}",
          "millrace://run/{run_id}"
        ]
      )
      const narrow = yield* seedToken(owner.userId, ["records:read"])
      const resourceList = (yield* rpc("resources/list", {}, { token: narrow })).json.result.resources
      assert.deepStrictEqual(
        resourceList.map((r: any) => r.uri),
        published
      )
    })
  )

  it.effect("give the guides and tables of the documentation as text", () =>
    Effect.gen(function* () {
      const { token } = yield* harbor
      const read = (uri: string) =>
        Effect.map(rpc("resources/read", { uri }, { token }), (reply) => reply.json.result.contents[0])
      const guide = yield* read("millrace://docs/guides/webhooks")
      assert.strictEqual(guide.mimeType, "text/markdown")
      assert.match(guide.text, /^# Webhooks/)
      assert.match((yield* read("millrace://docs/errors")).text, /404 \| record_not_exists \| \w/)
      assert.match((yield* read("millrace://docs/scopes")).text, /apps:read \| See your apps/)
      assert.match((yield* read("millrace://docs/limits")).text, /A file \| \d+ MB/)
      assert.include((yield* read("millrace://docs/hook-bodies")).text, "webhook-signature: v1,")
    })
  )

  it.effect("give prompts with what they need attached", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* harbor
      const { prompts } = (yield* rpc("prompts/list", {}, { token })).json.result
      assert.deepStrictEqual(
        prompts.map((p: any) => p.name),
        [
          ...["build_automation", "why_did_this_run_fail", "explain_automation", "change_automation", "build_app"],
          ...["find_records", "set_up_webhook", "why_does_this_webhook_fail"]
        ]
      )
      const args = { app_id: String(appId), goal: "Greet new records" }
      const built = (yield* rpc("prompts/get", { name: "build_automation", arguments: args }, { token })).json.result
      assert.strictEqual(built.messages[0].content.resource.uri, `millrace://app/${appId}`)
      assert.include(built.messages[1].content.text, "The goal: Greet new records")
      const named = { app_id: `${appId} (Deliveries)`, url: "https://example.com/hook" }
      const hook = (yield* rpc("prompts/get", { name: "set_up_webhook", arguments: named }, { token })).json.result
      assert.deepStrictEqual(
        hook.messages.map((one: any) => one.content.resource?.uri),
        [`millrace://app/${appId}`, "millrace://docs/guides/webhooks", "millrace://docs/hook-bodies", undefined]
      )
      assert.include(hook.messages[3].content.text, `from app ${appId} to https://example.com/hook`)
      const lost = yield* rpc("prompts/get", { name: "why_did_this_run_fail", arguments: { run_id: "5" } }, { token })
      assert.strictEqual(lost.json.error.code, -32002)
    })
  )
})
