// developer-api.md 7.13: `validate` tells warnings beside errors; they decide nothing, and are absent where there are none.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedToken } from "../../../support/app.ts"
import { assign, createRecord } from "../runSupport.ts"
import { create, makeApp, seedApp } from "../support.ts"

layer(appLayer(), { excludeTestServices: true })("developer-api.md 7.13: warnings", (it) => {
  const validity = Effect.fnUntraced(function* (token: string, id: number) {
    const app = yield* App
    return (yield* app.call("GET", `/v1/automation/${id}/validate`, { token })).json
  })
  const codesOf = (json: any) => (json.warnings ?? []).map(({ action_id, code }: any) => [code, action_id])

  it.effect("scripts are parsed as they would run, with the line; the automation stays valid and activates", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, token } = yield* seedApp()
      const actions = [
        { id: "good", type: "custom_code", config: { code: "const a = await http.get('x')\nreturn a" } },
        { id: "bad", type: "custom_code", config: { code: "const a = 1\nreturn a +" } },
        { id: "value", type: "custom_variable", config: { assignment_code: "return 1", custom_variable_defs: [] } },
        {
          id: "deep",
          type: "custom_variable",
          config: { assignment_code: "(".repeat(50_000), custom_variable_defs: [] }
        }
      ]
      const creation = yield* create(token, appId, { trigger: { type: "record_created", config: {} }, actions })
      const { id } = creation.json.automation
      const validation = yield* validity(token, id)
      assert.deepStrictEqual([validation.valid, validation.errors], [true, []])
      assert.deepStrictEqual(
        codesOf(validation),
        ["bad", "value", "deep"].map((action) => ["script_syntax_invalid", action])
      )
      const [bad, value] = validation.warnings
      assert.match(
        bad.message,
        /^The script does not parse: SyntaxError: Unexpected end of input \(line 2, column 11\)\.$/
      )
      assert.match(value.message, /Illegal return statement \(line 1, column 1\)/)
      assert.deepStrictEqual(Object.keys(bad).sort(), ["action_id", "block_id", "code", "message"])
      assert.strictEqual((yield* app.call("POST", `/v1/automation/${id}/activate`, { token })).status, 200)
      const clean = yield* create(token, appId, { actions: [actions[0]] })
      assert.deepStrictEqual(yield* validity(token, clean.json.automation.id), { valid: true, errors: [] })
    })
  )

  it.effect("calls of a script that nobody awaits are told, with their line (A28)", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* seedApp()
      const code =
        "[1, 2].forEach(async (n) => { await api.App.get(n) })\nhttp.get('https://example.com')\nreturn await sleep(1)"
      const actions = [{ id: "code", type: "custom_code", config: { code } }]
      const creation = yield* create(token, appId, { trigger: { type: "record_created", config: {} }, actions })
      const validation = yield* validity(token, creation.json.automation.id)
      assert.strictEqual(validation.valid, true)
      assert.deepStrictEqual(codesOf(validation), [
        ["script_for_each_async", "code"],
        ["script_call_not_awaited", "code"]
      ])
      assert.match(validation.warnings[0].message, /forEach.*line 1/)
      assert.match(validation.warnings[1].message, /http\.get.*line 2/)
    })
  )

  it.effect("chains are followed through calls and changes of records, as far as the caller sees", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, fields, owner, token, workspaceId } = yield* seedApp()
      const other = yield* makeApp(token, workspaceId, [{ field_type: "single_text", config: { label: "Note" } }])
      const called = { trigger: { type: "automation_called", config: {} } }
      const active = Effect.fnUntraced(function* (into: number, body: object) {
        const { id } = (yield* create(token, into, body)).json.automation
        assert.strictEqual((yield* app.call("POST", `/v1/automation/${id}/activate`, { token })).status, 200)
        return id as number
      })
      const set = (field: number, more: object = {}) => ({
        id: "set",
        type: "current_record_update",
        config: { field_assignments: [assign("single_text", field, ["x"])], ...more }
      })
      const on = (...ids: ReadonlyArray<number>) => ({
        type: "record_updated",
        config: { trigger_on_changes_field_ids: ids }
      })
      // Itself, by a field that it listens to; not by another, and not where its change fires nobody.
      const reference = fields["reference"]!
      const itself = yield* create(token, appId, { trigger: on(reference), actions: [set(reference)] })
      const cycleValidity = yield* validity(token, itself.json.automation.id)
      assert.deepStrictEqual(codesOf(cycleValidity), [["chain_may_cycle", "set"]])
      assert.strictEqual(
        cycleValidity.warnings[0].message,
        "This step may start the automation again; such a chain ends after 10 runs."
      )
      const harmlessBodies = [
        { trigger: on(fields["weight"]!), actions: [set(reference)] },
        { trigger: on(reference), actions: [set(reference, { trigger_other_flows: false })] },
        { trigger: on(reference), actions: [{ ...set(reference), deactivate: true }] }
      ]
      for (const body of harmlessBodies) {
        const creation = yield* create(token, appId, body)
        assert.isUndefined((yield* validity(token, creation.json.automation.id)).warnings)
      }
      // Through a call and a record of another app, back by that app's automation.
      const backId = yield* active(other.appId, {
        name: "Back",
        trigger: { type: "record_created", config: {} },
        actions: [{ type: "record_create", config: { app_id: appId } }]
      })
      const middle = yield* active(appId, {
        ...called,
        name: "Middle",
        actions: [{ type: "record_create", config: { app_id: other.appId } }]
      })
      const filter = {
        operator: "and",
        rows: [
          {
            subject: { kind: "variable", source: "field", field_id: reference, field_type: "single_text" },
            operator: "is_empty"
          }
        ]
      }
      const firstAutomation = yield* create(token, appId, {
        trigger: { type: "record_created", config: {} },
        filter,
        actions: [{ id: "call", type: "current_record_call_automation", config: { automation_id: middle } }]
      })
      const { id } = firstAutomation.json.automation
      const through = yield* validity(token, id)
      assert.strictEqual(
        through.warnings[0].message,
        'This step may start the automation again through "Middle", "Back", unless a filter on the way stops it; such a chain ends after 10 runs.'
      )
      const narrow = yield* seedToken(owner.userId, ["automations:read"], { appIds: [appId] })
      assert.isUndefined((yield* validity(narrow, id)).warnings)
      yield* app.call("POST", `/v1/automation/${backId}/pause`, { token })
      assert.isUndefined((yield* validity(token, id)).warnings)
    })
  )
})

