// developer-api.md 1.7; service.md 3.2; decisions O12, O15, "The console": what the console does for the person of its session: connections, API
// key, tokens, the organization.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { connect, registerClient, signedIn } from "../../support/oauth.ts"
import { createApp, seedWorkspace } from "../../support/records.ts"
import { sentSlowly } from "../../support/slowBody.ts"
import { codeAt } from "../pages/secondSteps.ts"
import { browser, ORIGIN } from "../pages/support.ts"

const CREDENTIALS = "/console/account/credentials"

/** Asks as the console that was opened for this user. */
const consoleOf = Effect.fnUntraced(function* (user: { readonly userId: number; readonly personId: number }) {
  const b = browser(yield* signedIn(user.personId))
  return (path: string, input: object = {}) => b.ask(path, { as: user.userId, ...input })
})

const status = Effect.fnUntraced(function* (token: string, path = "/v1/user") {
  const app = yield* App
  return (yield* app.call("GET", path, { token })).status
})

/** Every address of the account and of the organization beside the API, with an input that it takes. */
const addresses: ReadonlyArray<readonly [string, object]> = [
  ["/console/account/self", {}],
  ["/console/account/organization", { user_id: 1 }],
  ["/console/account/connections", {}],
  ["/console/account/connections/end", { connection_id: 1 }],
  [CREDENTIALS, {}],
  [`${CREDENTIALS}/rotate-key`, {}],
  [
    `${CREDENTIALS}/create`,
    { name: "n", scopes: ["apps:read"], content_selection: "all", workspace_ids: [], app_ids: [] }
  ],
  [`${CREDENTIALS}/rename`, { credential_id: 1, name: "n" }],
  [`${CREDENTIALS}/revoke`, { credential_id: 1 }],
  ["/console/account/password", { current: "seven wet herons", password: "eight dry herons" }],
  ["/console/account/factors", {}],
  ["/console/account/factors/offer-app", {}],
  ["/console/account/factors/add-app", { sealed: "x", name: "n", code: "000000" }],
  ["/console/account/factors/ask-passkey", {}],
  ["/console/account/factors/add-passkey", { name: "n", answer: "{}" }],
  ["/console/account/factors/remove", { factor_id: 1 }],
  ["/console/account/factors/new-codes", {}],
  ["/console/organization/sign-in", {}],
  ["/console/organization/sign-in/members", { text: "", without: false, offset: 0 }],
  ["/console/organization/sign-in/require", { days: 7 }],
  ["/console/organization/sign-in/release", {}],
  ["/console/organization/sign-in/reset", { user_id: 1 }]
]

