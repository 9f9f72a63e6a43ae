// developer-api.md 7.13: one step tried alone, simulations with pinned answers and of earlier definitions, two runs side by side.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { pruneRuns } from "../../../../src/domain/automations/run/pruneRuns.ts"
import { App, seedToken, seedUser } from "../../../support/app.ts"
import { spineLayer } from "../../../support/spine.ts"
import { assign, automate, createRecord, runsOf, runsOver, textOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const any = (label: string) => ({ custom_type: "any", label })
const custom = (label: string) => ({ kind: "variable", source: "custom", custom_type: "any", label })
const created = { type: "record_created", config: {} }

const setTo = (id: string, field: number, value: ReadonlyArray<unknown>) => ({
  id,
  type: "current_record_update",
  config: {
    field_assignments: [{ ...assign("single_text", field, []), field_value: value }],
    trigger_other_flows: false
  }
})
const compute = (id: string, code: unknown, label = "Note") => ({
  id,
  type: "custom_variable",
  config: { assignment_code: code, custom_variable_defs: [any(label)] }
})

/** Computes a note from the reference, then writes it back where a condition would have it. */
const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([
    { field_type: "single_text", config: { label: "Reference" } },
    { field_type: "single_text", config: { label: "Result" } }
  ])
  const { appId, fields, token } = seeded
  const [reference, result] = [fields["reference"]!, fields["result"]!]
  const never = { operator: "and", rows: [{ code: ["current_record.fields.reference === 'never'"] }] }
  const actions = [
    compute("note", ["'note of ' + current_record.fields.reference"]),
    {
      id: "gate",
      type: "conditional",
      config: { condition: never, action_rows: [setTo("write", result, [custom("Note")])] }
    }
  ]
  const id = yield* automate(token, appId, { trigger: created, actions })
  const app = yield* App
  const post = (what: string, body: object, as = token) =>
    app.call("POST", `/v1/automation/${id}/${what}`, { token: as, body })
  return { ...seeded, app, id, post, reference, result, actions }
})

const messagesOf = (run: { readonly logs: ReadonlyArray<any> }) =>
  run.logs.filter(({ type }) => type === "action").map((log) => [log.action_id, log.status, log.messages[0]?.message])

