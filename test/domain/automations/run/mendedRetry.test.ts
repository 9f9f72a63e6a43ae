// A failed run goes on at its failed step with the mended definition (developer-api.md 7.11 `retry`).
import { assert, describe, layer, it as plainIt } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makePlan, placedIn } from "../../../../src/domain/automations/model/Plan.ts"
import { changedSteps } from "../../../../src/domain/automations/requests/currentDefinition.ts"
import { kindOf } from "../../../../src/domain/automations/run/stepKinds.ts"
import { App } from "../../../support/app.ts"
import { spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOver, setText, textOf } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const step = (id: string, config: object = {}, more: object = {}) =>
  ({ id, type: "custom_code", group: "action", config: { code: [id], ...config }, ...more }) as never
const loop = (id: string, rows: ReadonlyArray<unknown>, config: object = {}) =>
  ({ id, type: "for_loop", group: "control_flow", config: { ...config, action_rows: rows } }) as never
const branch = (id: string, then: ReadonlyArray<unknown>, otherwise: ReadonlyArray<unknown>) =>
  ({
    id,
    type: "conditional",
    group: "control_flow",
    config: { action_rows: then, else_action_rows: otherwise }
  }) as never

describe("what a retry from the failed step compares (7.11)", () => {
  const former = [step("a"), loop("l", [step("b"), branch("c", [], [step("d"), step("e")])]), step("f")]
  const compare = (present: ReadonlyArray<unknown>, path: string, begun = false) =>
    changedSteps(former, present as never, { path }, begun)

  plainIt("names finished steps that were changed, moved, switched off or deleted, wherever they stand", () => {
    assert.deepStrictEqual(compare([step("a"), ...former.slice(1)], "2"), [])
    assert.deepStrictEqual(compare([step("a", { code: ["x"] }), ...former.slice(1)], "2"), ["a"])
    assert.deepStrictEqual(compare([former[1], former[0], former[2]], "2"), ["a", "l"])
    assert.deepStrictEqual(compare([step("a", {}, { deactivate: true }), ...former.slice(1)], "2"), ["a"])
    assert.deepStrictEqual(compare([former[0]], "1.body.1.else.1"), ["l"])
    const inside = (rows: ReadonlyArray<unknown>) => [former[0], loop("l", [step("b"), branch("c", [], rows)])]
    assert.deepStrictEqual(compare(inside([step("d"), step("e", { code: ["mended"] })]), "1.body.1.else.1"), [])
    assert.deepStrictEqual(compare(inside([step("d", { code: ["x"] }), step("e")]), "1.body.1.else.1"), ["d"])
    assert.deepStrictEqual(compare([former[0], loop("l", [], { iterable: {} })], "1.body.1.else.1"), ["l"])
  })

  plainIt("lets a loop that has begun go on with its items, and no other in its place", () => {
    assert.deepStrictEqual(compare([former[0], loop("l", [], { break_condition: null })], "1", true), [])
    assert.deepStrictEqual(compare([former[0], loop("other", [])], "1", true), ["l"])
    assert.deepStrictEqual(compare([former[0], loop("l", [], { iterable: {} })], "1", true), ["l"])
    assert.deepStrictEqual(compare([former[0], loop("other", [])], "1"), [])
  })

  plainIt("goes on at what stands in the place of the failed step, else after it", () => {
    const placed = (actions: ReadonlyArray<unknown>, path: string, iteration: ReadonlyArray<number> = []) =>
      placedIn(makePlan(actions as never, kindOf), { path, iteration })
    assert.deepStrictEqual(placed([step("a"), step("new"), step("f")], "1"), { path: "1", iteration: [] })
    assert.deepStrictEqual(placed([step("a"), step("f", {}, { deactivate: true }), step("g")], "1"), {
      path: "2",
      iteration: []
    })
    assert.isNull(placed([step("a")], "1"))
    assert.deepStrictEqual(placed([loop("l", [step("b")]), step("g")], "0.body.1", [4]), {
      path: "0",
      iteration: [],
      turn: 5,
      ran: true
    })
    assert.deepStrictEqual(placed([branch("c", [], [step("d")]), step("g")], "0.else.1"), { path: "1", iteration: [] })
  })
})