layer(appLayer(), { excludeTestServices: true })("the account in the console", (it) => {
  it.effect("attack: only the session's cookie opens it, from a page of ours, for a user of its person", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const other = yield* seedOrganization()
      const cookie = yield* signedIn(owner.personId)
      const b = browser(cookie)
      const tokenReply = yield* b.ask("/console/token", {})
      const json = { "content-type": "application/json", origin: ORIGIN }
      const credentialsBefore = yield* b.ask(CREDENTIALS, { as: owner.userId })
      for (const [path, input] of addresses) {
        const body = JSON.stringify({ as: owner.userId, ...input })
        const call = (headers: Record<string, string>, token?: string) =>
          app.call("POST", path, { headers, body, ...(token !== undefined && { token }) })
        for (const token of [owner.key, tokenReply.json.access_token])
          assert.strictEqual((yield* call(json, token)).status, 401, path)
        for (const origin of ["https://evil.example", "null", "http://127.0.0.1:8081", ""])
          assert.strictEqual((yield* call({ ...json, cookie, origin })).json.error_code, "forbidden", path)
        const { origin: _, ...noOrigin } = json
        assert.strictEqual((yield* call({ ...noOrigin, cookie })).status, 403, path)
        const form = yield* call({ ...json, cookie, "content-type": "application/x-www-form-urlencoded" })
        assert.strictEqual(form.json.error_code, "input_validation", path)
        const foreign = yield* b.ask(path, { ...input, as: other.owner.userId })
        assert.deepStrictEqual([foreign.status, foreign.json.error_code], [403, "restricted_resource"], path)
        const excess = yield* b.ask(path, { ...input, as: owner.userId, extra: 1 })
        assert.deepStrictEqual([excess.status, excess.json.error_code], [400, "input_validation"], path)
        assert.include(excess.json.error_message, "extra")
        assert.strictEqual((yield* b.ask(path, { ...input, as: "1" })).status, 400, path)
        const get = yield* app.call("GET", path, { headers: { cookie } })
        assert.deepStrictEqual([get.status, get.headers.get("allow")], [405, "POST"], path)
      }
      assert.deepStrictEqual((yield* b.ask(CREDENTIALS, { as: owner.userId })).json, credentialsBefore.json)
      const large = yield* b.ask(`${CREDENTIALS}/rename`, {
        as: owner.userId,
        credential_id: 1,
        name: "n".repeat(70_000)
      })
      assert.strictEqual(large.json.error_code, "input_validation")
    })
  )

  it.effect("attack: a request that takes its time is judged by the session that there is at its end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization()
      const cookie = yield* signedIn(owner.personId)
      const headers = { "content-type": "application/json", origin: ORIGIN, cookie }
      const input = { name: "Kept", scopes: ["records:read"], content_selection: "all", workspace_ids: [], app_ids: [] }
      const body = JSON.stringify({ as: owner.userId, ...input })
      const lateReply = yield* sentSlowly(
        `${CREDENTIALS}/create`,
        { method: "POST", headers },
        [body.slice(0, 5), body.slice(5)],
        sql`DELETE FROM sessions WHERE person_id = ${owner.personId}`
      )
      assert.strictEqual(lateReply.status, 401)
      assert.lengthOf(yield* sql`SELECT 1 FROM api_credentials WHERE user_id = ${owner.userId} AND name = 'Kept'`, 0)
    })
  )

  it.effect("O15: a request that takes its time is judged by the role that there is at its end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { orgId, owner } = yield* seedOrganization()
      yield* seedUser(orgId, "owner")
      const cookie = yield* signedIn(owner.personId)
      yield* sql`UPDATE sessions SET confirmed_on = now() WHERE person_id = ${owner.personId}`
      const headers = { "content-type": "application/json", origin: ORIGIN, cookie }
      const body = JSON.stringify({ as: owner.userId })
      const lateReply = yield* sentSlowly(
        "/console/organization/sign-in/release",
        { method: "POST", headers },
        [body.slice(0, 5), body.slice(5)],
        sql`UPDATE users SET role = 'member' WHERE user_id = ${owner.userId}`
      )
      assert.strictEqual(lateReply.status, 403)
      assert.lengthOf(yield* sql`SELECT 1 FROM audit_log WHERE org_id = ${orgId}`, 0)
    })
  )

  it.effect("attack: second steps are changed by who has signed in or confirmed in these minutes alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization()
      const ask = yield* consoleOf(owner)
      const path = "/console/account/factors"
      const refusedAct = Effect.fnUntraced(function* (below: string, input: object) {
        const { json, status } = yield* ask(`${path}/${below}`, input)
        assert.deepStrictEqual([status, json.error_code], [403, "confirmation_required"], below)
      })
      const adding = [
        ["offer-app", {}],
        ["add-app", { sealed: "x", name: "n", code: "000000" }],
        ["ask-passkey", {}],
        ["add-passkey", { name: "n", answer: "{}" }]
      ] as const
      // A sign-in of these minutes lets one add, and no more.
      assert.deepInclude((yield* ask(path)).json, { may_add: true, may_change: false, factors: [], codes_left: 0 })
      yield* refusedAct("remove", { factor_id: 1 })
      yield* refusedAct("new-codes", {})
      const totpOffer = yield* ask(`${path}/offer-app`)
      assert.match(totpOffer.json.qr, /^<svg/)
      const { sealed, secret } = totpOffer.json
      const wrong = yield* ask(`${path}/add-app`, { sealed, name: "Phone", code: "000000" })
      assert.deepStrictEqual([wrong.status, wrong.json.error_code], [400, "validation"])
      const altered = yield* ask(`${path}/add-app`, { sealed: `${sealed}x`, name: "Phone", code: "000000" })
      assert.include(altered.json.error_message, "Set the app up anew.")
      const stranger = yield* consoleOf((yield* seedOrganization()).owner)
      const foreign = yield* stranger(`${path}/add-app`, { sealed, name: "Phone", code: codeAt(secret, Date.now()) })
      assert.include(foreign.json.error_message, "Set the app up anew.")
      const old = sql`UPDATE sessions SET created_on = now() - interval '1 hour' WHERE person_id = ${owner.personId}`
      yield* old
      for (const [below, input] of adding) yield* refusedAct(below, input)
      assert.deepInclude((yield* ask(path)).json, { may_add: false, may_change: false, factors: [] })
      yield* sql`UPDATE sessions SET confirmed_on = now() WHERE person_id = ${owner.personId}`
      assert.deepInclude((yield* ask(path)).json, { may_add: true, may_change: true })
      const added = yield* ask(`${path}/add-app`, { sealed, name: "Phone", code: codeAt(secret, Date.now()) })
      assert.lengthOf(added.json.codes, 10)
      const factorState = yield* ask(path)
      assert.notInclude(factorState.text, secret)
      assert.strictEqual(factorState.json.codes_left, 10)
      assert.lengthOf((yield* ask(`${path}/new-codes`)).json.codes, 10)
      const { factor_id } = factorState.json.factors[0]
      assert.strictEqual((yield* stranger(`${path}/remove`, { factor_id })).status, 403)
      assert.strictEqual((yield* ask(`${path}/remove`, { factor_id })).status, 200)
      assert.strictEqual((yield* ask(`${path}/remove`, { factor_id })).status, 404)
    })
  )

  it.effect("says who it is and chooses among the person's organizations", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization("First")
      const second = yield* seedOrganization("Second")
      const ask = yield* consoleOf(owner)
      yield* sql`UPDATE users SET person_id = ${owner.personId} WHERE user_id = ${second.owner.userId}`
      const selfAnswer = yield* ask("/console/account/self")
      assert.strictEqual(selfAnswer.headers.get("cache-control"), "no-store")
      assert.deepStrictEqual(
        selfAnswer.json.organizations.map(({ org_name }: any) => org_name),
        ["First", "Second"]
      )
      assert.strictEqual((yield* ask("/console/token")).status, 409)
      assert.strictEqual((yield* ask("/console/account/organization", { user_id: second.owner.userId })).status, 200)
      assert.strictEqual((yield* ask("/console/token")).json.user_id, second.owner.userId)
      const stranger = yield* seedOrganization()
      const refusedChoice = yield* ask("/console/account/organization", { user_id: stranger.owner.userId })
      assert.strictEqual(refusedChoice.status, 404)
    })
  )

  it.effect("3.2: a person sees their own connections and ends one; its tokens stop; nobody else's can be ended", () =>
    Effect.gen(function* () {
      const { owner, orgId } = yield* seedOrganization()
      const member = yield* seedUser(orgId, "member")
      const clientId = yield* registerClient(undefined, { client_name: "Harbor Board" })
      const connection = yield* connect(member, clientId, { scope: "records:read" })
      const ask = yield* consoleOf(member)
      const list = Effect.map(ask("/console/account/connections"), ({ json }) => json.connections)
      const [row] = yield* list
      assert.strictEqual(row.client_name, "Harbor Board")
      assert.deepInclude(row.scopes, { scope: "records:read", line: "Read your records and files" })
      assert.property(row, "last_used_on")
      const { connection_id } = row
      const stranger = yield* consoleOf(owner)
      const end = "/console/account/connections/end"
      assert.include((yield* stranger(end, { connection_id })).json.error_message, "disconnected already")
      assert.strictEqual(yield* status(connection.access_token), 200)
      assert.strictEqual((yield* ask(end, { connection_id })).status, 200)
      assert.deepStrictEqual(yield* list, [])
      assert.strictEqual(yield* status(connection.access_token), 401)
      assert.include((yield* ask(end, { connection_id })).json.error_message, "disconnected already")
      for (const id of ["", "x", -1.5, "99999999999999999999", null])
        assert.strictEqual((yield* ask(end, { connection_id: id })).status, 400)
      assert.strictEqual((yield* ask(end, { connection_id: -1 })).status, 404)
    })
  )

  it.effect("1.7: the API key is shown once, then masked; rotation kills the old value at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization()
      const ask = yield* consoleOf(owner)
      const rotate = Effect.map(ask(`${CREDENTIALS}/rotate-key`), ({ json }) => json.token as string)
      const key = yield* rotate
      assert.match(key, /^user_key_/)
      assert.strictEqual(yield* status(owner.key), 401)
      assert.strictEqual(yield* status(key), 200)
      const credentials = yield* ask(CREDENTIALS)
      assert.notInclude(credentials.text, key)
      assert.strictEqual(credentials.json.api_key.masked, `user_key_••••••••${key.slice(-4)}`)
      const next = yield* rotate
      assert.notStrictEqual(next, key)
      assert.strictEqual(yield* status(key), 401)
      assert.strictEqual(yield* status(next), 200)
      const [row] = yield* sql<{
        n: number
      }>`SELECT count(*)::int AS n FROM audit_log WHERE event = 'api_key.rotated' AND user_id = ${owner.userId}`
      assert.strictEqual(row!.n, 2)
    })
  )

  it.effect(
    "1.7: tokens: created with scopes and content, shown once, renamed, revoked; revoked ones stay listed",
    () =>
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* seedWorkspace
        const kept = yield* createApp(owner, workspaceId, [], "Kept")
        const other = yield* createApp(owner, workspaceId, [], "Other")
        const ask = yield* consoleOf(owner)
        const name = "Nightly <b>import</b>"
        const create = (members: object) =>
          ask(`${CREDENTIALS}/create`, {
            ...{ name, scopes: ["apps:read"], content_selection: "all", workspace_ids: [], app_ids: [] },
            ...members
          })
        const none = yield* create({ scopes: [] })
        assert.strictEqual(none.status, 400)
        assert.include(none.json.error_message, "choose at least one")
        assert.strictEqual((yield* create({ scopes: ["apps:rule"] })).status, 400)
        assert.strictEqual((yield* create({ content_selection: "selected" })).status, 400)
        assert.strictEqual((yield* create({ content_selection: "selected", app_ids: [999_999_999] })).status, 400)
        assert.strictEqual((yield* create({ name: " " })).status, 400)
        const creation = yield* create({
          scopes: ["apps:read", "records:read"],
          content_selection: "selected",
          app_ids: [kept.app_id]
        })
        const { token } = creation.json
        assert.match(token, /^svc_pat_/)
        assert.strictEqual(yield* status(token, `/v1/app/${kept.app_id}`), 200)
        assert.strictEqual(yield* status(token, `/v1/app/${other.app_id}`), 404)
        assert.strictEqual(yield* status(token, "/v1/org"), 403)
        const credentials = yield* ask(CREDENTIALS)
        assert.notInclude(credentials.text, token)
        const [row] = credentials.json.tokens
        assert.deepInclude(row, { name, masked: `svc_pat_••••••••${token.slice(-4)}`, revoked_on: null })
        const { credential_id } = row
        yield* ask(`${CREDENTIALS}/rename`, { credential_id, name: "Weekly" })
        const stranger = yield* seedOrganization()
        const thief = yield* consoleOf(stranger.owner)
        assert.strictEqual((yield* thief(`${CREDENTIALS}/revoke`, { credential_id })).status, 404)
        assert.strictEqual((yield* thief(`${CREDENTIALS}/rename`, { credential_id, name: "Mine" })).status, 404)
        assert.strictEqual(yield* status(token, `/v1/app/${kept.app_id}`), 200)
        assert.strictEqual((yield* ask(`${CREDENTIALS}/revoke`, { credential_id })).status, 200)
        const [revoked] = (yield* ask(CREDENTIALS)).json.tokens
        assert.strictEqual(revoked.name, "Weekly")
        assert.isNotNull(revoked.revoked_on)
        assert.strictEqual(yield* status(token, `/v1/app/${kept.app_id}`), 401)
        assert.strictEqual((yield* ask(`${CREDENTIALS}/else`)).status, 405)
      })
  )

  it.effect("1.7: guests cannot create tokens; at most 20 are active", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner, orgId } = yield* seedOrganization()
      const input = { name: "x", scopes: ["apps:read"], content_selection: "all", workspace_ids: [], app_ids: [] }
      const guest = yield* consoleOf(yield* seedUser(orgId, "guest"))
      assert.isFalse((yield* guest(CREDENTIALS)).json.may_create)
      const forced = yield* guest(`${CREDENTIALS}/create`, input)
      assert.deepStrictEqual([forced.status, forced.json.error_code], [403, "restricted_resource"])
      assert.include(forced.json.error_message, "Guests cannot create")
      yield* sql`
        INSERT INTO api_credentials (user_id, kind, token_hash, hint, name, scopes, created_on)
        SELECT ${owner.userId}, 'personal_access_token', sha256(('twenty' || n)::bytea), 'abcd', 'n', '{apps:read}', now()
        FROM generate_series(1, 20) AS n`
      const ask = yield* consoleOf(owner)
      assert.strictEqual((yield* ask(CREDENTIALS)).json.most_active, 20)
      const further = yield* ask(`${CREDENTIALS}/create`, input)
      assert.strictEqual(further.status, 400)
      assert.include(further.json.error_message, "at most 20 active tokens")
    })
  )
})
