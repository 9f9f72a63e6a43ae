// Every tool once, over the Developer API's own routes and a real Postgres (issue: every tool does exactly what the API does).
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RunPatience } from "../../../src/interfaces/mcp/followRun.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import { seedFailedDelivery, seedFailedRun, verificationCode } from "./seeds.ts"
import { ajv, fails, harbor, ok, rpc } from "./support.ts"

/** What the issue names, and what a verified webhook and a definition written without the API's documentation need. */
const names = [
  ...["who_am_i", "list_users", "list_workspaces", "list_apps", "describe_app", "create_app", "update_app"],
  ...["convert_field", "list_views", "create_view", "invite_user"],
  ...["search_records", "read_record", "create_record", "update_record", "delete_record", "restore_record"],
  ...["list_view_records", "list_deleted_records", "list_related_records"],
  ...[
    "create_records",
    "update_records",
    "upsert_records",
    "import_records",
    "delete_records",
    "search",
    "list_record_revisions",
    "read_record_change"
  ],
  ...["list_comments", "create_comment"],
  ...["list_trigger_types", "list_action_types", "describe_scripts", "list_filter_operators"],
  ...["list_automations", "read_automation", "validate_automation", "preview_schedule"],
  ...["create_automation", "update_automation"],
  ...["list_automation_revisions", "compare_automation_revisions", "restore_automation_revision"],
  ...["activate_automation", "pause_automation", "duplicate_automation", "delete_automation"],
  "import_automation",
  ...["run_automation", "simulate_automation", "test_automation_step"],
  ...["list_runs", "read_run", "cancel_run", "retry_run", "change_runs", "read_job", "cancel_job", "compare_runs"],
  ...["list_webhooks", "create_webhook", "read_webhook", "update_webhook", "read_webhook_settings"],
  ...["update_webhook_settings", "request_webhook_verification", "confirm_webhook_verification"],
  ...["read_webhook_verification", "test_webhook"],
  ...["delete_webhook", "list_deliveries", "read_delivery", "list_replays", "replay_delivery"],
  ...["replay_deliveries", "read_replay", "cancel_replay", "read_webhook_statistics"],
  ...["list_secrets", "create_secret", "replace_secret", "delete_secret"]
]

/** No worker is here, so nobody begins a run. */
const withoutWorker = Layer.provide(appLayer(), Layer.succeed(RunPatience, 100))

