// Private views in what is tried of an automation (developer-api.md 11.6, 7.13; decisions A24): for their maker alone, by every way of a step.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, seedUser } from "../../../support/app.ts"
import { spineLayer } from "../../../support/spine.ts"
import { createRecord, runsOver } from "../runSupport.ts"
import { seedApp } from "../support.ts"

layer(spineLayer(), { excludeTestServices: true })("private views in tried automations", (it) => {
  it.effect("a step tried by the view's maker reads it, by a script too; tried by somebody else none does (A24)", () =>
    Effect.gen(function* () {
      const { appId, options, orgId, token } = yield* seedApp()
      const app = yield* App
      const other = yield* seedUser(orgId, "admin", "Ann")
      const creation = yield* app.call("POST", `/v1/view/app/${appId}`, {
        token,
        body: { name: "Mine", layout: "table", private: true }
      })
      const { view_id } = creation.json.view
      const record_id = yield* createRecord(token, appId, { state: options["state"]![0] })
      const calls = [`/view/${view_id}`, `/record/view/${view_id}`, `/app/${appId}/views`]
      const read = `api.request("GET", path).then(({ data }) => data.total ?? data.view.name, () => "none")`
      const code = [`console.log(JSON.stringify(await Promise.all(${JSON.stringify(calls)}.map((path) => ${read}))))`]
      const automation = yield* app.call("POST", `/v1/automation/app/${appId}`, {
        token,
        body: {
          name: "Tried",
          trigger: { type: "record_created", config: {} },
          actions: [
            { type: "collect_app_view_records", id: "collect", config: { app_id: appId, app_view_id: view_id } },
            { type: "custom_code", id: "script", config: { code } }
          ]
        }
      })
      assert.strictEqual(automation.status, 201, automation.text)
      const { id } = automation.json.automation
      const tryStep = Effect.fnUntraced(function* (user: string, action_id: string, count: number) {
        const answer = yield* app.call("POST", `/v1/automation/${id}/test-step`, {
          token: user,
          body: { action_id, record_id }
        })
        assert.strictEqual(answer.status, 202, answer.text)
        const runs = yield* runsOver(id, count)
        const { logs, status } = runs[count - 1]!
        return { status, log: JSON.stringify(logs) }
      })
      assert.strictEqual((yield* tryStep(token, "collect", 1)).status, "completed")
      assert.include((yield* tryStep(token, "script", 2)).log, String.raw`[\"Mine\",1,2]`)
      const refusal = yield* tryStep(other.key, "collect", 3)
      assert.strictEqual(refusal.status, "failed")
      assert.include(refusal.log, "has no view")
      assert.include((yield* tryStep(other.key, "script", 4)).log, String.raw`[\"none\",\"none\",1]`)
    })
  )
})
