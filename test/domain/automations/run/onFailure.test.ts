// `on_failure_automation_id` (developer-api.md 7.13): what is called when a run fails, with what, and when nothing is.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { fireEvent } from "../../../../src/domain/automations/model/fireCommand.ts"
import { Outbox } from "../../../../src/engine/outbox/Outbox.ts"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { assign, automate, createRecord, runsOf, runsOver, settled, textOf } from "../runSupport.ts"
import { makeApp, seedApp } from "../support.ts"

const names = ["failed_run_id", "failed_automation_id", "failed_action_label", "error_message"]
const inputs = names.map((label) => ({ custom_type: "any", label }))
const called = {
  type: "automation_called",
  config: { custom_variable_defs: inputs, custom_variable_defs_enabled: true }
}
const value = (label: string) => ({ kind: "variable", source: "custom", custom_type: "any", label })
const failure = { type: "exit", config: { exit_type: "failure" } }

/** An app, and an automation of it that writes what it was called with into a new record. */
const scene = Effect.gen(function* () {
  const seed = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const { appId, fields, token } = seed
  const failureApp = yield* makeApp(token, seed.workspaceId, [{ field_type: "single_text", config: { label: "Told" } }])
  const tells = {
    type: "record_create",
    config: {
      app_id: failureApp.appId,
      field_assignments: [
        {
          ...assign("single_text", failureApp.fields["told"]!, []),
          field_value: names.flatMap((name) => [value(name), "|"])
        }
      ]
    }
  }
  const handler = yield* automate(token, appId, { name: "Handler", trigger: called, actions: [tells] })
  const sql = yield* SqlClient.SqlClient
  const texts = Effect.map(
    sql<{ text: string }>`SELECT cells -> ${String(failureApp.fields["told"])} ->> 0 AS text FROM records
      WHERE app_id = ${failureApp.appId} ORDER BY record_id`,
    (rows) => rows.map(({ text }) => text)
  )
  return { ...seed, reference: fields["reference"]!, handler, tells, texts }
})

