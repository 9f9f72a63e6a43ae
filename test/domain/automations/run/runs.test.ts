// Runs: control flow, errors, cancel, retry, simulation, manual runs, calls (developer-api.md 7.3, 7.6 to 7.8, 7.11).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { assign, automate, createRecord, runsOf, runsOver, setText, settled, textOf } from "../runSupport.ts"
import { makeApp, noticesOf, seedApp } from "../support.ts"

const created = { type: "record_created", config: {} }
const failing = (more: object = {}) => ({ type: "record_create", id: "bad", ...more, config: { app_id: 999_999_999 } })

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp()
  const { fields, options } = seeded
  return { ...seeded, ref: fields["reference"]!, state: { state: options["state"]![0] } }
})

/** Mailbox rows of the app and places of the automation's runs. */
const leftOf = (appId: number, automationId: number) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(
      sql<{ n: number }>`SELECT (SELECT count(*) FROM automation_inbox WHERE app_id = ${appId})::int
        + (SELECT count(*) FROM run_places p JOIN runs USING (run_id) WHERE automation_id = ${automationId})::int AS n`,
      ([row]) => row!.n
    )
  )

layer(spineLayer(), { excludeTestServices: true })("runs of automations", (it) => {
  it.effect("an error fails the run, and the steps before it stay done (7.11 run semantics 3)", () =>
    Effect.gen(function* () {
      const { appId, ref, state, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "one")] })
      const sql = yield* SqlClient.SqlClient
      // A step that validates now and fails at run time: the app goes away under it.
      yield* sql`UPDATE automation_revisions SET actions = actions || ${JSON.stringify([
        {
          ...failing(),
          group: "action",
          config: {
            app_id: 999_999_999,
            field_assignments: [],
            trigger_webhooks: true,
            trigger_other_flows: true,
            silent: false
          }
        }
      ])}::jsonb WHERE automation_id = ${id}`
      const record = yield* createRecord(token, appId, state)
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "failed")
      assert.strictEqual(run!.failure_reason, "actions_failed")
      assert.match(run!.error_message!, /No app with id 999999999/)
      assert.strictEqual(yield* textOf(record, ref), "one")
      assert.deepStrictEqual(
        run!.logs.map((log) => [log.type, log.status]),
        [
          ["trigger", "success"],
          ["action", "success"],
          ["action", "failure"]
        ]
      )
      // Retry from the failed step: the first is taken over, not repeated.
      const app = yield* App
      yield* sql`UPDATE automation_revisions SET actions = jsonb_set(actions, '{1,config,app_id}', ${String(appId)}::jsonb)
        WHERE automation_id = ${id}`
      const retry = yield* app.call("POST", `/v1/automation-run/${run!.run_id}/retry`, {
        token,
        body: { from: "failed_step" }
      })
      assert.strictEqual(retry.status, 202, retry.text)
      const [, second] = yield* runsOver(id, 2)
      assert.strictEqual(second!.type, "manual")
      assert.strictEqual(String(second!.retry_of_run_id), run!.run_id)
      assert.deepStrictEqual(second!.ledger.map((row) => [row.path, row.state]).at(0), ["0", "done"])
    })
  )

  it.effect("continue_on_error sets most_recent_error and goes on; a deactivated step is not there (7.11)", () =>
    Effect.gen(function* () {
      const { appId, ref, state, token } = yield* setting
      const sql = yield* SqlClient.SqlClient
      const id = yield* automate(token, appId, {
        trigger: created,
        actions: [
          setText(ref, "one", { continue_on_error: true }),
          setText(ref, "never", { deactivate: true }),
          setText(ref, "two")
        ]
      })
      yield* sql`UPDATE automation_revisions SET actions = jsonb_set(actions, '{0}', actions->0 || ${JSON.stringify({
        type: "record_create",
        config: {
          app_id: 999_999_999,
          field_assignments: [],
          trigger_webhooks: true,
          trigger_other_flows: true,
          silent: false
        }
      })}::jsonb) WHERE automation_id = ${id}`
      const record = yield* createRecord(token, appId, state)
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.status, "completed")
      assert.strictEqual(yield* textOf(record, ref), "two")
      assert.deepStrictEqual(
        run!.logs.map((log) => log.status),
        ["success", "failure", "success"]
      )
      assert.strictEqual(run!.credits, 2)
    })
  )

  it.effect("a conditional takes one branch, exit failure ends the run on purpose (7.6)", () =>
    Effect.gen(function* () {
      const { appId, ref, state, token } = yield* setting
      const empty = {
        operator: "and",
        rows: [
          {
            subject: { kind: "variable", source: "field", field_id: ref, field_type: "single_text" },
            operator: "is_empty"
          }
        ]
      }
      const id = yield* automate(token, appId, {
        trigger: created,
        actions: [
          {
            type: "conditional",
            config: {
              condition: empty,
              action_rows: [setText(ref, "then")],
              else_action_rows: [setText(ref, "else"), { type: "exit", config: { exit_type: "failure" } }]
            }
          }
        ]
      })
      const firstRecord = yield* createRecord(token, appId, state)
      yield* runsOver(id)
      const second = yield* createRecord(token, appId, { ...state, reference: "given" })
      const [ok, bad] = yield* runsOver(id, 2)
      assert.strictEqual(ok!.status, "completed")
      assert.strictEqual(yield* textOf(firstRecord, ref), "then")
      assert.strictEqual(bad!.failure_reason, "exit_on_purpose")
      assert.strictEqual(yield* textOf(second, ref), "else")
    })
  )

  it.effect("runs that are committed together are each their own: one that fails takes no other along (7.11, A1)", () =>
    Effect.gen(function* () {
      const { appId, fields, token } = yield* seedApp([
        { field_type: "single_text", config: { label: "Name" } },
        { field_type: "number", config: { label: "Size" } }
      ])
      const name = { kind: "variable", source: "field", field_id: fields["name"], field_type: "single_text" }
      const stamp = (value: ReadonlyArray<unknown>) => ({
        type: "current_record_update",
        config: {
          field_assignments: [assign("number", fields["size"]!, value as ReadonlyArray<string>)],
          trigger_other_flows: false
        }
      })
      const id = yield* automate(token, appId, { trigger: created, actions: [stamp([name])] })
      const app = yield* App
      const names = Array.from({ length: 40 }, (_, i) => (i === 13 ? "thirteen" : String(i)))
      const inputs = names.map((one) => ({ fields: { name: one } }))
      const creation = yield* app.call("POST", `/v1/record/app/batch/${appId}`, { token, body: { inputs } })
      assert.strictEqual(creation.status, 200, creation.text)
      const runs = yield* runsOver(id, 40)
      const runsWith = (status: string) => runs.filter((run) => run.status === status)
      assert.deepStrictEqual([runsWith("completed").length, runsWith("failed").length], [39, 1])
      for (const run of runsWith("completed")) {
        assert.deepStrictEqual(
          [run.logs.map(({ status, type }) => [type, status]), run.ledger.map(({ state }) => state), run.credits],
          [
            [
              ["trigger", "success"],
              ["action", "success"]
            ],
            ["done"],
            1
          ]
        )
      }
      const sql = yield* SqlClient.SqlClient
      const sizes = yield* sql<{ size: number | null; revision: number }>`
        SELECT revision,
          (cells -> ${String(fields["size"])} ->> 0)::float8 AS size
        FROM records WHERE app_id = ${appId} ORDER BY record_id`
      assert.deepStrictEqual(
        sizes.map(({ revision, size }) => [size, revision]),
        names.map((_, i) => (i === 13 ? [null, 0] : [i, 1]))
      )
      assert.strictEqual(yield* leftOf(appId, id), 0)
    })
  )

  it.effect(
    "runs that end in failure at the same time are committed together, each with its log, one notice for all (A1)",
    () =>
      Effect.gen(function* () {
        const { appId, token } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
        const exit = { type: "exit", config: { exit_type: "failure" } }
        const id = yield* automate(token, appId, { trigger: created, actions: [exit] })
        const app = yield* App
        const inputs = Array.from({ length: 40 }, () => ({ fields: {} }))
        const creation = yield* app.call("POST", `/v1/record/app/batch/${appId}`, { token, body: { inputs } })
        assert.strictEqual(creation.status, 200, creation.text)
        for (const run of yield* runsOver(id, 40)) {
          assert.deepStrictEqual(
            [run.status, run.failure_reason, run.logs.map(({ type }) => type), run.ledger.map(({ path }) => path)],
            ["failed", "exit_on_purpose", ["trigger", "action"], ["0"]]
          )
        }
        const sql = yield* SqlClient.SqlClient
        const [shown] = yield* sql<{ transactions: number }>`
        SELECT count(DISTINCT xmin::text)::int AS transactions FROM runs WHERE automation_id = ${id}`
        assert.isBelow(shown!.transactions, 40)
        assert.strictEqual(yield* noticesOf(id, "failing"), 1)
        assert.strictEqual(yield* leftOf(appId, id), 0)
      })
  )

  it.effect("a loop runs its body for every item, logged once per iteration, at most 1000 (7.7 rule 4)", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* setting
      const other = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
      const name = other.fields["name"]!
      const id = yield* automate(token, appId, {
        trigger: { type: "webhook_received", config: {} },
        actions: [
          {
            type: "for_loop",
            config: {
              iterable: { kind: "variable", source: "trigger", trigger_type: "webhook_payload" },
              action_rows: [
                {
                  type: "record_create",
                  config: {
                    app_id: appId,
                    field_assignments: [],
                    trigger_other_flows: false
                  },
                  continue_on_error: true
                }
              ]
            }
          }
        ]
      })
      assert.isAbove(name, 0)
      const app = yield* App
      const run = yield* app.call("POST", `/v1/automation/${id}/manual-run`, {
        token,
        body: { webhook_payload: [1, 2, 3] }
      })
      assert.strictEqual(run.status, 202, run.text)
      const [done] = yield* runsOver(id)
      assert.strictEqual(done!.status, "completed")
      assert.strictEqual(done!.type, "manual")
      assert.deepStrictEqual(
        done!.ledger.map((row) => [row.path, row.iteration, row.state]),
        [
          ["0", "", "done"],
          ["0.body.0", "0", "failed"],
          ["0.body.0", "1", "failed"],
          ["0.body.0", "2", "failed"]
        ]
      )
      const listing = yield* app.call("POST", `/v1/automation-run/automation/${id}`, { token, body: {} })
      assert.strictEqual(listing.json.total, 1, listing.text)
      const runAnswer = yield* app.call("GET", `/v1/automation-run/${done!.run_id}`, { token })
      assert.strictEqual(runAnswer.json.automation_run.logs[0].id, `${done!.run_id}-trigger`)
      assert.strictEqual(runAnswer.json.automation_run.num_consumed_actions, 3)
    })
  )

  it.effect("cancel ends a waiting run at once and its workflow with it; over is a 409 (7.11)", () =>
    Effect.gen(function* () {
      const { appId, ref, state, token } = yield* setting
      const id = yield* automate(token, appId, {
        trigger: created,
        actions: [{ type: "delay", config: { delay_ms: 3_600_000 } }, setText(ref, "never")]
      })
      const record = yield* createRecord(token, appId, state)
      const [waiting] = yield* eventually("waits", runsOf(id), (rows) => rows[0]?.wait_until != null)
      const app = yield* App
      const path = `/v1/automation-run/${waiting!.run_id}/cancel`
      const cancelled = yield* app.call("POST", path, { token })
      assert.strictEqual(cancelled.status, 202, cancelled.text)
      assert.strictEqual(cancelled.json.automation_run.status, "cancelled")
      assert.strictEqual((yield* app.call("POST", path, { token })).status, 409)
      assert.strictEqual(yield* textOf(record, ref), null)
    })
  )

  it.effect("a simulation skips the filter and what changes things, and is listed for its automation only (7.11)", () =>
    Effect.gen(function* () {
      const { appId, ref, state, token } = yield* setting
      const id = yield* automate(token, appId, { trigger: created, actions: [setText(ref, "never")] })
      const record = yield* createRecord(token, appId, state, "?workflow=false")
      const app = yield* App
      const answer = yield* app.call("POST", `/v1/automation/${id}/simulate`, { token, body: { record_id: record } })
      assert.strictEqual(answer.status, 202, answer.text)
      const [run] = yield* runsOver(id)
      assert.strictEqual(run!.type, "simulation")
      assert.deepStrictEqual(
        run!.logs.map((log) => log.status),
        ["success", "skipped"]
      )
      assert.strictEqual(yield* textOf(record, ref), null)
      const ownRuns = yield* app.call("POST", `/v1/automation-run/automation/${id}`, { token, body: {} })
      assert.strictEqual(ownRuns.json.total, 1)
      const allRuns = yield* app.call("POST", "/v1/automation-run", { token, body: { automation_ids: [id] } })
      assert.strictEqual(allRuns.json.total, 0)
      const mismatch = yield* app.call("POST", `/v1/automation/${id}/simulate`, { token, body: {} })
      assert.strictEqual(mismatch.status, 400, mismatch.text)
      const missingRecord = yield* app.call("POST", `/v1/automation/${id}/simulate`, {
        token,
        body: { record_id: 999_999 }
      })
      assert.strictEqual(missingRecord.status, 404, missingRecord.text)
    })
  )

  it.effect("the call endpoint starts the target; other triggers make no run; problems are 400 (7.8)", () =>
    Effect.gen(function* () {
      const { appId, ref, state, token } = yield* setting
      const called = yield* automate(token, appId, {
        trigger: { type: "automation_called", config: {} },
        actions: [setText(ref, "called")]
      })
      const record = yield* createRecord(token, appId, state)
      const app = yield* App
      const answer = yield* app.call("POST", `/v1/automation/${called}/trigger`, {
        token,
        body: { trigger_on_record_id: record }
      })
      assert.strictEqual(answer.status, 202, answer.text)
      assert.deepStrictEqual(answer.json, {})
      yield* runsOver(called)
      assert.strictEqual(yield* textOf(record, ref), "called")
      const missing = yield* app.call("POST", `/v1/workflow/${called}/trigger`, {
        token,
        body: { trigger_on_record_id: 999_999 }
      })
      assert.strictEqual(missing.status, 400, missing.text)
      const nowhere = yield* app.call("POST", "/v1/automation/999999/trigger", {
        token,
        body: { trigger_on_record_id: record }
      })
      assert.strictEqual(nowhere.status, 400, nowhere.text)
      const other = yield* setting
      const elsewhere = yield* createRecord(other.token, other.appId, other.state)
      const body = (trigger_on_record_id: unknown) => ({ token, body: { trigger_on_record_id } })
      for (const wrong of [elsewhere, "1", null]) {
        const refusal = yield* app.call("POST", `/v1/automation/${called}/trigger`, body(wrong))
        assert.strictEqual(refusal.status, 400, refusal.text)
      }
      // Accepted, and no run: another trigger type, a filter that does not match, paused, broken.
      const onCall = { type: "automation_called", config: {} }
      const actions = [setText(ref, "wrongly")]
      const number = { kind: "variable", source: "meta", meta_type: "app_record_id" }
      const rows = [{ subject: number, operator: "less_than", value: { type: "number", number: ["0"] } }]
      const silent = [
        yield* automate(token, appId, { trigger: created, actions }),
        yield* automate(token, appId, { trigger: onCall, actions, filter: { operator: "and", rows } }),
        yield* automate(token, appId, { trigger: onCall, actions }),
        yield* automate(token, appId, { trigger: onCall, actions })
      ]
      yield* app.call("POST", `/v1/automation/${silent[2]}/pause`, { token })
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE automations SET broken = true WHERE automation_id = ${silent[3]!}`
      for (const id of silent) {
        const accepted = yield* app.call("POST", `/v1/automation/${id}/trigger`, body(record))
        assert.deepStrictEqual([accepted.status, accepted.json], [202, {}], accepted.text)
      }
      yield* settled(appId)
      for (const id of silent) assert.strictEqual((yield* runsOf(id)).length, 0)
    })
  )

  it.effect("values of `automation_called` hold with their flag only: triggering apps, inputs (trigger rule 3)", () =>
    Effect.gen(function* () {
      const { appId, ref, state, token, workspaceId } = yield* setting
      const app = yield* App
      const other = yield* makeApp(token, workspaceId, [{ field_type: "single_text", config: { label: "Name" } }])
      const elsewhere = yield* createRecord(token, other.appId, {})
      const record = yield* createRecord(token, appId, state)
      const def = { custom_type: "any", label: "Reason" }
      const reason = { kind: "variable", source: "custom", ...def }
      const say = {
        type: "custom_code",
        config: {
          code: ["return typeof var_reason === 'undefined' ? 'nothing' : var_reason"],
          custom_variable_defs: [{ ...def, label: "Said" }]
        }
      }
      const failureVariable = { ...reason, label: "Said" }
      const set = {
        type: "current_record_update",
        config: { field_assignments: [{ ...assign("single_text", ref, []), field_value: [failureVariable] }] }
      }
      const target = (flag: boolean) =>
        automate(token, appId, {
          trigger: {
            type: "automation_called",
            config: {
              triggering_app_ids: [other.appId],
              triggering_app_ids_enabled: flag,
              custom_variable_defs: [def],
              custom_variable_defs_enabled: flag
            }
          },
          actions: [say, set]
        })
      const [on, off] = [yield* target(true), yield* target(false)]
      const calls = Effect.fnUntraced(function* (id: number, more: object) {
        const body = {
          trigger_on_record_id: record,
          trigger_with_arguments: { var_reason: "late", var_else: 1 },
          ...more
        }
        const answer = yield* app.call("POST", `/v1/automation/${id}/trigger`, { token, body })
        assert.strictEqual(answer.status, 202, answer.text)
      })
      for (const more of [{}, { triggered_by_record_id: record }]) yield* calls(on, more)
      yield* settled(appId)
      assert.strictEqual((yield* runsOf(on)).length, 0, "no triggering record, or one of another app than those named")
      yield* calls(on, { triggered_by_record_id: elsewhere })
      assert.strictEqual((yield* runsOver(on))[0]!.status, "completed")
      assert.strictEqual(yield* textOf(record, ref), "late")
      yield* calls(off, {})
      assert.strictEqual((yield* runsOver(off))[0]!.status, "completed")
      assert.strictEqual(yield* textOf(record, ref), "nothing")
    })
  )

  it.effect("continue_on_error of a conditional or loop is about its own condition, a step inside has its own", () =>
    Effect.gen(function* () {
      const { appId, state, token } = yield* setting
      const app = yield* App
      const record = yield* createRecord(token, appId, state)
      const set = (label: string, code: string, more: object = {}) => ({
        type: "custom_variable",
        ...more,
        config: { assignment_code: [code], custom_variable_defs: [{ custom_type: "any", label }] }
      })
      const condition = { operator: "and", rows: [{ code: ["nope.x"] }] }
      const goesOn = { continue_on_error: true }
      const branch = (config: object, more: object = {}) => [{ type: "conditional", ...more, config }]
      const loop = (config: object, more: object = {}) => [
        { type: "collect_app_records", config: { app_id: appId } },
        {
          type: "for_loop",
          ...more,
          config: { iterable: { kind: "variable", source: "action", action_type: "record_collection" }, ...config }
        }
      ]
      const [one, bad] = [set("A", "1"), set("A", "nope.x")]
      const cases: ReadonlyArray<readonly [string, ReadonlyArray<object>, unknown]> = [
        ["condition fails, goes on", branch({ condition, action_rows: [one], else_action_rows: [one] }, goesOn), null],
        ["condition fails", branch({ condition, action_rows: [one] }), "failed"],
        ["step inside fails", branch({ action_rows: [bad, one] }, goesOn), "failed"],
        ["step inside goes on", branch({ action_rows: [set("A", "nope.x", goesOn), one] }), 1],
        ["break condition fails, goes on", loop({ break_condition: condition, action_rows: [one] }, goesOn), 1],
        ["continue condition fails", loop({ continue_condition: condition, action_rows: [one] }), "failed"],
        ["body fails", loop({ action_rows: [bad, one] }, goesOn), "failed"],
        ["body goes on", loop({ action_rows: [set("A", "nope.x", goesOn), one] }), 1]
      ]
      yield* Effect.forEach(
        cases,
        ([name, actions, expected]) =>
          Effect.gen(function* () {
            const id = yield* automate(token, appId, {
              trigger: { type: "automation_called", config: {} },
              actions: [...actions, set("After", "[var_a]")]
            })
            yield* app.call("POST", `/v1/automation/${id}/manual-run`, { token, body: { record_id: record } })
            const [run] = yield* runsOver(id)
            assert.strictEqual(run!.status, expected === "failed" ? "failed" : "completed", name)
            const [failure] = run!.logs.filter((log) => log.status === "failure")
            assert.match(JSON.stringify(failure.messages), /nope is not defined/, name)
            const lastLog = run!.logs.at(-1)
            if (expected === "failed") assert.strictEqual(lastLog.status, "failure", name)
            else assert.deepStrictEqual(lastLog.detail.outputs.value, [expected], name)
          }),
        { concurrency: 4, discard: true }
      )
    })
  )

  it.effect(
    "an automation that updates its own trigger field stops at depth 10, and the log names the cycle (7.5 rule 4)",
    () =>
      Effect.gen(function* () {
        const { appId, fields, state, token } = yield* setting
        const app = yield* App
        const weight = { kind: "variable", source: "field", field_id: fields["weight"]!, field_type: "number" }
        const id = yield* automate(token, appId, {
          trigger: { type: "record_updated", config: { trigger_on_changes_field_ids: [fields["weight"]] } },
          actions: [
            {
              type: "current_record_update",
              config: {
                field_assignments: [
                  { field_type: "number", variable_def: weight, assignment_type: "set", field_value: [weight, "+1"] }
                ]
              }
            }
          ]
        })
        const record = yield* createRecord(token, appId, state)
        yield* app.call("PUT", `/v1/record/${record}`, { token, body: { fields: { weight: 100 } } })
        yield* runsOver(id, 10)
        yield* settled(appId)
        const runs = yield* runsOf(id)
        assert.strictEqual(runs.length, 10)
        assert.strictEqual(yield* textOf(record, fields["weight"]!), "110")
        const warned = runs.at(-1)!.logs.filter(({ type }) => type === "exception")
        assert.match(JSON.stringify(warned), /No further run.*The cycle is Test \(\d+\) → Test/)
      })
  )

  it.effect("two automations that fire each other stop at depth 10, and the log names both (7.5 rule 4)", () =>
    Effect.gen(function* () {
      const { token, workspaceId } = yield* setting
      const nameFields = [{ field_type: "single_text", config: { label: "Name" } }]
      const [here, there] = [
        yield* makeApp(token, workspaceId, nameFields),
        yield* makeApp(token, workspaceId, nameFields)
      ]
      const creates = ({ appId, fields }: typeof here) => [
        {
          type: "record_create",
          config: { app_id: appId, field_assignments: [assign("single_text", fields["name"]!, ["x"])] }
        }
      ]
      const ping = yield* automate(token, here.appId, { name: "Ping", trigger: created, actions: creates(there) })
      const pong = yield* automate(token, there.appId, { name: "Pong", trigger: created, actions: creates(here) })
      yield* createRecord(token, here.appId, { name: "first" })
      yield* runsOver(ping, 5)
      yield* runsOver(pong, 5)
      yield* settled(here.appId)
      yield* settled(there.appId)
      const [pings, pongs] = [yield* runsOf(ping), yield* runsOf(pong)]
      assert.deepStrictEqual([pings.length, pongs.length], [5, 5])
      const lastLogs = JSON.stringify(pongs.at(-1)!.logs)
      assert.match(lastLogs, /No further run.*The cycle is Ping \(\d+\) → Pong \(\d+\) → Ping/)
    })
  )

  it.effect(
    "an automation that creates the records that fire it stops at depth 10, and the log names the cycle (7.5 rule 4)",
    () =>
      Effect.gen(function* () {
        const { appId, state, token } = yield* setting
        const id = yield* automate(token, appId, {
          name: "Echo",
          trigger: created,
          actions: [
            { type: "record_create", config: { app_id: appId, field_assignments: [] }, continue_on_error: true }
          ]
        })
        const sql = yield* SqlClient.SqlClient
        // The required status keeps the step from creating anything: let it go.
        yield* sql`UPDATE fields SET required = false WHERE app_id = ${appId}`
        yield* sql`UPDATE apps SET version = version + 1 WHERE app_id = ${appId}`
        yield* createRecord(token, appId, state)
        const runs = yield* eventually("ten links", runsOf(id), (rows) =>
          rows.some((run) => run.logs.some((log) => log.type === "exception"))
        )
        assert.deepStrictEqual(
          runs.map((run) => run.depth),
          [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
        )
        assert.match(JSON.stringify(runs.at(-1)!.logs), /The cycle is Echo \(\d+\) → Echo/)
      })
  )
  it.effect("chains through collections, comments and calls stop at depth 10 alike (7.5 rule 4)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { token, workspaceId } = yield* setting
      const comments = { type: "record_comment_or_reply_created", config: {} }
      const called = { type: "automation_called", config: {} }
      const collection = { kind: "variable", source: "action", action_type: "record_collection" }
      type Seen = { readonly appId: number; readonly count: number; readonly id: number }
      const weight = ({ count }: Seen, more: object = {}) => ({
        kind: "variable",
        source: "field",
        field_id: count,
        field_type: "number",
        ...more
      })
      const counting = (seen: Seen, of: object) => [
        {
          field_type: "number",
          variable_def: weight(seen, of),
          assignment_type: "set",
          field_value: [weight(seen, of), "+1"]
        }
      ]
      const collect = ({ appId }: Seen) => ({
        type: "collect_app_records",
        config: { app_id: appId, limit: 10, limit_enabled: true }
      })
      const begin = {
        update: (record: number, { count }: Seen) =>
          app.call("PUT", `/v1/record/${record}`, { token, body: { fields: { [count]: 1 } } }),
        comment: (record: number) =>
          app.call("POST", `/v1/comment/record/${record}`, { token, body: { value: "first" } }),
        call: (record: number, { id }: Seen) =>
          app.call("POST", `/v1/automation/${id}/trigger`, { token, body: { trigger_on_record_id: record } })
      }
      const ways: Record<string, readonly [object, keyof typeof begin, (seen: Seen) => ReadonlyArray<object>]> = {
        collected: [
          { type: "record_updated", config: {} },
          "update",
          (seen) => [
            collect(seen),
            {
              type: "collected_records_update",
              config: { record_collection: collection, field_assignments: counting(seen, { collection: true }) }
            }
          ]
        ],
        looped: [
          { type: "record_updated", config: {} },
          "update",
          (seen) => [
            collect(seen),
            {
              type: "for_loop",
              config: {
                iterable: collection,
                action_rows: [
                  {
                    type: "collected_records_update",
                    config: { field_assignments: counting(seen, { collection: true }) }
                  }
                ]
              }
            }
          ]
        ],
        comment: [
          comments,
          "comment",
          () => [{ type: "current_record_comment_create", config: { comment_content: ["again"] } }]
        ],
        reply: [
          comments,
          "comment",
          () => [{ type: "current_record_comment_or_reply_reply_create", config: { reply_content: ["again"] } }]
        ],
        "collected comments": [
          comments,
          "comment",
          (seen) => [
            collect(seen),
            {
              type: "collected_records_comment_create",
              config: { comment_content: ["again"], record_collection: collection }
            }
          ]
        ],
        "comments of scripts": [
          comments,
          "comment",
          () => [
            {
              type: "custom_code",
              config: { code: ["await api.Comment.create(current_record.record_id, 'again', { workflow: true })"] }
            }
          ]
        ],
        call: [called, "call", ({ id }) => [{ type: "current_record_call_automation", config: { automation_id: id } }]],
        "collected calls": [
          called,
          "call",
          (seen) => [
            collect(seen),
            {
              type: "collected_records_call_automation",
              config: { automation_id: seen.id, record_collection: collection }
            }
          ]
        ]
      }
      yield* Effect.forEach(
        Object.entries(ways),
        ([name, [trigger, first, actions]]) =>
          Effect.gen(function* () {
            const { appId, fields } = yield* makeApp(token, workspaceId, [
              { field_type: "single_text", config: { label: "Name" } },
              { field_type: "number", config: { label: "Count" } }
            ])
            const record = yield* createRecord(token, appId, { name })
            const creation = yield* app.call("POST", `/v1/automation/app/${appId}`, { token, body: { name, trigger } })
            assert.strictEqual(creation.status, 201, creation.text)
            const cycle = { appId, count: fields["count"]!, id: creation.json.automation.id as number }
            const actionsUpdate = yield* app.call("PUT", `/v1/automation/${cycle.id}`, {
              token,
              body: { actions: actions(cycle) }
            })
            assert.strictEqual(actionsUpdate.status, 200, actionsUpdate.text)
            const active = yield* app.call("POST", `/v1/automation/${cycle.id}/activate`, { token })
            assert.strictEqual(active.status, 200, active.text)
            const startAnswer = yield* begin[first](record, cycle)
            assert.include([200, 201, 202], startAnswer.status, `${name}: ${startAnswer.text}`)
            const runs = yield* eventually(
              `ten links of ${name}`,
              runsOf(cycle.id),
              (rows) =>
                rows.every(({ completed_on }) => completed_on !== null) &&
                rows.some((run) => run.logs.some((log) => log.type === "exception"))
            )
            assert.deepStrictEqual(
              runs.map((run) => run.depth),
              [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
              name
            )
            assert.isTrue(
              runs.every((run) => run.status === "completed"),
              `${name}: ${JSON.stringify(runs.at(-1)!.logs)}`
            )
            assert.match(
              JSON.stringify(runs.at(-1)!.logs),
              new RegExp(`The cycle is ${name} \\(\\d+\\) → ${name}`),
              name
            )
          }),
        { concurrency: 4, discard: true }
      )
    })
  )
})
