// developer-api.md 2.1: organization and users.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { ApiCredentials } from "../../../src/domain/accounts/ApiCredentials.ts"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"

layer(appLayer(), { excludeTestServices: true })("developer-api.md 2.1: organization and users", (it) => {
  it.effect("GET /org answers the current organization with the active user", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { orgId, owner } = yield* seedOrganization("Harbor Works")
      const { json } = yield* app.call("GET", "/v1/org", { token: owner.key })
      assert.deepInclude(json, {
        org_id: orgId,
        active_user_id: owner.userId,
        name: "Harbor Works",
        plan: "standard",
        url: null
      })
      assert.match(json.created_on, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    })
  )

  it.effect("1.7: a credential minted for somebody invited says that it answers 401 until they have joined", () =>
    Effect.gen(function* () {
      const app = yield* App
      const credentials = yield* ApiCredentials
      const { owner } = yield* seedOrganization()
      const body = { name: "New Person", email: "later@example.net", role: "member" }
      const invited = yield* app.call("POST", "/v1/org/user", { token: owner.key, body })
      const input = { name: "script", scopes: ["records:read"], selection: "all" } as const
      const minted = yield* credentials.mintToken(invited.json.user_id, input)
      assert.match(minted.note!, /401 until they have joined/)
      assert.strictEqual((yield* app.call("GET", "/v1/app", { token: minted.token })).status, 401)
      assert.match((yield* credentials.rotateKey(invited.json.user_id)).note!, /401/)
      assert.isUndefined((yield* credentials.mintToken(owner.userId, input)).note)
    })
  )

  it.effect(
    "POST /org/user: a person is invited; with skip_invitation one who has a sign-in is active at once; a second time is 409",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const sql = yield* SqlClient.SqlClient
        const { owner } = yield* seedOrganization()
        const add = (email: string, more: object = {}) =>
          app.call("POST", "/v1/org/user", {
            token: owner.key,
            body: { name: "New Person", email, role: "member", ...more }
          })
        const invited = yield* add("first@example.net")
        assert.deepInclude(invited.json, { status: "invited", email: "first@example.net", role: "member" })
        yield* sql`INSERT INTO people (email, name, password_hash, created_on) VALUES ('known@example.net', 'K', 'x', now())`
        assert.strictEqual((yield* add("Known@example.net", { skip_invitation: true })).json.status, "active")
        assert.strictEqual((yield* add("first@example.net")).json.error_code, "conflict_error")
      })
  )

  it.effect("only owners and admins manage members; the role owner is given and taken by owners only", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { orgId, owner } = yield* seedOrganization()
      const admin = yield* seedUser(orgId, "admin")
      const member = yield* seedUser(orgId, "member")
      const putUser = (token: string, user: number, body: object) =>
        app.call("PUT", `/v1/org/user/${user}`, { token, body })
      assert.strictEqual(
        (yield* putUser(member.key, admin.userId, { name: "X" })).json.error_code,
        "restricted_resource"
      )
      assert.strictEqual((yield* putUser(admin.key, member.userId, { role: "owner" })).status, 403)
      assert.strictEqual((yield* putUser(admin.key, owner.userId, { name: "X" })).status, 403)
      assert.strictEqual((yield* putUser(owner.key, member.userId, { role: "owner" })).json.role, "owner")
    })
  )

  it.effect("the last owner cannot be demoted, deactivated or removed (409), not even by two requests at once", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { orgId, owner } = yield* seedOrganization()
      const path = `/v1/org/user/${owner.userId}`
      for (const body of [{ role: "member" }, { status: "deactivated" }]) {
        assert.strictEqual((yield* app.call("PUT", path, { token: owner.key, body })).status, 409)
      }
      assert.strictEqual((yield* app.call("DELETE", path, { token: owner.key })).status, 409)
      const second = yield* seedUser(orgId, "owner")
      const demote = (by: string, user: number) =>
        app.call("PUT", `/v1/org/user/${user}`, { token: by, body: { role: "member" } })
      const replies = yield* Effect.all([demote(owner.key, second.userId), demote(second.key, owner.userId)], {
        concurrency: 2
      })
      assert.isTrue(
        replies.some((r) => r.status !== 200),
        "one of the two must lose"
      )
    })
  )

  it.effect("a user of another organization is answered like one that does not exist", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const other = yield* seedOrganization()
      for (const id of [other.owner.userId, 99_999_999]) {
        const reply = yield* app.call("PUT", `/v1/org/user/${id}`, { token: owner.key, body: { name: "X" } })
        assert.deepInclude(reply.json, { status_code: 404, error_code: "not_found" })
      }
    })
  )

  it.effect("DELETE removes the user from listings and ends the credentials", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { orgId, owner } = yield* seedOrganization()
      const member = yield* seedUser(orgId, "member")
      assert.strictEqual(
        (yield* app.call("DELETE", `/v1/org/user/${member.userId}`, { token: owner.key })).json.user_id,
        member.userId
      )
      const { json } = yield* app.call("GET", "/v1/org/user", { token: owner.key })
      assert.deepStrictEqual([json.total, json.users.length], [1, 1])
      assert.strictEqual((yield* app.call("GET", "/v1/user", { token: member.key })).status, 401)
    })
  )
})