layer(withoutWorker, { excludeTestServices: true })("MCP tools", (it) => {
  it.effect("are listed with descriptions, schemas, hints and the scope they need", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const { result } = (yield* rpc("tools/list", {}, { token: owner.key })).json
      assert.deepStrictEqual(
        result.tools.map((one: any) => one.name),
        names
      )
      for (const tool of result.tools) {
        assert.match(tool.name, /^[a-z_]{3,40}$/)
        assert.isAbove(tool.description.length, 30, tool.name)
        assert.match(tool.description, /Scope: (none|[a-z.:]+)\.$/, tool.name)
        assert.strictEqual(tool.inputSchema.type, "object")
        assert.strictEqual(tool.inputSchema.additionalProperties, false, tool.name)
        assert.strictEqual(tool.outputSchema.type, "object", tool.name)
        assert.isObject(tool.inputSchema.properties, tool.name)
        // Clients look for members at the root, not behind a reference.
        assert.notProperty(tool.outputSchema, "$ref", tool.name)
        assert.doesNotThrow(() => ajv.compile(tool.inputSchema), tool.name)
        const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations
        for (const hint of [readOnlyHint, openWorldHint]) assert.isBoolean(hint, tool.name)
        assert.strictEqual(typeof destructiveHint, readOnlyHint ? "undefined" : "boolean", tool.name)
        if (idempotentHint !== undefined)
          assert.deepStrictEqual([readOnlyHint, idempotentHint], [false, true], tool.name)
        const reading = /^(who|list|describe|search|read|validate|preview|compare)(_|$)/.test(tool.name)
        assert.strictEqual(readOnlyHint, reading, tool.name)
      }
    })
  )

  it.effect("find apps and describe them", () =>
    Effect.gen(function* () {
      const { appId, token, workspaceId } = yield* harbor
      assert.strictEqual((yield* ok(token, "who_am_i")).organization.name, "Harbor Works")
      const apps = yield* ok(token, "list_apps")
      assert.deepStrictEqual([apps.total, apps.cursor, apps.apps[0].app_id], [1, null, appId])
      assert.strictEqual((yield* ok(token, "list_apps", { workspace_id: workspaceId })).total, 1)
      const app = yield* ok(token, "describe_app", { app_id: appId })
      assert.deepStrictEqual(
        app.fields.map((f: any) => f.external_id),
        ["reference", "weight", "notes"]
      )
    })
  )

  it.effect("create, search, read, update, delete and restore records, with the same result as the API", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, fields, token } = yield* harbor
      const firstCreated = yield* ok(token, "create_record", {
        app_id: appId,
        fields: { reference: "DLV-1", weight: 4 }
      })
      const args = { app_id: appId, fields: { reference: "DLV-2" }, idempotency_key: "two" }
      const second = yield* ok(token, "create_record", args)
      assert.strictEqual((yield* ok(token, "create_record", args)).record_id, second.record_id)
      const matches = yield* ok(token, "search_records", {
        app_id: appId,
        filters: [{ field_id: fields[1].field_id, type: "number", match_type: "larger", values: [{ value: 3 }] }]
      })
      assert.deepStrictEqual([matches.total, matches.records[0].record_id], [1, firstCreated.record_id])
      const firstPage = yield* ok(token, "search_records", { app_id: appId, limit: 1, sort_by: "reference" })
      assert.deepStrictEqual([firstPage.total, firstPage.records.length], [2, 1])
      const next = yield* ok(token, "search_records", {
        app_id: appId,
        limit: 1,
        sort_by: "reference",
        cursor: firstPage.cursor
      })
      assert.deepStrictEqual([next.records[0].record_id, next.cursor], [second.record_id, null])
      const record_id = firstCreated.record_id
      const updated = yield* ok(token, "update_record", { record_id, fields: { weight: 5 }, hook: false })
      assert.strictEqual(updated.revision, 1)
      const read = yield* ok(token, "read_record", { record_id })
      assert.deepStrictEqual(read, (yield* app.call("GET", `/v1/record/${record_id}`, { token })).json)
      assert.isString((yield* ok(token, "delete_record", { record_id })).deleted_on)
      assert.match(
        yield* fails(token, "read_record", { record_id }),
        /^record_deleted: .*\nWhat to do: .*include_deleted/
      )
      assert.strictEqual((yield* ok(token, "read_record", { record_id, include_deleted: true })).record_id, record_id)
      assert.isNull((yield* ok(token, "restore_record", { record_id })).deleted_on)
    })
  )

  it.effect("comment", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* harbor
      const { record_id } = yield* ok(token, "create_record", { app_id: appId, fields: {} })
      yield* ok(token, "create_comment", { record_id, value: "Where is it?" })
      const list = yield* ok(token, "list_comments", { record_id })
      assert.deepStrictEqual([list.total, list.comments[0].value], [1, "Where is it?"])
    })
  )

  it.effect("build, check, switch and run automations, and show their runs", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* harbor
      const triggers = yield* ok(token, "list_trigger_types")
      assert.include(
        triggers.triggers.map((t: any) => t.type),
        "record_created"
      )
      assert.isUndefined(triggers.triggers[0].config_schema)
      const delay = yield* ok(token, "list_action_types", { type: "delay" })
      assert.deepStrictEqual([delay.actions.length, delay.actions[0].config_schema.type], [1, "object"])
      assert.strictEqual((yield* ok(token, "list_filter_operators", { field_type: "number" })).field_type, "number")
      const scripts = yield* ok(token, "describe_scripts")
      assert.deepInclude(scripts.names[0], { name: "current_workflow_id", where: "all", type: "number" })
      assert.include(scripts.types.at(-1), "interface ScriptApiError")
      const created = yield* ok(token, "create_automation", {
        app_id: appId,
        name: "Greet",
        tags: ["Welcome"],
        trigger: { type: "record_created", config: {} },
        actions: [{ type: "current_record_comment_create", config: {} }]
      })
      const automation_id = created.automation.id
      const invalid = yield* ok(token, "validate_automation", { automation_id })
      const yearly = { config: { schedule_type: "cron", cron_expression: "@yearly" }, timezone: "Europe/Vienna" }
      const { instants } = yield* ok(token, "preview_schedule", yearly)
      assert.strictEqual(instants.length, 10)
      assert.match(instants[0].local, /-01-01 00:00:00$/)
      assert.isFalse(invalid.valid)
      const refusal = yield* fails(token, "activate_automation", { automation_id })
      assert.match(refusal, /^conflict_error: .*\nErrors: .*action_value_missing.*\nWhat to do: .*validate_automation/s)
      const actions = [{ type: "current_record_comment_create", config: { comment_content: ["Welcome"] } }]
      yield* ok(token, "update_automation", { automation_id, actions })
      assert.strictEqual((yield* ok(token, "activate_automation", { automation_id })).automation.status, "active")
      assert.strictEqual((yield* ok(token, "pause_automation", { automation_id })).automation.status, "paused")
      assert.strictEqual((yield* ok(token, "list_automations", { app_id: appId })).automations[0].id, automation_id)
      assert.strictEqual((yield* ok(token, "list_automations", { status: "active" })).total, 0)
      assert.strictEqual((yield* ok(token, "list_automations", { tag: "welcome" })).total, 1)
      const retagged = yield* ok(token, "update_automation", { automation_id, tags: [] })
      assert.notProperty(retagged.automation, "tags")
      assert.strictEqual((yield* ok(token, "list_automations", { tag: "welcome" })).total, 0)
      assert.strictEqual((yield* ok(token, "read_automation", { automation_id })).automation.name, "Greet")
      const { record_id } = yield* ok(token, "create_record", { app_id: appId, fields: {} })
      const accepted = yield* ok(token, "run_automation", { automation_id, record_id })
      assert.deepStrictEqual(Object.keys(accepted), ["message", "next"])
      yield* ok(token, "simulate_automation", { automation_id, record_id })
      assert.include(yield* fails(token, "run_automation", { automation_id }), "What to do: ")
      const runs = yield* ok(token, "list_runs", { automation_id })
      assert.deepStrictEqual([runs.cursor, Array.isArray(runs.automation_runs)], [null, true])
      yield* ok(token, "list_runs", { app_id: appId, status: "failed" })
      assert.match(yield* fails(token, "read_run", { run_id: "999999" }), /^not_found: /)
      const run_id = yield* seedFailedRun(automation_id)
      const failed = yield* ok(token, "list_runs", { app_id: appId, status: "failed" })
      assert.deepStrictEqual(
        failed.automation_runs.map((run: any) => run.id),
        [run_id]
      )
      const { automation_run } = yield* ok(token, "read_run", { run_id })
      assert.deepStrictEqual([automation_run.status, automation_run.logs[0].status], ["failed", "failure"])
      const app = yield* App
      assert.deepStrictEqual(
        { automation_run },
        (yield* app.call("GET", `/v1/automation-run/${run_id}`, { token })).json
      )
      const args = { run_id }
      const why = yield* rpc("prompts/get", { name: "why_did_this_run_fail", arguments: args }, { token })
      const [attached, asked] = why.json.result.messages
      assert.strictEqual(JSON.parse(attached.content.resource.text).automation_run.id, run_id)
      assert.include(asked.content.text, `Why did the automation run ${run_id} fail?`)
    })
  )

  it.effect("keep webhooks and show their deliveries", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* harbor
      const url = "https://93.184.215.14/hook"
      const { hook_id } = yield* ok(token, "create_webhook", { app_id: appId, type: "record.create", url })
      assert.strictEqual((yield* ok(token, "list_webhooks", { app_id: appId })).total, 1)
      assert.strictEqual((yield* ok(token, "read_webhook", { hook_id })).app_id, appId)
      assert.strictEqual((yield* ok(token, "update_webhook", { hook_id, url: `${url}s` })).url, `${url}s`)
      const settings = yield* ok(token, "update_webhook_settings", {
        hook_id,
        description: "The berths of the north pier"
      })
      assert.deepStrictEqual(yield* ok(token, "read_webhook_settings", { hook_id }), settings)
      yield* ok(token, "request_webhook_verification", { hook_id })
      const wrong = yield* fails(token, "confirm_webhook_verification", { hook_id, code: "000000" })
      assert.match(wrong, /^hook_verification_code_invalid: .*\nWhat to do: Ask for a new code/)
      assert.match(yield* fails(token, "read_delivery", { delivery_id: "msg_1_1" }), /^not_found: /)
      const code = yield* verificationCode(hook_id)
      assert.strictEqual((yield* ok(token, "confirm_webhook_verification", { hook_id, code })).status, "active")
      assert.deepStrictEqual(yield* ok(token, "read_webhook_verification", { hook_id }), { attempts: [] })
      const delivery_id = yield* seedFailedDelivery(hook_id)
      const deliveryList = yield* ok(token, "list_deliveries", { hook_id, status: "failed" })
      assert.deepStrictEqual(
        [deliveryList.total, deliveryList.cursor, deliveryList.deliveries[0].delivery_id],
        [1, null, delivery_id]
      )
      assert.strictEqual((yield* ok(token, "read_delivery", { delivery_id })).attempts[0].status_code, 500)
      assert.deepStrictEqual(yield* ok(token, "replay_delivery", { delivery_id }), { replayed: 1 })
      assert.strictEqual((yield* ok(token, "read_webhook_statistics", { hook_id })).total.executions, 0)
      const since = "2026-01-01 00:00"
      const { replay_id } = yield* ok(token, "replay_deliveries", { hook_id, since, status: ["queued"] })
      assert.strictEqual((yield* ok(token, "read_replay", { replay_id })).replayed, 1)
      assert.strictEqual((yield* ok(token, "cancel_replay", { replay_id })).state, "cancelled")
      assert.strictEqual((yield* ok(token, "delete_webhook", { hook_id })).status, "inactive")
    })
  )

  it.effect("keep secrets, whose values no answer holds", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* harbor
      const [first, next] = ["sk-live-4f9a1c77", "sk-live-after-rotation"]
      const appSecret = yield* ok(token, "create_secret", { app_id: appId, name: "stripe_key", value: first })
      const { secret_id } = appSecret
      const ofOrganization = yield* ok(token, "create_secret", { name: "stripe_key", value: first })
      const secretList = yield* ok(token, "list_secrets", { app_id: appId })
      assert.deepStrictEqual(secretList, { total: 1, secrets: [appSecret] })
      assert.deepStrictEqual(yield* ok(token, "list_secrets", {}), { total: 1, secrets: [ofOrganization] })
      const replaced = yield* ok(token, "replace_secret", { secret_id, value: next })
      const deletedSecret = yield* ok(token, "delete_secret", { secret_id })
      assert.match(yield* fails(token, "replace_secret", { secret_id, value: next }), /^not_found: /)
      const answersText = JSON.stringify([appSecret, ofOrganization, secretList, replaced, deletedSecret])
      for (const value of [first, next]) assert.notInclude(answersText, value)
    })
  )

  it.effect("what can stand in no header and in no address is told of the argument (developer-api.md 1.8)", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* harbor
      for (const key of ["invoice — 17", "a\nb", "\u0000", "é"])
        assert.match(
          yield* fails(token, "create_record", { app_id: appId, fields: {}, idempotency_key: key }),
          /idempotency_key/
        )
      for (const id of ["\ud800", "..", ".", ""])
        assert.match(yield* fails(token, "read_run", { run_id: id }), /run_id/)
    })
  )
})
