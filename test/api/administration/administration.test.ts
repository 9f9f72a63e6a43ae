// docs/decisions.md, "The console" and O15: connected apps over the API, grouped by app, ended one by one and all of an app; the rules for
// apps; the audit log. By a person alone, for the organization by its owners and admins.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { removeUnconnectedClients } from "../../../src/domain/connections/pruneConnections.ts"
import { App, appLayer, seedOrganization, seedToken, seedUser } from "../../support/app.ts"
import { connect, registerClient } from "../../support/oauth.ts"

const caller = (token: string) =>
  Effect.fnUntraced(function* (method: string, path: string, body?: object) {
    const app = yield* App
    return yield* app.call(method, `/v1${path}`, { token, ...(body === undefined ? {} : { body }) })
  })

const scene = Effect.gen(function* () {
  const { orgId, owner } = yield* seedOrganization()
  const member = yield* seedUser(orgId, "member", "Mira")
  const tide = yield* registerClient(undefined, { client_name: "Tide tables" })
  const crane = yield* registerClient(undefined, { client_name: "Crane" })
  const tokens = [yield* connect(owner, tide), yield* connect(member, tide), yield* connect(member, crane)]
  return { owner, member, tide, crane, tokens, asOwner: caller(owner.key), asMember: caller(member.key) }
})

