// decisions O15, P7, P8: the organization's app policy over the API, and its connections: who sets it, what it ends, which apps it is for.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { connect, registerClient } from "../../support/oauth.ts"

const isAlive = Effect.fnUntraced(function* ({ access_token }: { readonly access_token: string }) {
  const app = yield* App
  return (yield* app.call("GET", "/v1/user", { token: access_token })).status === 200
})

/** Asks by the user's key. */
const callerOf =
  ({ key }: { readonly key: string }) =>
  (method: string, path: string, body?: object) =>
    Effect.flatMap(App, (app) =>
      app.call(method, `/v1${path}`, { token: key, ...(body === undefined ? {} : { body }) })
    )

const scene = Effect.gen(function* () {
  const { orgId, owner } = yield* seedOrganization("Harbor Works")
  const member = yield* seedUser(orgId, "member", "Joao")
  const clientId = yield* registerClient(undefined, { client_name: "Harbor Board" })
  const call = callerOf(owner)
  const setMode = (mode: string) => call("PUT", "/app-policy", { mode })
  const setAccess = (access: string | null, client_id = clientId) =>
    call("PUT", "/app-policy/app", { client_id, access })
  const setBlock = (blocked: boolean, client_id = clientId, user_id = member.userId) =>
    call("PUT", "/app-policy/user", { client_id, user_id, blocked })
  const policy = Effect.map(call("GET", "/app-policy"), ({ json }) => json)
  const rule = Effect.map(policy, ({ apps }) => apps.find(({ client_id }: any) => client_id === clientId))
  return { orgId, owner, member, clientId, call, policy, rule, setAccess, setBlock, setMode }
})

layer(appLayer(), { excludeTestServices: true })("O15: the app policy", (it) => {
  it.effect("O15: owners and admins only; members and guests are told so, their changes refused", () =>
    Effect.gen(function* () {
      const { orgId, clientId, policy } = yield* scene
      const admin = yield* seedUser(orgId, "admin")
      assert.strictEqual((yield* callerOf(admin)("GET", "/app-policy")).status, 200)
      for (const role of ["member", "guest"] as const) {
        const ask = callerOf(yield* seedUser(orgId, role))
        for (const [method, path, body] of [
          ["GET", "/app-policy", undefined],
          ["GET", "/audit", undefined],
          ["PUT", "/app-policy", { mode: "approved" }],
          ["PUT", "/app-policy/app", { client_id: clientId, access: "blocked" }],
          ["PUT", "/app-policy/user", { client_id: clientId, user_id: admin.userId, blocked: true }]
        ] as const) {
          const refusal = yield* ask(method, path, body)
          assert.deepStrictEqual([refusal.status, refusal.json.error_code], [403, "restricted_resource"], path)
        }
      }
      assert.deepInclude(yield* policy, { mode: "all", apps: [] })
    })
  )

  it.effect(
    "O15: only approved apps: new approvals are kept out, earlier connections go on; approving lets the app in",
    () =>
      Effect.gen(function* () {
        const { member, clientId, setAccess, setMode } = yield* scene
        const connection = yield* connect(member, clientId)
        assert.strictEqual((yield* setMode("approved")).status, 200)
        assert.isTrue(yield* isAlive(connection))
        assert.isUndefined((yield* connect(member, clientId)).access_token)
        yield* setAccess("everyone")
        assert.isTrue(yield* isAlive(yield* connect(member, clientId)))
        assert.strictEqual((yield* setMode("none")).status, 400)
      })
  )

  it.effect("O15: admins only and blocked end the connections of everyone they shut out; lifting revives nothing", () =>
    Effect.gen(function* () {
      const { owner, member, clientId, setAccess } = yield* scene
      const ownConnection = yield* connect(owner, clientId)
      const theirs = yield* connect(member, clientId)
      assert.deepStrictEqual((yield* setAccess("admins")).json, { ended: 1 })
      assert.deepStrictEqual([yield* isAlive(ownConnection), yield* isAlive(theirs)], [true, false])
      yield* setAccess("blocked")
      assert.isFalse(yield* isAlive(ownConnection))
      yield* setAccess(null)
      assert.deepStrictEqual([yield* isAlive(ownConnection), yield* isAlive(theirs)], [false, false])
      assert.isTrue(yield* isAlive(yield* connect(member, clientId)))
    })
  )

  it.effect("O15: blocked for a single user, and unblocked", () =>
    Effect.gen(function* () {
      const { owner, member, clientId, rule, setBlock } = yield* scene
      const [own, theirs] = [yield* connect(owner, clientId), yield* connect(member, clientId)]
      assert.deepStrictEqual((yield* setBlock(true)).json, { ended: 1 })
      assert.deepStrictEqual((yield* rule).blocked_user_ids, [member.userId])
      assert.deepStrictEqual([yield* isAlive(own), yield* isAlive(theirs)], [true, false])
      yield* setBlock(false)
      assert.deepStrictEqual((yield* rule).blocked_user_ids, [])
      assert.isFalse(yield* isAlive(theirs))
      assert.isTrue(yield* isAlive(yield* connect(member, clientId)))
    })
  )

  it.effect("O15: the organization's connections are listed and one is ended; another organization's cannot be", () =>
    Effect.gen(function* () {
      const { member, clientId, call } = yield* scene
      const memberConnection = yield* connect(member, clientId)
      const [{ connection_id, user_name }] = (yield* call("GET", "/connection/org")).json.connections
      assert.strictEqual(user_name, "Joao")
      const stranger = callerOf((yield* seedOrganization()).owner)
      assert.strictEqual((yield* stranger("DELETE", `/connection/${connection_id}`)).status, 404)
      const block = { client_id: clientId, user_id: member.userId, blocked: true }
      assert.strictEqual((yield* stranger("PUT", "/app-policy/user", block)).status, 400)
      assert.isTrue(yield* isAlive(memberConnection))
      assert.strictEqual((yield* call("DELETE", `/connection/${connection_id}`)).status, 200)
      assert.isFalse(yield* isAlive(memberConnection))
    })
  )

  it.effect(
    "O15: a rule may come before the app: an unknown client ID is said to be unknown, a document's URL is taken",
    () =>
      Effect.gen(function* () {
        const { policy, setAccess, setBlock } = yield* scene
        const unknown = yield* setAccess("blocked", "svc_oc_none")
        assert.strictEqual(unknown.status, 400)
        assert.include(unknown.json.error_message, "there is no app with this client ID.")
        const url = "https://app.example/client.json"
        assert.strictEqual((yield* setAccess("blocked", url)).status, 200)
        assert.deepStrictEqual(
          (yield* policy).apps.map(({ access, client_id }: any) => [client_id, access]),
          [[url, "blocked"]]
        )
        assert.strictEqual((yield* setBlock(true, "https://app.example/before.json")).status, 200)
      })
  )

  it.effect("P7: rules are for 500 apps, and their client IDs are bounded", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { orgId, setAccess } = yield* scene
      yield* sql`
        INSERT INTO org_app_policies (org_id, client_id, access)
        SELECT ${orgId}, 'https://a.example/' || n, 'blocked' FROM generate_series(1, 499) n`
      const add = (n: number) => setAccess("blocked", `https://b.example/${n}`)
      assert.strictEqual((yield* add(1)).status, 200)
      const full = yield* add(2)
      assert.strictEqual(full.status, 400)
      assert.include(full.json.error_message, "There are rules for 500 apps")
      assert.strictEqual((yield* add(1)).status, 200)
      assert.strictEqual((yield* setAccess("blocked", `https://${"\u6e2f".repeat(1500)}`)).status, 400)
    })
  )
})
