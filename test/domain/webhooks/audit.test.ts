// What is done to hooks is in the audit log, in the transaction of the act: who, which hook, what; never a secret, a value or a URL.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { deliveryId } from "../../../src/domain/webhooks/Delivery.ts"
import { AuditLog } from "../../../src/platform/audit/AuditLog.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import { seedApp } from "./support/seed.ts"

const url = "https://93.184.215.14/in?token=6e01ab"

layer(appLayer(), { excludeTestServices: true })("the audit log of hooks", (it) => {
  it.effect(
    "holds who created, changed, paused, resumed and deleted one, rotated its secret, replayed its deliveries",
    () =>
      Effect.gen(function* () {
        const { call } = yield* App
        const sql = yield* SqlClient.SqlClient
        const audit = yield* AuditLog
        const { orgId, owner } = yield* seedOrganization()
        const { appId } = yield* seedApp(orgId)
        const api = Effect.fnUntraced(function* (method: string, path: string, body?: object) {
          const answer = yield* call(method, `/v1/hook/${path}`, {
            token: owner.key,
            ...(body === undefined ? {} : { body })
          })
          assert.isBelow(answer.status, 300, answer.text)
          return answer.json
        })
        const { hook_id } = yield* api("POST", `app/${appId}`, { type: "record.create", url })
        yield* sql`UPDATE hooks SET status = 'active', verified_on = now() WHERE hook_id = ${hook_id}`
        yield* sql`
        INSERT INTO webhook_deliveries (hook_id, event_id, type, status, payload, created_on)
        VALUES (${hook_id}, 1, 'record.create', 'failed', '{}', now())`
        const { replay_id } = yield* api("POST", `${hook_id}/replay`, { since: "2026-01-01" })
        yield* api("DELETE", `replay/${replay_id}`)
        const id = deliveryId(hook_id, 1)
        yield* api("POST", `delivery/${id}/replay`)
        yield* api("PUT", `${hook_id}/settings`, { paused: true })
        const headers = { "X-Key": { secret: "sk-4f9a1c77" } }
        yield* api("PUT", `${hook_id}/settings`, { paused: false, headers, description: "North pier" })
        yield* api("POST", `${hook_id}/secret/rotate`)
        yield* api("PUT", `${hook_id}`, { url: "https://93.184.215.15/next?token=6e01ab", type: "record.update" })
        // Nothing is changed by what it is already.
        yield* api("PUT", `${hook_id}`, { type: "record.update" })
        yield* api("DELETE", `${hook_id}`)
        const entries = (yield* audit.read({ orgId, event: "hook" })).toReversed()
        const hookIds = { app_id: appId, hook_id }
        assert.deepStrictEqual(
          entries.map(({ details, event }) => [event, details]),
          [
            ["hook.created", { ...hookIds, type: "record.create", host: "93.184.215.14" }],
            ["hook.replay_started", { hook_id, replay_id }],
            ["hook.replay_cancelled", { hook_id, replay_id }],
            ["hook.delivery_replayed", { hook_id, delivery_id: id }],
            ["hook.paused", hookIds],
            ["hook.resumed", hookIds],
            ["hook.settings_changed", { ...hookIds, members: ["description", "headers"] }],
            ["hook.secret_rotated", { ...hookIds, overlap_seconds: 86_400 }],
            ["hook.changed", { ...hookIds, host: "93.184.215.15", type: "record.update" }],
            ["hook.deleted", { ...hookIds, host: "93.184.215.15", type: "record.update" }]
          ]
        )
        assert.deepStrictEqual([...new Set(entries.map(({ user_id }) => user_id))], [owner.userId])
        for (const word of ["whsec_", "sk-4f9a1c77", "6e01ab", "North pier"])
          assert.notInclude(JSON.stringify(entries), word)
      })
  )

  it.effect("holds nothing of what was refused", () =>
    Effect.gen(function* () {
      const { call } = yield* App
      const audit = yield* AuditLog
      const { orgId, owner } = yield* seedOrganization()
      const { appId } = yield* seedApp(orgId)
      const privateHook = { type: "record.create", url: "http://127.0.0.1/" }
      assert.strictEqual(
        (yield* call("POST", `/v1/hook/app/${appId}`, { token: owner.key, body: privateHook })).status,
        400
      )
      assert.deepStrictEqual(yield* audit.read({ orgId, event: "hook" }), [])
    })
  )
})