layer(appLayer(), { excludeTestServices: true })("the administration over the API", (it) => {
  it.effect("apps are listed with their rules and connections; all of an app end at once, with their tokens", () =>
    Effect.gen(function* () {
      const { asMember, asOwner, crane, member, tide, tokens } = yield* scene
      const { json } = yield* asOwner("GET", "/app-policy")
      assert.deepStrictEqual(
        json.apps.map(({ access, client_name, connections }: any) => [client_name, access, connections]),
        [
          ["Crane", null, 1],
          ["Tide tables", null, 2]
        ]
      )
      const firstPage = (yield* asOwner("GET", `/connection/org?client_id=${tide}&limit=1`)).json
      assert.deepStrictEqual(
        [firstPage.total, firstPage.connections.length, firstPage.connections[0].user_name],
        [2, 1, "Mira"]
      )
      const next = (yield* asOwner("GET", `/connection/org?client_id=${tide}&limit=1&offset=1`)).json
      assert.notStrictEqual(next.connections[0].connection_id, firstPage.connections[0].connection_id)
      const endReply = yield* asOwner("POST", "/connection/end", { client_id: tide, of: "organization" })
      assert.deepStrictEqual(endReply.json, { ended: 2 })
      const me = (token: string) => Effect.map(caller(token)("GET", "/user"), ({ status }) => status)
      assert.deepStrictEqual(yield* Effect.forEach(tokens, ({ access_token }) => me(access_token)), [401, 401, 200])
      const ownConnections = (yield* asMember("GET", "/connection")).json
      assert.deepStrictEqual([ownConnections.total, ownConnections.connections[0].client_id], [1, crane])
      const { events } = (yield* asOwner("GET", `/audit?event=connection.ended&client_id=${tide}`)).json
      assert.deepStrictEqual(
        events.map(({ client_name, details, user_name }: any) => [client_name, user_name, details.by]).sort()[0],
        ["Tide tables", "Mira", "organization"]
      )
      assert.strictEqual(events.length, 2)
      assert.deepStrictEqual((yield* asMember("POST", "/connection/end", { client_id: crane, of: "own" })).json, {
        ended: 1
      })
      assert.strictEqual(member.userId, events.find(({ user_name }: any) => user_name === "Mira").user_id)
    })
  )

  it.effect("a rule ends the connections that it shuts out; an unknown app or user is refused at its place", () =>
    Effect.gen(function* () {
      const { asMember, asOwner, member, tide } = yield* scene
      assert.deepStrictEqual((yield* asOwner("PUT", "/app-policy", { mode: "approved" })).json, { mode: "approved" })
      const limited = yield* asOwner("PUT", "/app-policy/app", { client_id: tide, access: "admins" })
      assert.deepStrictEqual(limited.json, { ended: 1 })
      assert.strictEqual((yield* asMember("GET", "/connection")).json.total, 1)
      const block = { client_id: tide, user_id: member.userId, blocked: true }
      assert.deepStrictEqual((yield* asOwner("PUT", "/app-policy/user", block)).json, { ended: 0 })
      const { apps, mode } = (yield* asOwner("GET", "/app-policy")).json
      const rule = apps.find(({ client_id }: any) => client_id === tide)
      assert.deepStrictEqual(
        [mode, rule.access, rule.blocked_user_ids, rule.connections],
        ["approved", "admins", [member.userId], 1]
      )
      for (const [path, body] of [
        ["/app-policy/app", { client_id: "nobody", access: "everyone" }],
        ["/app-policy/user", { client_id: "nobody", user_id: member.userId, blocked: true }]
      ] as const) {
        const refusal = yield* asOwner("PUT", path, body)
        assert.deepStrictEqual([refusal.status, refusal.json.error_message.split(":")[0]], [400, "client_id"])
      }
      const stranger = (yield* seedOrganization()).owner
      const strangerRefusal = yield* asOwner("PUT", "/app-policy/user", { ...block, user_id: stranger.userId })
      assert.deepStrictEqual(
        [strangerRefusal.status, strangerRefusal.json.error_message.split(":")[0]],
        [400, "user_id"]
      )
    })
  )

  it.effect("rules for an app that is no longer registered, and blocks of a removed user, can be taken away", () =>
    Effect.gen(function* () {
      const { asOwner, member } = yield* scene
      const unusedClient = yield* registerClient(undefined, { client_name: "Never connected" })
      const block = { client_id: unusedClient, user_id: member.userId }
      yield* asOwner("PUT", "/app-policy/app", { client_id: unusedClient, access: "admins" })
      yield* asOwner("PUT", "/app-policy/user", { ...block, blocked: true })
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE oauth_clients SET created_on = now() - interval '26 hours' WHERE client_id = ${unusedClient}`
      yield* removeUnconnectedClients
      assert.strictEqual((yield* asOwner("DELETE", `/org/user/${member.userId}`)).status, 200)
      const rules = Effect.map(asOwner("GET", "/app-policy"), ({ json }) =>
        json.apps.filter(({ client_id }: any) => client_id === unusedClient)
      )
      assert.strictEqual((yield* rules).length, 1)
      assert.strictEqual(
        (yield* asOwner("PUT", "/app-policy/app", { client_id: unusedClient, access: "everyone" })).status,
        400
      )
      const replies = [
        yield* asOwner("PUT", "/app-policy/app", { client_id: unusedClient, access: null }),
        yield* asOwner("PUT", "/app-policy/user", { ...block, blocked: false })
      ]
      assert.deepStrictEqual(
        replies.map(({ json, status }) => [status, json]),
        [
          [200, { ended: 0 }],
          [200, { ended: 0 }]
        ]
      )
      assert.deepStrictEqual(yield* rules, [])
    })
  )

  it.effect("the audit log is read by person, event and time, newest first, page after page", () =>
    Effect.gen(function* () {
      const { asOwner, member } = yield* scene
      const read = (query: string) => Effect.map(asOwner("GET", `/audit?${query}`), ({ json }) => json.events)
      const created = yield* read("event=connection")
      assert.deepStrictEqual(
        created.map(({ event }: any) => event),
        ["connection.created", "connection.created", "connection.created"]
      )
      const [first, ...rest] = created
      assert.deepStrictEqual(yield* read(`event=connection&before=${first.audit_id}`), rest)
      assert.strictEqual((yield* read(`event=connection.created&user_id=${member.userId}`)).length, 2)
      assert.deepStrictEqual(yield* read("event=connection&until=2020-01-01"), [])
      assert.strictEqual((yield* read("event=connection&since=2020-01-01&limit=2")).length, 2)
      const wrong = yield* asOwner("GET", "/audit?since=yesterday")
      assert.strictEqual(wrong.status, 400)
      assert.match(wrong.json.error_message, /^since: /)
    })
  )

  it.effect("attack: members see and end nothing of others, tokens nothing at all, another organization nothing", () =>
    Effect.gen(function* () {
      const { asMember, asOwner, crane, owner, tide, tokens } = yield* scene
      const ofOwner = (yield* asOwner("GET", "/connection")).json.connections[0].connection_id
      const refusedFor = [
        ["GET", "/app-policy"],
        ["PUT", "/app-policy", { mode: "all" }],
        ["PUT", "/app-policy/app", { client_id: tide, access: "blocked" }],
        ["PUT", "/app-policy/user", { client_id: tide, user_id: owner.userId, blocked: true }],
        ["GET", "/connection/org"],
        ["POST", "/connection/end", { client_id: tide, of: "organization" }],
        ["GET", "/audit"]
      ] as const
      const pat = caller(yield* seedToken(owner.userId, ["organization:read", "organization.members:manage"]))
      for (const [method, path, body] of refusedFor)
        for (const as of [asMember, pat, caller(tokens[0]!.access_token)])
          assert.strictEqual((yield* as(method, path, body)).status, 403, `${method} ${path}`)
      assert.strictEqual((yield* asMember("DELETE", `/connection/${ofOwner}`)).status, 404)
      assert.strictEqual((yield* pat("DELETE", `/connection/${ofOwner}`)).status, 403)
      const stranger = caller((yield* seedOrganization()).owner.key)
      assert.strictEqual((yield* stranger("DELETE", `/connection/${ofOwner}`)).status, 404)
      assert.deepStrictEqual(
        (yield* stranger("POST", "/connection/end", { client_id: tide, of: "organization" })).json,
        {
          ended: 0
        }
      )
      assert.deepStrictEqual((yield* stranger("GET", "/audit?event=connection")).json.events, [])
      const ownConnection = (yield* asMember("GET", `/connection?client_id=${crane}`)).json.connections[0]
      assert.strictEqual(
        (yield* asMember("DELETE", `/connection/${ownConnection.connection_id}`)).json.client_id,
        crane
      )
      assert.strictEqual((yield* asOwner("GET", "/connection/org")).json.total, 2)
    })
  )
})
