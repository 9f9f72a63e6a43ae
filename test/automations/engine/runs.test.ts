// Runs: control flow, errors, cancel, retry, simulation, manual runs, calls (developer-api.md 7.3, 7.6 to 7.8, 7.11).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../support/app.ts"
import { eventually, spineLayer } from "../../support/spine.ts"
import { seedApp } from "../support.ts"
import { assign, automate, createRecord, runsOf, runsOver, setText, textOf } from "./support.ts"

const created = { type: "record_created", config: {} }
const failing = (more: object = {}) => ({ type: "record_create", id: "bad", ...more, config: { app_id: 999_999_999 } })

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp()
  const { fields, options } = seeded
  return { ...seeded, ref: fields["reference"]!, state: { state: options["state"]![0] } }
})

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
      const refused = yield* app.call("POST", `/v1/automation-run/${run!.run_id}/retry`, {
        token,
        body: { from: "failed_step", definition: "current" }
      })
      assert.strictEqual(refused.status, 400, refused.text)
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
      const first = yield* createRecord(token, appId, state)
      yield* runsOver(id)
      const second = yield* createRecord(token, appId, { ...state, reference: "given" })
      const [ok, bad] = yield* runsOver(id, 2)
      assert.strictEqual(ok!.status, "completed")
      assert.strictEqual(yield* textOf(first, ref), "then")
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
      const made = yield* app.call("POST", `/v1/record/app/batch/${appId}`, { token, body: { inputs } })
      assert.strictEqual(made.status, 200, made.text)
      const runs = yield* runsOver(id, 40)
      const of = (status: string) => runs.filter((run) => run.status === status)
      assert.deepStrictEqual([of("completed").length, of("failed").length], [39, 1])
      for (const run of of("completed")) {
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
      const [left] = yield* sql<{
        n: number
      }>`SELECT (SELECT count(*) FROM automation_inbox WHERE app_id = ${appId})::int
        + (SELECT count(*) FROM run_places p JOIN runs USING (run_id) WHERE automation_id = ${id})::int AS n`
      assert.strictEqual(left!.n, 0)
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
      const listed = yield* app.call("POST", `/v1/automation-run/automation/${id}`, { token, body: {} })
      assert.strictEqual(listed.json.total, 1, listed.text)
      const one = yield* app.call("GET", `/v1/automation-run/${done!.run_id}`, { token })
      assert.strictEqual(one.json.automation_run.logs[0].id, `${done!.run_id}-trigger`)
      assert.strictEqual(one.json.automation_run.num_consumed_actions, 3)
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
      const mine = yield* app.call("POST", `/v1/automation-run/automation/${id}`, { token, body: {} })
      assert.strictEqual(mine.json.total, 1)
      const all = yield* app.call("POST", "/v1/automation-run", { token, body: { automation_ids: [id] } })
      assert.strictEqual(all.json.total, 0)
      const mismatch = yield* app.call("POST", `/v1/automation/${id}/simulate`, { token, body: {} })
      assert.strictEqual(mismatch.status, 400, mismatch.text)
      const gone = yield* app.call("POST", `/v1/automation/${id}/simulate`, { token, body: { record_id: 999_999 } })
      assert.strictEqual(gone.status, 404, gone.text)
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
    })
  )

  it.effect(
    "an automation that updates its own trigger field stops at depth 10, and the log names the cycle (7.5 rule 4)",
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
})
