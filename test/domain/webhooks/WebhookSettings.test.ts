// decisions W11, W12: the hook as it is read and changed, and the settings beside its record.
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { seedApp } from "./support/seed.ts"

const url = "https://93.184.215.14/in"

const defaults = {
  description: "",
  paused: false,
  types: ["record.create"],
  filter: null,
  only_fields: [],
  headers: {},
  authentication: null,
  per_minute: null,
  at_once: null,
  retry_seconds: null,
  timeout_millis: null,
  include_record: false
}

const setting = Effect.gen(function* () {
  const { call } = yield* App
  const { orgId, owner } = yield* seedOrganization()
  const { appId, workspaceId } = yield* seedApp(orgId)
  const as = (token: string) => (method: string, path: string, body?: unknown) =>
    call(method, `/v1/hook/${path}`, { token, ...(body === undefined ? {} : { body }) })
  const api = as(owner.key)
  const { json: hook } = yield* api("POST", `app/${appId}`, { type: "record.create", url })
  return { api, as, orgId, appId, workspaceId, hook }
})

/** As if its receiver had confirmed, with one delivery that waits. */
const verified = Effect.fnUntraced(function* (hookId: number, appId: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE hooks SET status = 'active', verified_on = now(), num_failed_executions = 3 WHERE hook_id = ${hookId}`
  yield* sql`
    INSERT INTO webhook_deliveries (hook_id, event_id, record_id, type, status, payload, created_on)
    VALUES (${hookId}, ${hookId}, 1, 'record.create', 'queued', '{}', now())`
  yield* sql`
    INSERT INTO webhook_queue (hook_id, event_id, app_id, record_id, ordered, blocked, due_at)
    VALUES (${hookId}, ${hookId}, ${appId}, 1, true, false, now())`
})

layer(appLayer(), { excludeTestServices: true })("a hook once it exists", (it) => {
  describe("GET and PUT /v1/hook/{hook_id} (W11)", () => {
    it.effect("answers the record with its app", () =>
      Effect.gen(function* () {
        const { api, hook } = yield* setting
        const read = yield* api("GET", `${hook.hook_id}`)
        assert.deepStrictEqual([read.status, read.json], [200, hook])
      })
    )

    it.effect("a new URL makes it inactive and withholds what waits; secret and settings stay", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { api, appId, hook } = yield* setting
        yield* verified(hook.hook_id, appId)
        yield* api("PUT", `${hook.hook_id}/settings`, { description: "North pier" })
        const secret = yield* api("GET", `${hook.hook_id}/secret`)
        const changed = yield* api("PUT", `${hook.hook_id}`, { url: `${url}/next` })
        assert.deepStrictEqual(
          [changed.status, changed.json.status, changed.json.url],
          [200, "inactive", `${url}/next`]
        )
        const events = yield* sql`SELECT type, payload FROM outbox WHERE app_id = ${appId} AND type LIKE 'hook.%'`
        assert.deepStrictEqual(events, [
          { type: "hook.inactive", payload: { hook_id: hook.hook_id, failures: 3, reason: "url_changed" } }
        ])
        const [delivery] = yield* sql`SELECT status FROM webhook_deliveries WHERE hook_id = ${hook.hook_id}`
        assert.strictEqual(delivery!["status"], "withheld")
        assert.lengthOf(yield* sql`SELECT 1 FROM webhook_queue WHERE hook_id = ${hook.hook_id}`, 0)
        assert.deepStrictEqual((yield* api("GET", `${hook.hook_id}/secret`)).json, secret.json)
        assert.strictEqual((yield* api("GET", `${hook.hook_id}/settings`)).json.description, "North pier")
      })
    )

    it.effect("the code of the former URL is void", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { api, hook } = yield* setting
        yield* api("POST", `${hook.hook_id}/verify/request`)
        yield* api("PUT", `${hook.hook_id}`, { url: `${url}/next` })
        const [row] = yield* sql`SELECT code FROM hooks WHERE hook_id = ${hook.hook_id}`
        assert.isNull(row!["code"])
      })
    )

    it.effect("the same URL and another type leave it active", () =>
      Effect.gen(function* () {
        const { api, appId, hook } = yield* setting
        yield* verified(hook.hook_id, appId)
        const changed = yield* api("PUT", `${hook.hook_id}`, { url, type: "record.update" })
        assert.deepStrictEqual(
          [changed.json.status, changed.json.type, changed.json.num_failed_executions],
          ["active", "record.update", 3]
        )
        assert.deepStrictEqual((yield* api("GET", `${hook.hook_id}/settings`)).json.types, ["record.update"])
      })
    )

    it.effect("refuses what create refuses, and stray members", () =>
      Effect.gen(function* () {
        const { api, hook } = yield* setting
        for (const [body, code, told] of [
          [{ url: "http://127.0.0.1/" }, "validation", "loopback"],
          [{ url: "https://hooks.example.com:8443/" }, "validation", "80 and 443"],
          [{ type: "hook.verify" }, "input_validation", "type"],
          [{ status: "active" }, "input_validation", "status"]
        ] as const) {
          const answer = yield* api("PUT", `${hook.hook_id}`, body)
          assert.deepStrictEqual([answer.status, answer.json.error_code], [400, code])
          assert.include(answer.json.error_message, told)
        }
        assert.deepStrictEqual((yield* api("GET", `${hook.hook_id}`)).json, hook)
      })
    )

    it.effect("members who are no workspace admins get 403, strangers 404", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { as, hook, orgId, workspaceId } = yield* setting
        const member = yield* seedUser(orgId, "member")
        yield* sql`INSERT INTO workspace_members (workspace_id, user_id, role) VALUES (${workspaceId}, ${member.userId}, 'member')`
        const stranger = (yield* seedOrganization()).owner
        for (const [path, method, body] of [
          ["", "GET"],
          ["", "PUT", {}],
          ["/settings", "GET"],
          ["/settings", "PUT", {}]
        ] as const) {
          assert.strictEqual((yield* as(member.key)(method, `${hook.hook_id}${path}`, body)).status, 403)
          assert.strictEqual((yield* as(stranger.key)(method, `${hook.hook_id}${path}`, body)).status, 404)
        }
      })
    )
  })

  describe("GET and PUT /v1/hook/{hook_id}/settings (W11)", () => {
    it.effect("has every member, each with the default that changes nothing", () =>
      Effect.gen(function* () {
        const { api, hook } = yield* setting
        assert.deepStrictEqual((yield* api("GET", `${hook.hook_id}/settings`)).json, defaults)
        assert.deepStrictEqual((yield* api("PUT", `${hook.hook_id}/settings`, {})).json, defaults)
      })
    )

    it.effect("replaces what is sent and leaves the rest", () =>
      Effect.gen(function* () {
        const { api, hook } = yield* setting
        const types = ["record.create", "record.update"]
        const firstAnswer = yield* api("PUT", `${hook.hook_id}/settings`, { description: "North pier", types })
        assert.deepStrictEqual(firstAnswer.json, { ...defaults, description: "North pier", types })
        const second = yield* api("PUT", `${hook.hook_id}/settings`, { paused: true })
        assert.deepStrictEqual(second.json, { ...firstAnswer.json, paused: true })
        assert.deepStrictEqual((yield* api("GET", `${hook.hook_id}/settings`)).json, second.json)
        // Neither the record nor the list shows any of it.
        assert.deepStrictEqual((yield* api("GET", `${hook.hook_id}`)).json, hook)
      })
    )

    it.effect("another type of the hook takes the place of the former in its types", () =>
      Effect.gen(function* () {
        const { api, hook } = yield* setting
        yield* api("PUT", `${hook.hook_id}/settings`, { types: ["record.create", "record.update"] })
        yield* api("PUT", `${hook.hook_id}`, { type: "record.delete" })
        const { json } = yield* api("GET", `${hook.hook_id}/settings`)
        assert.deepStrictEqual(json.types, ["record.delete", "record.update"])
      })
    )

    it.effect("names what is wrong and changes nothing", () =>
      Effect.gen(function* () {
        const { api, hook } = yield* setting
        for (const [body, code, told] of [
          [{ types: ["record.update"] }, "validation", "types: must hold the hook's own type, record.create"],
          [{ types: ["hook.verify"] }, "input_validation", "types[0]"],
          [{ description: "x".repeat(1001) }, "input_validation", "description"],
          [{ paused: "yes" }, "input_validation", "paused"],
          [{ pause: true }, "input_validation", "pause"]
        ] as const) {
          const answer = yield* api("PUT", `${hook.hook_id}/settings`, body)
          assert.deepStrictEqual([answer.status, answer.json.error_code], [400, code])
          assert.include(answer.json.error_message, told)
        }
        assert.deepStrictEqual((yield* api("GET", `${hook.hook_id}/settings`)).json, defaults)
      })
    )
  })
})
