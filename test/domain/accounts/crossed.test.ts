// developer-api.md 1.5: locks that two changes take in opposite order let both be made. Postgres ends who waited first, which is made again.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { crossing } from "../../support/locks.ts"
import { approve, REDIRECT, registerClient, token } from "../../support/oauth.ts"

const setting = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const app = yield* App
  const { orgId, owner } = yield* seedOrganization()
  const member = yield* seedUser(orgId, "member")
  const call = (method: string, path: string, body?: object) =>
    app.call(method, `/v1${path}`, { token: owner.key, ...(body === undefined ? {} : { body }) })
  const user = sql`SELECT 1 FROM users WHERE user_id = ${member.userId} FOR UPDATE`
  const organization = sql`SELECT 1 FROM organizations WHERE org_id = ${orgId} FOR UPDATE`
  return { call, member, organization, owner, sql, user }
})

layer(appLayer(), { excludeTestServices: true })("changes that meet", (it) => {
  it.effect("1.5: a user is changed, and removed, across a change that holds the user and wants the organization", () =>
    Effect.gen(function* () {
      const { call, member, organization, user } = yield* setting
      const userPath = `/org/user/${member.userId}`
      const changed = yield* crossing(user, call("PUT", userPath, { name: "Ada" }), organization)
      assert.deepStrictEqual([changed.status, changed.json.name], [200, "Ada"])
      assert.strictEqual((yield* crossing(user, call("DELETE", userPath), organization)).status, 200)
    })
  )

  it.effect("1.5: a member joins across a change that holds the user and wants the workspace", () =>
    Effect.gen(function* () {
      const { call, member, sql, user } = yield* setting
      const { workspace_id } = (yield* call("POST", "/workspace", { name: "Quay", type: "open" })).json
      const workspace = sql`SELECT 1 FROM workspaces WHERE workspace_id = ${workspace_id} FOR UPDATE`
      const body = { user_id: member.userId, role: "member" }
      const joined = yield* crossing(user, call("POST", `/workspace/${workspace_id}/member`, body), workspace)
      assert.strictEqual(joined.status, 200, joined.text)
    })
  )

  it.effect("service.md 3.2: a code is redeemed across a change that holds the organization and wants the user", () =>
    Effect.gen(function* () {
      const { organization, owner, sql } = yield* setting
      const clientId = yield* registerClient()
      const { code, verifier } = yield* approve(owner, clientId)
      const redeemed = token({
        grant_type: "authorization_code",
        code,
        redirect_uri: REDIRECT,
        client_id: clientId,
        code_verifier: verifier
      })
      const user = sql`SELECT 1 FROM users WHERE user_id = ${owner.userId} FOR UPDATE`
      const answer = yield* crossing(organization, redeemed, user)
      assert.strictEqual(answer.status, 200, answer.text)
    })
  )

  it.effect("O15: an app is blocked across a change that holds a later connection and wants an earlier one", () =>
    Effect.gen(function* () {
      const { call, member, organization: _, owner, sql } = yield* setting
      const clientId = yield* registerClient()
      const connected = Effect.fnUntraced(function* (person: typeof owner) {
        const { code, verifier } = yield* approve(person, clientId)
        const redeemed = yield* token({
          grant_type: "authorization_code",
          code,
          redirect_uri: REDIRECT,
          client_id: clientId,
          code_verifier: verifier
        })
        assert.strictEqual(redeemed.status, 200, redeemed.text)
      })
      yield* connected(member)
      yield* connected(owner)
      const connection = (person: typeof owner) =>
        sql`SELECT 1 FROM connections WHERE user_id = ${person.userId} FOR NO KEY UPDATE`
      const block = call("PUT", "/app-policy/app", { client_id: clientId, access: "blocked" })
      const blocked = yield* crossing(connection(owner), block, connection(member))
      assert.strictEqual(blocked.status, 200, blocked.text)
      assert.deepStrictEqual(
        yield* sql`SELECT 1 FROM connections WHERE client_id = ${clientId} AND ended_on IS NULL`,
        []
      )
    })
  )
})
