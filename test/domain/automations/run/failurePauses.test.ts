// Automations that are paused until they are mended, after failures in a row (developer-api.md 7.13 `pause_after_failures`).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App } from "../../../support/app.ts"
import { spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOver, setText } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const created = { type: "record_created", config: {} }
const failure = { type: "exit", config: { exit_type: "failure" } }
const success = { type: "exit", config: { exit_type: "success" } }

const setting = (pause_after_failures: number) =>
  Effect.gen(function* () {
    const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
    const app = yield* App
    const sql = yield* SqlClient.SqlClient
    const { appId, token } = seeded
    const id = yield* automate(token, appId, { trigger: created, actions: [failure], pause_after_failures })
    const call = (method: string, path = "", body?: object) =>
      app.call(method, `/v1/automation/${id}${path}`, { token, ...(body === undefined ? {} : { body }) })
    const read = Effect.map(call("GET"), ({ json }) => json.automation)
    let runs = 0
    /** So many further records, and their runs. */
    const fire = (times: number) =>
      Effect.gen(function* () {
        for (let n = 0; n < times; n++) {
          yield* createRecord(token, appId, {})
          yield* runsOver(id, ++runs)
        }
        return yield* runsOver(id, runs)
      })
    return { ...seeded, app, call, fire, id, read, sql }
  })

layer(spineLayer(), { excludeTestServices: true })("pause_after_failures", (it) => {
  it.effect("failures in a row pause it, with a reason that it shows; activate ends that and counts from 0", () =>
    Effect.gen(function* () {
      const { call, fire, read, sql, id } = yield* setting(3)
      assert.strictEqual((yield* read).pause_after_failures, 3)
      yield* fire(2)
      assert.strictEqual((yield* read).status, "active")
      const runs = yield* fire(1)
      const paused = yield* read
      assert.deepStrictEqual([paused.status, paused.paused], ["paused", true])
      const { message, paused_at, ...reason } = paused.paused_reason
      assert.deepStrictEqual(reason, { code: "failures_in_a_row", failures: 3, run_id: runs[2]!.run_id })
      assert.match(message, /^3 runs failed in a row, the last one with: /)
      assert.match(paused_at, /^\d{4}-/)
      const [entry] = yield* sql<{ details: any }>`
        SELECT details FROM audit_log WHERE event = 'automation.paused' AND details ->> 'automation_id' = ${String(id)}`
      assert.strictEqual(entry!.details.reason, "failures_in_a_row")

      assert.strictEqual((yield* call("POST", "/activate")).status, 200)
      const active = yield* read
      assert.strictEqual(active.status, "active")
      assert.notProperty(active, "paused_reason")
      yield* fire(2)
      assert.strictEqual((yield* read).status, "active")
      yield* fire(1)
      assert.strictEqual((yield* read).status, "paused")
    })
  )

  it.effect("a success counts from 0; manual runs and simulations are not counted", () =>
    Effect.gen(function* () {
      const { call, fire, id, read, app, appId, token } = yield* setting(2)
      yield* fire(1)
      yield* call("PUT", "", { actions: [success] })
      yield* fire(1)
      yield* call("PUT", "", { actions: [failure] })
      yield* fire(1)
      assert.strictEqual((yield* read).status, "active")
      const record = yield* createRecord(token, appId, {})
      assert.isAbove(record, 0)
      yield* runsOver(id, 4)
      assert.strictEqual((yield* read).status, "paused")
      yield* call("POST", "/activate")
      for (const path of ["manual-run", "manual-run", "simulate"]) {
        const runAnswer = yield* app.call("POST", `/v1/automation/${id}/${path}`, {
          token,
          body: { record_id: record }
        })
        assert.strictEqual(runAnswer.status, 202, runAnswer.text)
      }
      yield* runsOver(id, 7)
      assert.strictEqual((yield* read).status, "active")
    })
  )

  it.effect("a save that mends its steps starts it again; one of its name, and a person's pause, do not", () =>
    Effect.gen(function* () {
      const { call, fire, read } = yield* setting(1)
      yield* fire(1)
      assert.match((yield* read).paused_reason.message, /^A run failed with: /)
      yield* call("PUT", "", { name: "Renamed" })
      assert.strictEqual((yield* read).status, "paused")
      const mended = yield* call("PUT", "", { actions: [success] })
      assert.strictEqual(mended.json.automation.status, "active", mended.text)
      assert.notProperty(mended.json.automation, "paused_reason")
      assert.strictEqual((yield* fire(1)).at(-1)!.status, "completed")

      yield* call("PUT", "", { actions: [failure] })
      yield* fire(1)
      assert.property(yield* read, "paused_reason")
      yield* call("POST", "/pause")
      assert.notProperty(yield* read, "paused_reason")
      yield* call("PUT", "", { actions: [success] })
      assert.strictEqual((yield* read).status, "paused")
    })
  )

  it.effect("without the setting nothing is counted", () =>
    Effect.gen(function* () {
      const { call, fire, id, read, sql } = yield* setting(2)
      yield* call("PUT", "", { pause_after_failures: null })
      assert.notProperty(yield* read, "pause_after_failures")
      yield* fire(3)
      assert.strictEqual((yield* read).status, "active")
      const streaks = yield* sql`SELECT streak FROM automation_failing WHERE automation_id = ${id}`
      assert.deepStrictEqual(streaks, [{ streak: 0 }])
    })
  )

  it.effect("only whole numbers from 1 to 1000", () =>
    Effect.gen(function* () {
      const { call } = yield* setting(1)
      for (const pause_after_failures of [0, 1001, 1.5, "3"]) {
        const reply = yield* call("PUT", "", { pause_after_failures })
        assert.strictEqual(reply.status, 400)
        assert.match(reply.text, /pause_after_failures/)
      }
    })
  )

  it.effect("steps that set fields: a run in one statement that succeeds counts from 0 too", () =>
    Effect.gen(function* () {
      const { call, fields, fire, read } = yield* setting(2)
      yield* fire(1)
      yield* call("PUT", "", { actions: [setText(fields["reference"]!, "x")] })
      yield* fire(1)
      yield* call("PUT", "", { actions: [failure] })
      yield* fire(1)
      assert.strictEqual((yield* read).status, "active")
    })
  )
})
