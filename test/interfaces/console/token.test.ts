// docs/decisions.md, "The console": the token of a signed-in page. developer-api.md 1.7, decisions O11, O12, O14.
import { assert, layer } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { SessionTokens, tokensPerSession } from "../../../src/domain/accounts/SessionTokens.ts"
import { prune } from "../../../src/domain/connections/pruneConnections.ts"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { confidentialClient, registerClient, signedIn } from "../../support/oauth.ts"
import { browser, PASSWORD, seedPerson } from "../pages/support.ts"

const ORIGIN = "http://127.0.0.1:8080"
const virtual = Effect.provide(TestClock.layer())

const requestToken = Effect.fnUntraced(function* (
  cookie: string | undefined,
  headers: Record<string, string> = { origin: ORIGIN }
) {
  const app = yield* App
  return yield* app.call("POST", "/console/token", {
    headers: cookie === undefined ? headers : { cookie, ...headers }
  })
})
const tokenOf = (cookie: string) => Effect.map(requestToken(cookie), ({ json }) => json.access_token as string)
const user = Effect.fnUntraced(function* (token: string) {
  const app = yield* App
  return yield* app.call("GET", "/v1/user", { token })
})

layer(appLayer(), { excludeTestServices: true })("the token of a signed-in page", (it) => {
  it.effect("ends as soon as its organization asks for a second step that the person lacks, and not before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { orgId, owner } = yield* seedOrganization()
      const cookie = yield* signedIn(owner.personId)
      const token = yield* tokenOf(cookie)
      const other = yield* seedOrganization()
      const foreign = yield* tokenOf(yield* signedIn(other.owner.personId))
      const from = (interval: string) => sql`
        INSERT INTO org_factor_policies (org_id, required_from) VALUES (${orgId}, now() + ${interval}::interval)
        ON CONFLICT (org_id) DO UPDATE SET required_from = excluded.required_from`
      yield* from("7 days")
      assert.strictEqual((yield* user(token)).status, 200)
      yield* from("-1 second")
      assert.strictEqual((yield* user(token)).status, 401)
      assert.strictEqual((yield* requestToken(cookie)).status, 403)
      assert.strictEqual((yield* user(foreign)).status, 200)
      const [session] = yield* sql<{ session_id: number }>`
        SELECT session_id FROM sessions WHERE person_id = ${owner.personId}`
      assert.isUndefined(yield* SessionTokens.use((tokens) => tokens.mint(session!.session_id, owner.userId)))
    })
  )

  it.effect("acts as the session at /v1, with everything the user may do, for ten minutes", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner, orgId } = yield* seedOrganization()
      const cookie = yield* signedIn(owner.personId)
      const tokenReply = yield* requestToken(cookie)
      assert.strictEqual(tokenReply.status, 200)
      assert.strictEqual(tokenReply.headers.get("cache-control"), "no-store")
      assert.strictEqual(tokenReply.headers.get("access-control-allow-origin"), null)
      const { access_token, ...rest } = tokenReply.json
      assert.deepStrictEqual(rest, { token_type: "Bearer", expires_in: 600, user_id: owner.userId })
      assert.match(access_token, /^svc_ost_[\w-]{40,}$/)
      const me = yield* user(access_token)
      assert.strictEqual(me.status, 200)
      assert.strictEqual(me.json.credential.type, "session")
      assert.strictEqual(me.json.user_id, owner.userId)
      const createReply = yield* app.call("POST", "/v1/workspace", {
        token: access_token,
        body: { name: "Quay", type: "default" }
      })
      assert.strictEqual(createReply.status, 200)
      const member = yield* seedUser(orgId, "guest")
      const memberToken = yield* tokenOf(yield* signedIn(member.personId))
      assert.strictEqual((yield* user(memberToken)).json.role, "guest")
      assert.strictEqual(
        (yield* app.call("POST", "/v1/workspace", { token: memberToken, body: { name: "Quay", type: "default" } }))
          .status,
        403
      )
    })
  )

  it.effect("ends after ten minutes; housekeeping removes it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization()
      const token = yield* tokenOf(yield* signedIn(owner.personId))
      yield* TestClock.adjust("599 seconds")
      assert.strictEqual((yield* user(token)).status, 200)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* user(token)).status, 401)
      assert.isAtLeast((yield* prune).session_tokens, 1)
      const remainingTokens = yield* sql`SELECT 1 FROM session_tokens WHERE user_id = ${owner.userId}`
      assert.strictEqual(remainingTokens.length, 0)
    }).pipe(virtual)
  )

  it.effect("ends with its session: sign-out, a password changed elsewhere, a user removed", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { email, orgId, owner } = yield* seedPerson()
      const b = browser()
      yield* b.signIn(email)
      const jar = (one: typeof b) => [...one.cookies].map(([k, v]) => `${k}=${v}`).join("; ")
      const token = yield* tokenOf(jar(b))
      assert.strictEqual((yield* user(token)).status, 200)
      const other = browser()
      yield* other.signIn(email)
      const elsewhere = yield* tokenOf(jar(other))
      const words = "eight dry herons"
      yield* b.submit("/account/password", { current: PASSWORD, password: words, repeated: words })
      assert.strictEqual((yield* user(elsewhere)).status, 401)
      assert.strictEqual((yield* user(token)).status, 200)
      const page = yield* b.get("/")
      const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)![1]!
      assert.strictEqual((yield* b.post("/sign-out", { csrf })).status, 303)
      assert.strictEqual((yield* user(token)).status, 401)

      const member = yield* seedUser(orgId, "member")
      const memberToken = yield* tokenOf(yield* signedIn(member.personId))
      assert.strictEqual((yield* user(memberToken)).status, 200)
      assert.isBelow((yield* app.call("DELETE", `/v1/org/user/${member.userId}`, { token: owner.key })).status, 300)
      assert.strictEqual((yield* user(memberToken)).status, 401)
    })
  )

  it.effect("attack: a foreign page, one without an Origin, one of another port or scheme gets none", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const cookie = yield* signedIn(owner.personId)
      const origins = [
        "https://evil.example",
        "null",
        "http://127.0.0.1:8081",
        "https://127.0.0.1:8080",
        `${ORIGIN}/`,
        ""
      ]
      for (const origin of origins) {
        const reply = yield* requestToken(cookie, { origin, "sec-fetch-site": "cross-site" })
        assert.strictEqual(reply.status, 403, origin)
        assert.strictEqual(reply.json.error_code, "forbidden")
      }
      assert.strictEqual((yield* requestToken(cookie, {})).status, 403)
      const get = yield* app.call("GET", "/console/token", { headers: { cookie, origin: ORIGIN } })
      assert.deepStrictEqual([get.status, get.headers.get("allow")], [405, "POST"])
      const preflight = yield* app.call("OPTIONS", "/console/token", {
        headers: { origin: "https://evil.example", "access-control-request-method": "POST" }
      })
      assert.strictEqual(preflight.headers.get("access-control-allow-origin"), null)
    })
  )

  it.effect("attack: without a sign-in 401 in JSON; a bearer credential is none", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const token = yield* tokenOf(yield* signedIn(owner.personId))
      const cookies = [undefined, "millrace_session=x", `millrace_session=${token}`]
      for (const cookie of cookies) {
        const reply = yield* requestToken(cookie, { origin: ORIGIN, authorization: `Bearer ${token}` })
        assert.strictEqual(reply.status, 401)
        assert.strictEqual(reply.json.error_code, "dev_api_authentication")
      }
    })
  )

  it.effect("attack: it is no OAuth token, no client's secret, and no name of a user", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const token = yield* tokenOf(yield* signedIn(owner.personId))
      const basic = (name: string, password = "") => ({ authorization: `Basic ${btoa(`${name}:${password}`)}` })
      assert.strictEqual((yield* app.call("GET", "/v1/user", { headers: basic(token) })).status, 401)
      const form = { "content-type": "application/x-www-form-urlencoded" }
      const partner = yield* confidentialClient({ ownService: true })
      const introspected = yield* app.call("POST", "/oauth/introspect", {
        headers: { ...form, ...basic(partner.clientId, partner.secret) },
        body: new URLSearchParams({ token }).toString()
      })
      assert.deepStrictEqual(introspected.json, { active: false })
      const refresh = new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: token,
        client_id: yield* registerClient()
      })
      const refreshed = yield* app.call("POST", "/oauth/token", { headers: form, body: refresh.toString() })
      assert.strictEqual(refreshed.json.error, "invalid_grant")
      assert.strictEqual((yield* user(token)).status, 200)
    })
  )

  it.effect("says for which user: who has several chooses one first; who has none gets none", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization()
      const other = yield* seedOrganization()
      yield* sql`UPDATE users SET person_id = ${owner.personId} WHERE user_id = ${other.owner.userId}`
      const cookie = yield* signedIn(owner.personId)
      assert.strictEqual((yield* requestToken(cookie)).json.error_code, "conflict_error")
      yield* sql`UPDATE sessions SET user_id = ${other.owner.userId} WHERE person_id = ${owner.personId}`
      const firstReply = yield* requestToken(cookie)
      assert.strictEqual(firstReply.json.user_id, other.owner.userId)
      yield* sql`UPDATE sessions SET user_id = ${owner.userId} WHERE person_id = ${owner.personId}`
      assert.strictEqual((yield* user(firstReply.json.access_token)).json.user_id, other.owner.userId)
      yield* sql`UPDATE users SET status = 'deactivated' WHERE person_id = ${owner.personId}`
      assert.strictEqual((yield* user(firstReply.json.access_token)).status, 401)
      assert.strictEqual((yield* requestToken(cookie)).json.error_code, "restricted_resource")
    })
  )

  it.effect("is kept as a hash, a bounded number for each session; none for a session that ends meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tokens = yield* SessionTokens
      const { owner } = yield* seedOrganization()
      const cookie = yield* signedIn(owner.personId)
      const oldest = yield* tokenOf(cookie)
      const [{ session_id } = { session_id: 0 }] = yield* sql<{ session_id: number }>`
        SELECT session_id::int FROM sessions WHERE person_id = ${owner.personId}`
      yield* Effect.forEach(Array.from({ length: tokensPerSession }), () => tokens.mint(session_id, owner.userId))
      const rows = yield* sql<{
        row: string
      }>`SELECT t::text AS row FROM session_tokens t WHERE session_id = ${session_id}`
      assert.strictEqual(rows.length, tokensPerSession)
      assert.isFalse(rows.some(({ row }) => row.includes("svc_ost_")))
      assert.strictEqual((yield* user(oldest)).status, 401)
      const stranger = yield* seedOrganization()
      assert.isUndefined(yield* tokens.mint(session_id, stranger.owner.userId))
      const deleteSession = sql`DELETE FROM sessions WHERE session_id = ${session_id}`
      const [minted] = yield* Effect.all([Effect.exit(tokens.mint(session_id, owner.userId)), deleteSession], {
        concurrency: "unbounded"
      })
      assert.isTrue(Exit.isSuccess(minted))
      assert.isUndefined(yield* tokens.mint(session_id, owner.userId))
    })
  )
})