layer(spineLayer(), { excludeTestServices: true })("a retry with the mended definition", (it) => {
  const failedRun = Effect.gen(function* () {
    const { appId, fields, options, token } = yield* seedApp()
    const app = yield* App
    const ref = fields["reference"]!
    const firstStep = setText(ref, "one", { id: "first" })
    const id = yield* automate(token, appId, {
      trigger: { type: "record_created", config: {} },
      actions: [firstStep, { type: "custom_code", id: "broken", config: { code: ["throw new Error('no rate')"] } }]
    })
    const record = yield* createRecord(token, appId, { state: options["state"]![0] })
    const [run] = yield* runsOver(id)
    assert.strictEqual(run!.status, "failed", run!.error_message ?? "")
    const { json } = yield* app.call("GET", `/v1/automation/${id}`, { token })
    const save = (actions: ReadonlyArray<unknown>) =>
      app.call("PUT", `/v1/automation/${id}`, { token, body: { actions } })
    const retry = (body: object) => app.call("POST", `/v1/automation-run/${run!.run_id}/retry`, { token, body })
    const [stored] = json.automation.actions as ReadonlyArray<any>
    return { app, id, record, ref, retry, run: run!, save, stored, token }
  })

  it.effect("goes on at the failed step as it is now; what is done is not repeated (7.11)", () =>
    Effect.gen(function* () {
      const { id, record, ref, retry, run, save, stored } = yield* failedRun
      const mended = yield* save([stored, setText(ref, "mended", { id: "new" }), setText(ref, "end", { id: "last" })])
      assert.strictEqual(mended.status, 200, mended.text)
      const answer = yield* retry({ from: "failed_step", definition: "current" })
      assert.strictEqual(answer.status, 202, answer.text)
      const [, second] = yield* runsOver(id, 2)
      assert.strictEqual(second!.status, "completed", second!.error_message ?? "")
      assert.strictEqual(String(second!.retry_of_run_id), run.run_id)
      assert.deepStrictEqual(
        second!.logs.flatMap(({ action_id, status }) => (action_id === null ? [] : [[action_id, status]])),
        [
          ["new", "success"],
          ["last", "success"]
        ]
      )
      assert.deepStrictEqual(
        second!.ledger.map(({ path, state }) => [path, state]),
        [
          ["0", "done"],
          ["1", "done"],
          ["2", "done"]
        ]
      )
      assert.strictEqual(yield* textOf(record, ref), "end")
    })
  )

  it.effect("is a conflict that names the finished steps which were changed since (7.11)", () =>
    Effect.gen(function* () {
      const { id, ref, retry, save } = yield* failedRun
      yield* save([setText(ref, "two", { id: "first" }), setText(ref, "end", { id: "last" })])
      const answer = yield* retry({ from: "failed_step", definition: "current" })
      assert.strictEqual(answer.status, 409, answer.text)
      assert.deepStrictEqual(
        answer.json.errors.map(({ action_id }: { action_id: string }) => action_id),
        ["first"]
      )
      const unnamed = yield* retry({ from: "failed_step" })
      assert.strictEqual(unnamed.status, 409, "the current definition unless one is named")
      const originalAnswer = yield* retry({ from: "failed_step", definition: "original" })
      assert.strictEqual(originalAnswer.status, 202, originalAnswer.text)
      const [, second] = yield* runsOver(id, 2)
      assert.strictEqual(second!.status, "failed")
    })
  )

  it.effect("does what is left once, however often it is asked for at the same time and later", () =>
    Effect.gen(function* () {
      const { id, ref, retry, save, stored } = yield* failedRun
      yield* save([stored, setText(ref, "end", { id: "last" })])
      const body = { from: "failed_step", definition: "current" }
      const answers = yield* Effect.all(
        [1, 2, 3].map(() => retry(body)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [202, 409, 409])
      const [, second] = yield* runsOver(id, 2)
      assert.strictEqual(second!.status, "completed")
      const later = yield* retry(body)
      assert.strictEqual(later.status, 409, later.text)
      assert.include(later.text, `Run ${second!.run_id} retries it already`)
      assert.strictEqual((yield* runsOver(id, 2)).length, 2)
    })
  )

  it.effect("may be asked for again once the retry has failed too", () =>
    Effect.gen(function* () {
      const { id, retry } = yield* failedRun
      for (const count of [2, 3]) {
        const answer = yield* retry({ from: "failed_step" })
        assert.strictEqual(answer.status, 202, answer.text)
        const runs = yield* runsOver(id, count)
        assert.strictEqual(runs[count - 1]!.status, "failed")
      }
    })
  )

  it.effect("does not take values that were read with another author's rights into steps of somebody else (A24)", () =>
    Effect.gen(function* () {
      const { id, ref, retry, run, save, stored } = yield* failedRun
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE automation_revisions SET author_id = NULL WHERE revision_id = (
        SELECT revision_id FROM runs WHERE run_id = ${run.run_id}::bigint)`
      yield* save([stored, setText(ref, "end", { id: "last" })])
      const answer = yield* retry({ from: "failed_step", definition: "current" })
      assert.strictEqual(answer.status, 409, answer.text)
      assert.match(answer.json.error_message ?? answer.text, /saved by somebody else/)
      assert.strictEqual((yield* runsOver(id)).length, 1)
    })
  )
})
