// developer-api.md 7.3, 7.11: what asks for a run is answered with the id of the run that comes of it, unless a filter may still reject it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App } from "../../../support/app.ts"
import { spineLayer } from "../../../support/spine.ts"
import { automate, createRecord, runsOver, setText } from "../runSupport.ts"
import { seedApp } from "../support.ts"

const created = { type: "record_created", config: {} }

const setting = Effect.gen(function* () {
  const seeded = yield* seedApp([{ field_type: "single_text", config: { label: "Reference" } }])
  const app = yield* App
  const reference = seeded.fields["reference"]!
  const record_id = yield* createRecord(seeded.token, seeded.appId, { reference: "R1" })
  const make = (more: object) =>
    automate(seeded.token, seeded.appId, {
      trigger: created,
      actions: [setText(reference, "done", { id: "set" })],
      ...more
    })
  const post = (path: string, body: object = { record_id }, headers: Record<string, string> = {}) =>
    app.call("POST", path, { token: seeded.token, body, headers })
  return { ...seeded, app, make, post, record_id, reference }
})

layer(spineLayer(), { excludeTestServices: true })("developer-api.md 7.3: the id of a run that is asked for", (it) => {
  it.effect("stands in the answer and in Location, and is that of the run", () =>
    Effect.gen(function* () {
      const { app, make, post, token } = yield* setting
      const id = yield* make({})
      for (const [index, [what, type]] of (
        [
          ["manual-run", "manual"],
          ["simulate", "simulation"]
        ] as const
      ).entries()) {
        const reply = yield* post(`/v1/automation/${id}/${what}`)
        assert.strictEqual(reply.status, 202, reply.text)
        const { message, run_id } = reply.json
        assert.isString(message)
        assert.match(run_id, /^\d+$/)
        assert.strictEqual(reply.headers.get("location"), `/v1/automation-run/${run_id}`)
        const run = (yield* runsOver(id, index + 1)).find((one) => one.run_id === run_id)
        assert.deepStrictEqual([run?.type, run?.status], [type, "completed"])
        const read = yield* app.call("GET", reply.headers.get("location")!, { token })
        assert.strictEqual(read.json.automation_run.id, run_id)
      }
    })
  )

  it.effect("is null where the filter is still to be judged; a simulation has none", () =>
    Effect.gen(function* () {
      const { make, post, reference } = yield* setting
      const subject = { kind: "variable", source: "field", field_id: reference, field_type: "single_text" }
      const filter = { operator: "and", rows: [{ subject, operator: "is", value: { type: "text", text: ["never"] } }] }
      const id = yield* make({ filter })
      const runRequest = yield* post(`/v1/automation/${id}/manual-run`)
      assert.deepStrictEqual([runRequest.status, runRequest.json.run_id], [202, null], runRequest.text)
      assert.isNull(runRequest.headers.get("location"))
      const dry = yield* post(`/v1/automation/${id}/simulate`)
      assert.match(dry.json.run_id, /^\d+$/, dry.text)
      const [only] = yield* runsOver(id, 1)
      assert.strictEqual(only!.run_id, dry.json.run_id)
    })
  )

  it.effect("is told of a retry too; a repeat with the same key names the same run", () =>
    Effect.gen(function* () {
      const { make, post } = yield* setting
      const failing = {
        id: "fail",
        type: "custom_variable",
        config: { assignment_code: ["nowhere"], custom_variable_defs: [{ custom_type: "any", label: "X" }] }
      }
      const id = yield* make({ actions: [failing] })
      const firstRequest = yield* post(`/v1/automation/${id}/manual-run`)
      const [failed] = yield* runsOver(id, 1)
      assert.deepStrictEqual([failed!.run_id, failed!.status], [firstRequest.json.run_id, "failed"])
      for (const [n, body] of [
        [2, {}],
        [3, { from: "failed_step" }]
      ] as const) {
        const headers = { "idempotency-key": `again ${n}` }
        const retried = yield* post(`/v1/automation-run/${failed!.run_id}/retry`, body, headers)
        assert.strictEqual(retried.status, 202, retried.text)
        const repeatedRetry = yield* post(`/v1/automation-run/${failed!.run_id}/retry`, body, headers)
        assert.deepStrictEqual(repeatedRetry.json, retried.json)
        assert.strictEqual(repeatedRetry.headers.get("location"), `/v1/automation-run/${retried.json.run_id}`)
        const runs = yield* runsOver(id, n)
        assert.strictEqual(runs.length, n)
        assert.isTrue(runs.some(({ run_id }) => run_id === retried.json.run_id))
      }
    })
  )
})