layer(spineLayer(), { excludeTestServices: true })("developer-api.md 7.13: trying", (it) => {
  it.effect(
    "test-step: one step with the data of a record or of an earlier run, a simulation; dry unless real is asked",
    () =>
      Effect.gen(function* () {
        const { appId, id, post, result, token } = yield* setting
        const record = yield* createRecord(token, appId, { reference: "R1" })
        yield* runsOver(id, 1)
        const [first] = yield* runsOf(id)
        const secondRecord = yield* createRecord(token, appId, { reference: "R2" }, "?workflow=false")
        const accepted = yield* post("test-step", { action_id: "note", record_id: secondRecord })
        assert.deepStrictEqual([accepted.status, Object.keys(accepted.json)], [202, ["message", "run_id"]])
        const dry = (yield* runsOver(id, 2))[1]!
        assert.strictEqual(dry.run_id, accepted.json.run_id)
        assert.deepStrictEqual([dry.type, dry.status], ["simulation", "completed"])
        assert.deepStrictEqual(messagesOf(dry), [["note", "success", undefined]])
        // The variable is that of the earlier run; the condition around the step does not count.
        yield* post("test-step", { action_id: "write", run_id: first!.run_id })
        const writtenRun = (yield* runsOver(id, 3))[2]!
        assert.deepStrictEqual(messagesOf(writtenRun), [
          ["write", "skipped", `Simulation: record ${record} would be updated.`]
        ])
        assert.deepStrictEqual(writtenRun.logs.find((log) => log.action_id === "write").detail.inputs, {
          Result: "note of R1"
        })
        assert.isNull(yield* textOf(record, result))
        yield* post("test-step", { action_id: "write", run_id: first!.run_id, real: true })
        const real = (yield* runsOver(id, 4))[3]!
        assert.deepStrictEqual([real.type, real.status, real.error_message], ["simulation", "completed", null])
        assert.deepStrictEqual(messagesOf(real), [["write", "success", undefined]])
        assert.strictEqual(yield* textOf(record, result), "note of R1")
        assert.strictEqual(real.logs[0].messages[0].message, "One step is tried for real.")
      })
  )

  it.effect(
    "test-step acts for who asks, within the credential; another author's values reach no step that was changed",
    () =>
      Effect.gen(function* () {
        const { actions, app, appId, id, orgId, post, reference, token } = yield* setting
        const record = yield* createRecord(token, appId, { reference: "R1" })
        const [run] = yield* runsOver(id, 1)
        const admin = yield* seedUser(orgId, "admin")
        const narrow = yield* seedToken(admin.userId, ["automations:run"], { appIds: [appId] })
        assert.strictEqual(
          (yield* post("test-step", { action_id: "write", run_id: run!.run_id, real: true }, narrow)).status,
          202
        )
        const refusedRun = (yield* runsOver(id, 2))[1]!
        assert.strictEqual(refusedRun.status, "failed")
        assert.match(refusedRun.error_message!, /records:edit/)
        const [, gate] = actions
        const changed = [compute("note", ["var_note"]), gate]
        yield* app.call("PUT", `/v1/automation/${id}`, { token, body: { actions: changed } })
        const other = yield* post("test-step", { action_id: "note", run_id: run!.run_id }, admin.key)
        assert.deepStrictEqual([other.status, other.json.error_code], [409, "conflict_error"])
        assert.strictEqual((yield* post("test-step", { action_id: "note", run_id: run!.run_id })).status, 202)
        const member = yield* seedUser(orgId, "member")
        assert.strictEqual((yield* post("test-step", { action_id: "note", record_id: record }, member.key)).status, 404)
        // What does not fit names the place, and makes no run.
        for (const [body, status, message] of [
          [{ action_id: "gone", record_id: record }, 400, /^action_id: /],
          [{ action_id: "note" }, 400, /^record_id or run_id: /],
          [{ action_id: "note", record_id: record, run_id: run!.run_id }, 400, /either/],
          [{ action_id: "note", record_id: 999_999_999 }, 404, /record/i],
          [{ action_id: "note", run_id: "999999999" }, 404, /run/],
          [{ action_id: "note", run_id: "x" }, 404, /run/],
          [{ action_id: "note", record_id: record, more: 1 }, 400, /more/]
        ] as const) {
          const bad = yield* post("test-step", body)
          assert.strictEqual(bad.status, status, bad.text)
          assert.match(bad.json.error_message, message)
        }
        const broken = [
          compute("note", [{ ...assign("single_text", 999_999, []).variable_def }]),
          setTo("ok", reference, ["x"])
        ]
        yield* app.call("PUT", `/v1/automation/${id}`, { token, body: { actions: broken } })
        const invalid = yield* post("test-step", { action_id: "note", record_id: record })
        assert.deepStrictEqual([invalid.status, invalid.json.errors[0].action_id], [409, "note"])
        assert.strictEqual((yield* post("test-step", { action_id: "ok", record_id: record })).status, 202)
      })
  )

  it.effect("what a test has run is no revision, and goes with its run", () =>
    Effect.gen(function* () {
      const { app, appId, id, post, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const record = yield* createRecord(token, appId, { reference: "R1" }, "?workflow=false")
      yield* post("test-step", { action_id: "note", record_id: record })
      yield* runsOver(id, 1)
      const { revisions } = (yield* app.call("GET", `/v1/automation/${id}/revision`, { token })).json
      assert.strictEqual(revisions.length, 1)
      const kept = sql<{ n: number }>`SELECT count(*)::int AS n FROM automation_revisions WHERE automation_id = ${id}`
      assert.strictEqual((yield* kept)[0]!.n, 2)
      yield* sql`UPDATE runs SET completed_on = now() - interval '1 year' WHERE automation_id = ${id}`
      yield* pruneRuns
      assert.strictEqual((yield* kept)[0]!.n, 1)
    })
  )

  it.effect("simulate: pinned answers of outside steps are what later steps find; nothing goes out", () =>
    Effect.gen(function* () {
      const { app, appId, fields, token } = yield* setting
      const call = {
        id: "call",
        type: "http_call",
        config: {
          http_call_type: "post",
          http_call_url: "http://127.0.0.1:1/rate",
          custom_variable_defs: [any("Answer")]
        }
      }
      const code = {
        id: "code",
        type: "custom_code",
        config: { code: "return 1", custom_variable_defs: [any("Total")] }
      }
      const show = compute("show", ["var_answer.data.rate + ' ' + var_answer.status + ' ' + var_total"], "Shown")
      const id = yield* automate(token, appId, {
        trigger: created,
        actions: [call, code, show, setTo("write", fields["result"]!, [custom("Shown")])]
      })
      const record = yield* createRecord(token, appId, { reference: "R1" }, "?workflow=false")
      const simulate = (pinned: object) =>
        app.call("POST", `/v1/automation/${id}/simulate`, { token, body: { record_id: record, pinned } })
      assert.strictEqual(
        (yield* simulate({ call: { status: 200, data: { rate: 7 } }, code: { Total: 41 } })).status,
        202
      )
      const [run] = yield* runsOver(id, 1)
      assert.strictEqual(run!.status, "completed")
      assert.deepStrictEqual(messagesOf(run!).slice(0, 2), [
        ["call", "success", "Simulation: POST http://127.0.0.1:1/rate would be sent."],
        ["code", "success", "Answered as pinned."]
      ])
      assert.deepStrictEqual(run!.logs.find((log) => log.action_id === "write").detail.inputs, { Result: "7 200 41" })
      yield* simulate({ call: { status: 503 } })
      const failed = (yield* runsOver(id, 2))[1]!
      assert.deepStrictEqual([failed.status, failed.error_message], ["failed", "The server answered 503."])
      for (const [pinned, message] of [
        [{ gone: {} }, /^pinned\.gone: the definition has no step/],
        [{ show: { Shown: 1 } }, /^pinned\.show: `custom_variable` is no step/],
        [{ call: 5 }, /^pinned\.call: expected an object/],
        [{ call: { status: "200" } }, /^pinned\.call\.status: expected an integer/],
        [{ call: { status: 200, body: 1 } }, /^pinned\.call\.body: is not known/],
        [{ call: { status: 200, headers: { a: 1 } } }, /^pinned\.call\.headers: /],
        [{ code: { Sum: 1 } }, /^pinned\.code\["Sum"\]: the step declares no variable/]
      ] as const) {
        const bad = yield* simulate(pinned)
        assert.strictEqual(bad.status, 400, bad.text)
        assert.match(bad.json.error_message, message)
      }
      const manual = { token, body: { record_id: record, pinned: {} } }
      assert.strictEqual((yield* app.call("POST", `/v1/automation/${id}/manual-run`, manual)).status, 400)
    })
  )

  it.effect("an earlier definition is simulated on present data, and what both would write is compared", () =>
    Effect.gen(function* () {
      const { app, appId, fields, token } = yield* setting
      const result = fields["result"]!
      const set = (text: string) => [setTo("a", result, [text]), setTo("b", fields["reference"]!, ["same"])]
      const id = yield* automate(token, appId, {
        trigger: created,
        actions: [...set("old"), setTo("c", result, ["gone"])]
      })
      yield* app.call("PUT", `/v1/automation/${id}`, {
        token,
        body: { actions: [...set("new"), setTo("d", result, ["more"])] }
      })
      const { revisions } = (yield* app.call("GET", `/v1/automation/${id}/revision`, { token })).json
      const record = yield* createRecord(token, appId, { reference: "R1" }, "?workflow=false")
      const simulate = (more: object) =>
        app.call("POST", `/v1/automation/${id}/simulate`, { token, body: { record_id: record, ...more } })
      assert.strictEqual((yield* simulate({ revision_id: revisions[1].id })).status, 202)
      yield* runsOver(id, 1)
      yield* simulate({})
      const [then, now] = yield* runsOver(id, 2)
      const diff = (from: string, to: string, as = token) =>
        app.call("GET", `/v1/automation-run/${from}/diff/${to}`, { token: as })
      const { differences } = (yield* diff(then!.run_id, now!.run_id)).json
      const updated = [`Simulation: record ${record} would be updated.`]
      const writeEntry = (text: string) => ({
        status: "skipped",
        record_id: record,
        inputs: { Result: text },
        messages: updated
      })
      const label = "Update current record"
      assert.deepStrictEqual(differences, [
        { kind: "removed", action_id: "c", execution: 1, label, before: writeEntry("gone") },
        { kind: "changed", action_id: "a", execution: 1, label, before: writeEntry("old"), after: writeEntry("new") },
        { kind: "added", action_id: "d", execution: 1, label, after: writeEntry("more") }
      ])
      assert.deepStrictEqual((yield* diff(now!.run_id, now!.run_id)).json, { differences: [] })
      assert.strictEqual((yield* diff(now!.run_id, "999999999")).status, 404)
      assert.strictEqual((yield* diff(now!.run_id, "x")).status, 400)
      assert.strictEqual((yield* simulate({ revision_id: "0" })).status, 404)
      const stranger = yield* setting
      assert.strictEqual((yield* diff(then!.run_id, now!.run_id, stranger.token)).status, 404)
    })
  )
})