layer(spineLayer(), { excludeTestServices: true })("the automation that is called when a run fails", (it) => {
  it.effect(
    "is called once, with run, automation, step and cause, on the record of the run, as a link of its chain (7.13)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { appId, handler, texts, token } = yield* scene
        const id = yield* automate(token, appId, {
          name: "Failing",
          trigger: { type: "record_created", config: {} },
          on_failure_automation_id: handler,
          actions: [
            { ...failure, custom_name: "Gives up", continue_on_error: false },
            { type: "custom_variable", config: { assignment_code: ["1"], custom_variable_defs: [] } }
          ]
        })
        const automationAnswer = yield* app.call("GET", `/v1/automation/${id}`, { token })
        assert.strictEqual(automationAnswer.json.automation.on_failure_automation_id, handler)
        const record = yield* createRecord(token, appId, { reference: "x" })
        const [failed] = yield* runsOver(id)
        assert.strictEqual(failed!.failure_reason, "exit_on_purpose")
        const [run] = yield* runsOver(handler)
        assert.strictEqual(run!.status, "completed", run!.error_message ?? "")
        assert.deepStrictEqual(yield* texts, [`${failed!.run_id}|${id}|Gives up|${failed!.error_message}|`])
        const { json } = yield* app.call("GET", `/v1/automation-run/${run!.run_id}`, { token })
        const { automation_run } = json
        assert.deepStrictEqual(
          [
            automation_run.triggered_on_record_id,
            automation_run.triggered_by_automation_id,
            automation_run.caused_by_run_id
          ],
          [record, id, failed!.run_id]
        )
        assert.strictEqual(automation_run.chain_run_id, failed!.run_id)
        assert.strictEqual(run!.depth, failed!.depth + 1)
        yield* settled(appId)
        assert.strictEqual((yield* runsOf(handler)).length, 1)
      })
  )

  it.effect("also for a run without a record, for a filter that cannot be decided, and for a durable one", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, handler, texts, token } = yield* scene
      const on_failure_automation_id = handler
      const noRecord = yield* automate(token, appId, {
        trigger: { type: "webhook_received", config: {} },
        on_failure_automation_id,
        actions: [failure]
      })
      yield* app.call("POST", `/v1/automation/${noRecord}/manual-run`, { token, body: { webhook_payload: {} } })
      yield* runsOver(handler, 1)
      const undecided = yield* automate(token, appId, {
        trigger: { type: "record_created", config: {} },
        on_failure_automation_id,
        filter: { operator: "and", rows: [{ code: ["nobody.knows"] }] },
        actions: [failure]
      })
      yield* createRecord(token, appId, { reference: "y" })
      yield* runsOver(handler, 2)
      yield* app.call("POST", `/v1/automation/${undecided}/pause`, { token })
      const durable = yield* automate(token, appId, {
        trigger: { type: "record_created", config: {} },
        on_failure_automation_id,
        actions: [{ type: "http_call", config: { http_call_type: "get", http_call_url: ["http://169.254.169.254/"] } }]
      })
      yield* createRecord(token, appId, { reference: "z" })
      const runs = yield* runsOver(handler, 3)
      assert.deepStrictEqual(
        runs.map(({ status }) => status),
        ["completed", "completed", "completed"]
      )
      const lines = (yield* texts).map((text) => text.split("|"))
      assert.deepStrictEqual(
        lines.map(([, automation, label]) => [Number(automation), label]),
        [
          [noRecord, "Exit"],
          [undecided, ""],
          [durable, "HTTP request"]
        ]
      )
    })
  )

  it.effect("also for a debounced run, whose filter cannot be decided when its changes are over (7.13)", () =>
    Effect.gen(function* () {
      const { appId, handler, texts, token } = yield* scene
      const debounced = yield* automate(token, appId, {
        trigger: { type: "record_created", config: {} },
        on_failure_automation_id: handler,
        debounce_ms: 1_000,
        filter: { operator: "and", rows: [{ code: ["nobody.knows"] }] },
        actions: [failure]
      })
      yield* createRecord(token, appId, { reference: "x" })
      const [failed] = yield* runsOver(debounced)
      assert.strictEqual(failed!.status, "failed")
      yield* runsOver(handler)
      assert.deepStrictEqual(yield* texts, [`${failed!.run_id}|${debounced}||${failed!.error_message}|`])
    })
  )

  it.effect(
    "a run that was called for a failure calls nobody when it fails; otherwise its automation's failures count as any (7.13)",
    () =>
      Effect.gen(function* () {
        const { appId, handler, token } = yield* scene
        const body = { trigger: called, actions: [failure], on_failure_automation_id: handler }
        const second = yield* automate(token, appId, { name: "Second", ...body })
        const firstId = yield* automate(token, appId, {
          trigger: { type: "record_created", config: {} },
          actions: [failure],
          on_failure_automation_id: second
        })
        const record = yield* createRecord(token, appId, { reference: "x" })
        yield* runsOver(firstId)
        yield* runsOver(second)
        yield* settled(appId)
        assert.strictEqual((yield* runsOf(handler)).length, 0)
        const app = yield* App
        yield* app.call("POST", `/v1/automation/${second}/trigger`, { token, body: { trigger_on_record_id: record } })
        yield* runsOver(second, 2)
        yield* runsOver(handler, 1)
      })
  )

  it.effect("two that name each other end, and the depth of chains holds (7.5 rule 4)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, orgId, token } = yield* scene
      const firstId = yield* automate(token, appId, { name: "One", trigger: called, actions: [failure] })
      const other = yield* automate(token, appId, {
        name: "Other",
        trigger: called,
        actions: [failure],
        on_failure_automation_id: firstId
      })
      const update = yield* app.call("PUT", `/v1/automation/${firstId}`, {
        token,
        body: { on_failure_automation_id: other }
      })
      assert.strictEqual(update.status, 200, update.text)
      const record = yield* createRecord(token, appId, { reference: "x" })
      yield* app.call("POST", `/v1/automation/${firstId}/trigger`, { token, body: { trigger_on_record_id: record } })
      yield* runsOver(firstId)
      yield* runsOver(other)
      yield* settled(appId)
      assert.deepStrictEqual([(yield* runsOf(firstId)).length, (yield* runsOf(other)).length], [1, 1])
      const sql = yield* SqlClient.SqlClient
      const [deep] = yield* runsOf(other)
      const deepest = yield* automate(token, appId, {
        name: "Deepest",
        trigger: { type: "record_updated", config: {} },
        actions: [failure],
        on_failure_automation_id: firstId
      })
      // As the tenth link of a chain.
      yield* sql`UPDATE automations SET on_failure_automation_id = NULL WHERE automation_id = ${firstId}`
      const outbox = yield* Outbox
      const cause = { automation_id: other, run_id: deep!.run_id, root_run_id: deep!.run_id, chain: [] }
      const fire = { automation_id: deepest, run_type: "regular", expects: "record_updated", data: {} } as const
      const target = { org_id: orgId, app_id: appId, record_id: record, depth: 9, cause }
      yield* sql.withTransaction(outbox.append([fireEvent(fire, target)]))
      const [last] = yield* runsOver(deepest)
      assert.strictEqual(last!.depth, 10)
      yield* settled(appId)
      assert.strictEqual((yield* runsOf(firstId)).length, 1, "no eleventh link")
      const [{ logs }] = (yield* runsOf(deepest)) as any
      assert.include(JSON.stringify(logs), "a chain has at most 10")
    })
  )

  it.effect("a simulation and a cancelled run call nobody", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { appId, handler, token } = yield* scene
      const trigger = { type: "record_deleted", config: {} }
      const body = { name: "Tried", trigger, actions: [failure], on_failure_automation_id: handler }
      const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body })
      const id = creation.json.automation.id as number
      const record = yield* createRecord(token, appId, { reference: "x" })
      yield* app.call("POST", `/v1/automation/${id}/simulate`, { token, body: { record_id: record } })
      const [simulated] = yield* runsOver(id)
      assert.strictEqual(simulated!.status, "failed")
      const waitsId = yield* automate(token, appId, {
        ...body,
        actions: [{ type: "delay", config: { delay_ms: 3_600_000 } }]
      })
      yield* app.call("POST", `/v1/automation/${waitsId}/manual-run`, { token, body: { record_id: record } })
      const [run] = yield* eventually("waits", runsOf(waitsId), (rows) => rows[0]?.wait_until != null)
      yield* app.call("POST", `/v1/automation-run/${run!.run_id}/cancel`, { token })
      yield* runsOver(waitsId)
      yield* settled(appId)
      assert.strictEqual((yield* runsOf(handler)).length, 0)
    })
  )

  it.effect(
    "never itself; one that is missing, of another app or trigger does not validate, and its removal breaks who names it (7.12)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { appId, handler, reference, token, workspaceId } = yield* scene
        const trigger = { type: "record_created", config: {} }
        const id = yield* automate(token, appId, { trigger, actions: [failure], on_failure_automation_id: handler })
        const putHandler = (on_failure_automation_id: unknown) =>
          app.call("PUT", `/v1/automation/${id}`, { token, body: { on_failure_automation_id } })
        const automationBefore = (yield* app.call("GET", `/v1/automation/${id}`, { token })).json
        const itself = yield* putHandler(id)
        assert.deepStrictEqual([itself.status, itself.json.error_code], [400, "validation"])
        assert.match(itself.json.error_message, /^on_failure_automation_id: /)
        // Who guesses the id that it is about to get.
        const guessed = yield* app.call("POST", `/v1/automation/app/${appId}`, {
          token,
          body: { name: "Guessed", on_failure_automation_id: id + 1 }
        })
        assert.deepStrictEqual([guessed.status, guessed.json.error_message], [400, itself.json.error_message])
        assert.strictEqual((yield* putHandler("x")).status, 400)
        assert.strictEqual((yield* putHandler(0)).status, 400)
        assert.deepStrictEqual((yield* app.call("GET", `/v1/automation/${id}`, { token })).json, automationBefore)

        const other = yield* makeApp(token, workspaceId, [{ field_type: "single_text", config: { label: "Name" } }])
        const foreign = yield* automate(token, other.appId, { trigger: called, actions: [failure] })
        const untriggered = yield* automate(token, appId, { trigger, actions: [failure] })
        const codes = Effect.fnUntraced(function* (target: number | null) {
          assert.strictEqual((yield* putHandler(target)).status, 200)
          const { json } = yield* app.call("GET", `/v1/automation/${id}/validate`, { token })
          return json.errors.map((error: any) => [error.code, error.block_id, error.automation_id])
        })
        const failureField = "on_failure_automation_id"
        assert.deepStrictEqual(yield* codes(999_999), [["action_automation_missing", failureField, 999_999]])
        assert.deepStrictEqual(yield* codes(foreign), [["action_automation_invalid", failureField, foreign]])
        assert.deepStrictEqual(yield* codes(untriggered), [["action_automation_invalid", failureField, untriggered]])
        // Named all the same: the failure calls nobody outside of its app.
        yield* codes(foreign)
        const record = yield* createRecord(token, appId, { reference: "x" })
        yield* runsOver(id)
        yield* settled(appId)
        assert.strictEqual((yield* runsOf(foreign)).length, 0)
        assert.strictEqual(yield* textOf(record, reference), "x")

        assert.deepStrictEqual(yield* codes(null), [])
        const cleared = (yield* app.call("GET", `/v1/automation/${id}`, { token })).json.automation
        assert.notProperty(cleared, "on_failure_automation_id")
        assert.strictEqual(cleared.owner_id, automationBefore.automation.owner_id)

        yield* codes(handler)
        yield* app.call("DELETE", `/v1/automation/${handler}`, { token })
        const broken = (yield* app.call("GET", `/v1/automation/${id}`, { token })).json.automation
        assert.strictEqual(broken.status, "broken")
        assert.strictEqual(broken.broken_reason.errors[0].code, "action_automation_missing")
      })
  )
})
