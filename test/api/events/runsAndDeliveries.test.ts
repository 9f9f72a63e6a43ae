// docs/decisions.md, "Events": runs and deliveries, as a worker carries them out; what is forgotten afterwards.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { forgetChanges } from "../../../src/engine/changes/forgetChanges.ts"
import { App } from "../../support/app.ts"
import { eventsAt } from "../../support/eventStream.ts"
import { receiver } from "../../support/receiver.ts"
import { as, createApp, field, seedWorkspace } from "../../support/records.ts"
import { spineLayer } from "../../support/spine.ts"
import { Target } from "./Target.ts"

const served = Layer.unwrap(
  Effect.map(receiver(), (one) => Layer.merge(spineLayer({ OUTBOUND_ALLOW: one.hostPort }), Layer.succeed(Target, one)))
)

layer(served, { excludeTestServices: true })("GET /v1/events, beside a worker", (it) => {
  it.effect("tells of a run from its beginning to its end, and of a delivery, to who may read them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const target = yield* Target
      const { owner, workspaceId } = yield* seedWorkspace
      const app = yield* createApp(owner, workspaceId, [field("single_text", "Title")])
      const { app_id } = app
      const by = as(owner)
      const exitActions = [{ type: "exit", config: { exit_type: "success" } }]
      const trigger = { type: "record_created", config: {} }
      const { automation } = (yield* by("POST", `/v1/automation/app/${app_id}`, {
        name: "Ends",
        trigger,
        actions: exitActions
      })).json
      yield* by("POST", `/v1/automation/${automation.id}/activate`, {})
      const url = `${target.origin}/hook`
      const { hook_id } = (yield* by("POST", `/v1/hook/app/${app_id}`, { type: "record.create", url })).json
      yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hook_id}`
      const stream = yield* eventsAt(owner.key, `?app_id=${app_id}&kinds=runs,deliveries`)
      const { record_id } = (yield* by("POST", `/v1/record/app/${app_id}`, { fields: { title: "Rope" } })).json
      yield* stream.until("the run's end", (all) => all.some(({ data }) => data.status === "completed"))
      yield* stream.until("the delivery", (all) => all.some(({ data }) => data.status === "delivered"))
      const runs = stream.of("run")
      assert.strictEqual(runs.at(-1).automation_id, automation.id)
      assert.strictEqual(runs.at(-1).record_id, record_id)
      assert.isAbove(runs.at(-1).entries, 0)
      const shownRun = (yield* (yield* App).call("GET", `/v1/automation-run/${runs[0].run_id}`, { token: owner.key }))
        .json
      assert.strictEqual(JSON.stringify(shownRun).includes('"completed"'), true)
      const deliveries = stream.of("delivery")
      assert.deepStrictEqual([...new Set(deliveries.map(({ status }) => status))], ["queued", "delivered"])
      const { delivery_id, ...delivery } = deliveries.at(-1)
      assert.deepStrictEqual(delivery, { app_id, hook_id, type: "record.create", status: "delivered", num_attempts: 1 })
      assert.strictEqual((yield* by("GET", `/v1/hook/delivery/${delivery_id}`)).status, 200)
      assert.deepStrictEqual(stream.of("record"), [])

      assert.deepStrictEqual(yield* forgetChanges, { changes: 0 })
      yield* sql`UPDATE changes SET made_on = now() - interval '6 minutes'`
      assert.isAbove((yield* forgetChanges).changes, 2)
      const later = yield* eventsAt(owner.key, "", { "last-event-id": stream.events[0]!.id })
      assert.deepStrictEqual(later.of("ready"), [{ resumed: false }])
    }).pipe(Effect.scoped)
  )
})
