// Calls that wait for their results (developer-api.md 7.13 `wait_for_result`): child workflows, their variables, failures and ends.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { runWorkflowId } from "../../../../src/domain/automations/run/runWorkflowId.ts"
import { Temporal } from "../../../../src/engine/temporal/Temporal.ts"
import { App } from "../../../support/app.ts"
import { eventually, spineLayer } from "../../../support/spine.ts"
import { compute, custom, order, runSteps, seedWorld, type World } from "../actions/support.ts"
import { automate, runsOf, runsOver, settled } from "../runSupport.ts"

const called = { type: "automation_called", config: {} }
const target = ({ appId, token }: World, actions: ReadonlyArray<object>, more: object = {}) =>
  automate(token, appId, { name: "Target", trigger: called, actions, ...more })
const call = (automation_id: number, more: object = {}) => ({
  type: "current_record_call_automation",
  config: { automation_id, wait_for_result: true },
  ...more
})
const long = { type: "delay", config: { delay_ms: 3_600_000 } }
/** One more than are called at a time. */
const RECORDS = 26
const failure = { type: "exit", config: { exit_type: "failure" } }

// One place: a caller that held it would keep the called run from executing.
layer(spineLayer({ RUNS_CONCURRENT: "1" }), { excludeTestServices: true })("a call that waits for its result", (it) => {
  it.effect(
    "goes on with the called run's variables; the called run is a child workflow, and neither holds up the other (7.13)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const temporal = yield* Temporal
        const w = yield* seedWorld
        const id = yield* order(w)
        const child = yield* target(w, [compute("answer", "40 + 2")])
        const run = yield* runSteps(w, id, [call(child), compute("seen", custom("answer"), " + 1")])
        assert.strictEqual(run.status, "completed", run.error_message ?? "")
        assert.deepStrictEqual([run.variables["answer"], run.variables["seen"]], [42, 43])
        const [of] = yield* runsOver(child)
        const { json } = yield* app.call("GET", `/v1/automation-run/${run.run_id}`, { token: w.token })
        assert.deepStrictEqual(json.automation_run.child_run_ids, [of!.run_id])
        const { raw } = yield* temporal.call((client) => client.workflow.getHandle(runWorkflowId(of!)).describe())
        assert.strictEqual(
          raw.workflowExecutionInfo?.parentExecution?.workflowId,
          runWorkflowId({ automation_id: run.automationId, run_id: run.run_id })
        )
        assert.strictEqual((yield* runsOf(child)).length, 1)
      })
  )

  it.effect(
    "fails with the called run, or goes on where the step says so; a filter that does not match is no failure (7.13)",
    () =>
      Effect.gen(function* () {
        const w = yield* seedWorld
        const id = yield* order(w)
        const child = yield* target(w, [failure])
        const failed = yield* runSteps(w, id, [call(child)])
        assert.strictEqual(failed.status, "failed")
        const [of] = yield* runsOver(child)
        assert.strictEqual(
          failed.error_message,
          `The called run ${of!.run_id} failed: The run was ended by an exit step.`
        )
        const goesOn = yield* runSteps(w, id, [call(child, { continue_on_error: true }), compute("there", "1")])
        assert.deepStrictEqual([goesOn.status, goesOn.variables["there"]], ["completed", 1])
        const never = { operator: "and", rows: [{ code: ["false"] }] }
        const filtered = yield* target(w, [compute("answer", "1")], { filter: never })
        const none = yield* runSteps(w, id, [call(filtered), compute("there", "2")])
        assert.deepStrictEqual([none.status, none.variables["there"]], ["completed", 2])
        const app = yield* App
        // The apps that may call it are none: it has no filter, and the log must not blame one.
        const config = { triggering_app_ids: [], triggering_app_ids_enabled: true }
        const closed = yield* target(w, [compute("answer", "1")], { trigger: { ...called, config } })
        for (const uncalled of [none, yield* runSteps(w, id, [call(closed)])]) {
          const { json } = yield* app.call("GET", `/v1/automation-run/${uncalled.run_id}`, { token: w.token })
          const logMessages = json.automation_run.logs.flatMap(({ messages }: any) => messages)
          const message = "1 of 1 calls made no run: the target's filter, or the apps that may call it, do not match."
          assert.deepInclude(logMessages, { message, level: "warn" })
        }
        yield* app.call("POST", `/v1/automation/${filtered}/pause`, { token: w.token })
        const paused = yield* runSteps(w, id, [call(filtered)])
        assert.strictEqual(paused.error_message, "No run was called: the called automation is not active.")
      })
  )

  it.effect("shows that it waits for the called run; cancelled it takes that along (7.13, 7.11)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const w = yield* seedWorld
      const id = yield* order(w)
      const grandchild = yield* target(w, [long])
      const child = yield* target(w, [call(grandchild)])
      const parent = yield* automate(w.token, w.appId, { trigger: called, actions: [call(child)] })
      yield* app.call("POST", `/v1/automation/${parent}/trigger`, {
        token: w.token,
        body: { trigger_on_record_id: id }
      })
      yield* eventually("waits", runsOf(grandchild), (rows) => rows[0]?.wait_until != null)
      const [run] = yield* runsOf(parent)
      const runAnswer = yield* app.call("GET", `/v1/automation-run/${run!.run_id}`, { token: w.token })
      assert.strictEqual(runAnswer.json.automation_run.waiting.why, "called_run")
      const temporal = yield* Temporal
      const { currentDetails } = yield* temporal.call((client) =>
        client.workflow.getHandle(runWorkflowId(run!)).query<{ currentDetails: string }>("__temporal_workflow_metadata")
      )
      assert.match(currentDetails, /\n\nWaits: runs that it has called are not over\.$/)
      yield* app.call("POST", `/v1/automation-run/${run!.run_id}/cancel`, { token: w.token })
      for (const automation of [parent, child, grandchild]) {
        const [ended] = yield* runsOver(automation)
        assert.strictEqual(ended!.status, "cancelled")
      }
      for (const automation of [parent, child, grandchild]) {
        const [ended] = yield* runsOf(automation)
        yield* eventually(
          "its workflow ends",
          temporal.call((client) => client.workflow.getHandle(runWorkflowId(ended!)).describe()),
          ({ status }) => status.name !== "RUNNING"
        )
      }
    })
  )

  it.effect(
    "for collected records: their variables as lists in the order of the records, 25 runs at a time (7.13)",
    () =>
      Effect.gen(function* () {
        const w = yield* seedWorld
        const ids: Array<number> = []
        for (let n = 0; n < RECORDS; n++) ids.push(yield* order(w, { name: `${n}` }))
        const sql = yield* SqlClient.SqlClient
        const child = yield* target(w, [compute("of", { kind: "variable", source: "meta", meta_type: "record_id" })])
        const run = yield* runSteps(w, ids[0]!, [
          { type: "collect_app_records", config: { app_id: w.appId } },
          {
            type: "collected_records_call_automation",
            config: {
              automation_id: child,
              record_collection: { kind: "variable", source: "action", action_type: "record_collection" },
              wait_for_result: true
            }
          },
          compute("many", custom("of"), ".length")
        ])
        assert.strictEqual(run.status, "completed", run.error_message ?? "")
        assert.deepStrictEqual([run.variables["of"], run.variables["many"]], [run.collections[w.appId], RECORDS])
        const rows = yield* sql`SELECT 1 FROM run_calls WHERE run_id = ${run.run_id}::bigint`
        assert.strictEqual(rows.length, RECORDS)
        yield* settled(w.appId)
        assert.strictEqual((yield* runsOf(child)).length, RECORDS)
      })
  )

  it.effect(
    "gives its turn back while it waits and takes it before the next: a call of its own automation and a ring of two end (7.13)",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const w = yield* seedWorld
        const oneAtOnce = { at_most: 1 }
        const change = Effect.fnUntraced(function* (automation: number, body: object) {
          const reply = yield* app.call("PUT", `/v1/automation/${automation}`, { token: w.token, body })
          assert.strictEqual(reply.status, 200, reply.text)
        })
        // As deep as a chain goes: the last link is refused, which fails the one that called it, and so up.
        const itself = yield* target(w, [compute("answer", "1")], { concurrency: oneAtOnce })
        yield* change(itself, { actions: [call(itself, { continue_on_error: true }), compute("answer", "1")] })
        const firstTarget = yield* target(w, [compute("answer", "1")], { concurrency: oneAtOnce })
        const second = yield* target(w, [call(firstTarget, { continue_on_error: true })], { concurrency: oneAtOnce })
        yield* change(firstTarget, { actions: [call(second, { continue_on_error: true })] })
        const id = yield* order(w)
        for (const automation of [itself, firstTarget, second]) {
          yield* app.call("POST", `/v1/automation/${automation}/trigger`, {
            token: w.token,
            body: { trigger_on_record_id: id }
          })
        }
        yield* settled(w.appId)
        for (const [automation, runs] of [
          [itself, 10],
          [firstTarget, 10],
          [second, 10]
        ] as const) {
          const finishedRuns = yield* runsOver(automation)
          assert.deepStrictEqual([...new Set(finishedRuns.map(({ status }) => status))], ["completed"])
          assert.strictEqual(finishedRuns.length, runs)
        }
      })
  )

  it.effect("fails with the cause where the called run is skipped or replaced (7.13)", () =>
    Effect.gen(function* () {
      const app = yield* App
      const w = yield* seedWorld
      const id = yield* order(w)
      const fire = (automation: number) =>
        app.call("POST", `/v1/automation/${automation}/trigger`, { token: w.token, body: { trigger_on_record_id: id } })
      const skips = yield* target(w, [long], { concurrency: { at_most: 1, when_full: "skip" } })
      yield* fire(skips)
      yield* eventually("is under way", runsOf(skips), ([run]) => run?.wait_until != null)
      const skipped = yield* runSteps(w, id, [call(skips)])
      const [, of] = yield* runsOf(skips)
      assert.strictEqual(
        skipped.error_message,
        `The called run ${of!.run_id} was cancelled: Skipped: at most 1 of the automation's runs is under way at once.`
      )
      const replaces = yield* target(w, [long], { concurrency: { at_most: 1, when_full: "replace" } })
      const parent = yield* automate(w.token, w.appId, { trigger: called, actions: [call(replaces)] })
      yield* fire(parent)
      yield* eventually("is under way", runsOf(replaces), ([run]) => run?.wait_until != null)
      yield* fire(replaces)
      const [replaced] = yield* runsOver(parent)
      const [old, next] = yield* runsOf(replaces)
      assert.strictEqual(
        replaced!.error_message,
        `The called run ${old!.run_id} was cancelled: Replaced by run ${next!.run_id}: at most 1 of the automation's runs is under way at once.`
      )
      // Who replaces the run that waits for it goes with that.
      const itself = yield* target(w, [long], { concurrency: { at_most: 1, when_full: "replace" } })
      const body = { actions: [call(itself)] }
      yield* app.call("PUT", `/v1/automation/${itself}`, { token: w.token, body })
      yield* fire(itself)
      yield* eventually(
        "both are over",
        runsOf(itself),
        (runs) => runs.length === 2 && runs.every((r) => r.completed_on !== null)
      )
      const [caller, child] = yield* runsOf(itself)
      assert.include(caller!.error_message!, `Replaced by run ${child!.run_id}`)
      assert.strictEqual(child!.error_message, "The run that waited for it is over.")
    })
  )

  it.effect("a variable that an earlier turn of a loop took over is null where the call fails (A16)", () =>
    Effect.gen(function* () {
      const w = yield* seedWorld
      const id = yield* order(w)
      const turnVariable = { custom_type: "any", label: "turn" }
      const child = yield* automate(w.token, w.appId, {
        trigger: {
          type: "automation_called",
          config: { custom_variable_defs_enabled: true, custom_variable_defs: [turnVariable] }
        },
        actions: [compute("answer", "(() => { if (", custom("turn"), " === 'b') throw new Error('no'); return 42 })()")]
      })
      const call_arguments = [{ variable_def: turnVariable, assignment_type: "set_code", code: ["loop_item"] }]
      const config = { automation_id: child, call_arguments, wait_for_result: true }
      const run = yield* runSteps(w, id, [
        compute("items", "['a', 'b']"),
        compute("seen", "[]"),
        {
          type: "for_loop",
          config: {
            iterable: custom("items"),
            action_rows: [
              { type: "current_record_call_automation", config, continue_on_error: true },
              compute("seen", "[...", custom("seen"), ", ", custom("answer"), "]")
            ]
          }
        }
      ])
      assert.strictEqual(run.status, "completed", run.error_message ?? "")
      assert.deepStrictEqual(run.variables["seen"], [42, null])
    })
  )
})
