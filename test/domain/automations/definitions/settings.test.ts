// developer-api.md 7.13: `concurrency`, `debounce_ms` and `pause_after_failures` as members of an automation: absent when unset, cleared by `null`, checked with
// what they go with.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer } from "../../../support/app.ts"
import { create, seedApp } from "../support.ts"

const updated = { type: "record_updated", config: {} }

layer(appLayer(), { excludeTestServices: true })("settings of an automation (7.13)", (it) => {
  it.effect("are absent when unset, kept by a change of others, copied, and cleared by null", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* seedApp()
      const app = yield* App
      const plainAutomation = yield* create(token, appId)
      assert.notProperty(plainAutomation.json.automation, "concurrency")
      assert.notProperty(plainAutomation.json.automation, "debounce_ms")
      assert.notProperty(plainAutomation.json.automation, "pause_after_failures")
      const creation = yield* create(token, appId, {
        trigger: updated,
        concurrency: { at_most: 2 },
        debounce_ms: 5_000,
        pause_after_failures: 3
      })
      const { id } = creation.json.automation
      const settings = {
        concurrency: { at_most: 2, per_record: false, when_full: "wait" },
        debounce_ms: 5_000,
        pause_after_failures: 3
      }
      const settingsOf = ({ json }: any) => ({
        concurrency: json.automation.concurrency,
        debounce_ms: json.automation.debounce_ms,
        pause_after_failures: json.automation.pause_after_failures
      })
      assert.deepStrictEqual(settingsOf(creation), settings)
      const putAutomation = (body: object) => app.call("PUT", `/v1/automation/${id}`, { token, body })
      assert.deepStrictEqual(settingsOf(yield* putAutomation({ name: "Other" })), settings)
      const copy = yield* app.call("POST", `/v1/automation/${id}/duplicate`, { token, body: {} })
      assert.deepStrictEqual(settingsOf(copy), settings)
      const cleared = yield* putAutomation({ concurrency: null, debounce_ms: null, pause_after_failures: null })
      assert.deepStrictEqual(
        Object.keys(cleared.json.automation).sort(),
        Object.keys(plainAutomation.json.automation).sort()
      )
    })
  )

  it.effect("what they may not be is named by its place, and changes nothing", () =>
    Effect.gen(function* () {
      const { appId, token } = yield* seedApp()
      const app = yield* App
      for (const [body, message] of [
        [{ concurrency: {} }, /concurrency\.at_most/],
        [{ concurrency: { at_most: 0 } }, /concurrency\.at_most: expected a value between 1 and 1000/],
        [{ concurrency: { at_most: 1, when_full: "queue" } }, /concurrency\.when_full/],
        [{ concurrency: { at_most: 1, size: 2 } }, /concurrency\.size: unknown key/],
        [{ debounce_ms: 99 }, /debounce_ms: expected a value between 100 and 604800000/],
        [{ debounce_ms: 1.5 }, /debounce_ms/],
        [{ pause_after_failures: 0 }, /pause_after_failures: expected a value between 1 and 1000/],
        [{ paused_reason: null }, /paused_reason: is assigned by the service/],
        [
          { debounce_ms: 1_000, trigger: { type: "automation_called", config: {} } },
          /debounce_ms: the trigger automation_called gathers no changes, only record_created, record_updated, record_deleted do/
        ]
      ] as const) {
        const refusal = yield* create(token, appId, body)
        assert.strictEqual(refusal.status, 400, JSON.stringify(body))
        assert.match(refusal.json.error_message, message)
      }
      const creation = yield* create(token, appId, { trigger: updated, debounce_ms: 1_000 })
      const { id } = creation.json.automation
      const trigger = { type: "weblink_clicked", config: {} }
      const refusal = yield* app.call("PUT", `/v1/automation/${id}/trigger`, { token, body: trigger })
      assert.deepStrictEqual([refusal.status, refusal.json.error_code], [400, "validation"], refusal.text)
      const both = yield* app.call("PUT", `/v1/automation/${id}`, { token, body: { trigger, debounce_ms: null } })
      assert.strictEqual(both.status, 200, both.text)
    })
  )

  it.effect("stand in the published schema", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { json } = yield* app.call("GET", "/v1/automation/schema.json")
      assert.containsAllKeys(json.properties, ["concurrency", "debounce_ms", "pause_after_failures"])
      assert.match(JSON.stringify(json.properties.debounce_ms), /604800000/)
    })
  )
})