layer(appLayer({ RUN_ACTIONS_MAX: "8" }), { excludeTestServices: true })(
  "developer-api.md 7.13: what a run may take",
  (it) => {
    it.effect("counts the records that the collected app has now, where the caller sees it", () =>
      Effect.gen(function* () {
        const app = yield* App
        const { appId, fields, owner, token, workspaceId } = yield* seedApp()
        const other = yield* makeApp(token, workspaceId, [{ field_type: "single_text", config: { label: "Note" } }])
        const collection = { kind: "variable", source: "action", action_type: "record_collection", app_id: other.appId }
        const loop = {
          iterable: collection,
          action_rows: [{ type: "delay", config: { delay_ms: 1000 } }]
        }
        const creation = yield* create(token, appId, {
          trigger: { type: "record_updated", config: { trigger_on_changes_field_ids: [fields["reference"]] } },
          actions: [
            { type: "collect_app_records", config: { app_id: other.appId } },
            { id: "loop", type: "for_loop", config: loop }
          ]
        })
        const { id } = creation.json.automation
        const warnings = (as: string) =>
          Effect.map(app.call("GET", `/v1/automation/${id}/validate`, { token: as }), ({ json }) => json.warnings ?? [])
        for (const text of ["a", "b"]) yield* createRecord(token, other.appId, { note: text })
        assert.deepStrictEqual(yield* warnings(token), [])
        const lastRecord = yield* createRecord(token, other.appId, { note: "c" })
        const [warning, ...more] = yield* warnings(token)
        assert.deepStrictEqual([warning.code, warning.action_id, more], ["credits_high", "loop", []])
        assert.match(
          warning.message,
          /may take 4 of its 8 actions, 3 of them in the step "Loop"; with more records 1,001\./
        )
        // One that does not see the other app is told nothing of its records.
        const narrow = yield* seedToken(owner.userId, ["automations:read"], { appIds: [appId] })
        assert.notInclude(JSON.stringify(yield* warnings(narrow)), "credits_high")
        assert.strictEqual((yield* app.call("DELETE", `/v1/record/${lastRecord}`, { token })).status, 200)
        assert.deepStrictEqual(yield* warnings(token), [])
      })
    )
  }
)
