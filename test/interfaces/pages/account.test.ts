// developer-api.md 1.7; service.md 3.2; decisions O11, O12, O15: connections, API key, tokens, choice of the organization.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { App, appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { connect, hiddenIn, registerClient, signedIn } from "../../support/oauth.ts"
import { createApp, seedWorkspace } from "../../support/records.ts"
import { sentSlowly } from "../../support/slowBody.ts"
import { browser, encoded } from "./support.ts"

const secretIn = (html: string) => /<pre class="secret"[^>]*>([^<]*)<\/pre>/.exec(html)?.[1] ?? ""
const status = Effect.fnUntraced(function* (token: string, path = "/v1/user") {
  const app = yield* App
  return (yield* app.call("GET", path, { token })).status
})

layer(appLayer(), { excludeTestServices: true })("the account pages", (it) => {
  it.effect("no page opens without a sign-in, in a frame, with a script, or to a cache", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const b = browser(yield* signedIn(owner.personId))
      const paths = ["/account/connections", "/account/tokens", "/account/api-key", "/organization"]
      for (const path of paths) {
        const closed = yield* browser().get(path)
        assert.strictEqual(closed.status, 303, path)
        assert.strictEqual(closed.headers.get("location"), `/sign-in?next=${encodeURIComponent(path)}`)
        const page = yield* b.get(path)
        assert.strictEqual(page.status, 200, path)
        const policy = page.headers.get("content-security-policy") ?? ""
        assert.match(
          policy,
          /^default-src 'none'; style-src 'nonce-[^']+'; img-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/
        )
        assert.strictEqual(page.headers.get("x-frame-options"), "DENY")
        assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
        assert.strictEqual(page.headers.get("cache-control"), "no-store")
        assert.notMatch(page.text, /<script| style=| on\w+=/)
        assert.strictEqual((yield* b.post(path, { csrf: "x" })).status, 403, path)
      }
    })
  )

  it.effect("the console has pages of the account: their former addresses lead there, after the sign-in", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const b = browser(yield* signedIn(owner.personId))
      for (const [path, target] of [
        ["/account/password", "/console/account/sign-in"],
        ["/account/factors", "/console/account/sign-in"]
      ] as const) {
        const closed = yield* browser().get(path)
        assert.deepStrictEqual(
          [closed.status, closed.headers.get("location")],
          [303, `/sign-in?next=${encodeURIComponent(path)}`]
        )
        const opened = yield* b.get(path)
        assert.deepStrictEqual([opened.status, opened.headers.get("location")], [303, target])
        assert.strictEqual(opened.headers.get("cache-control"), "no-store")
        assert.strictEqual((yield* b.post(path, { csrf: "x" })).status, 403, path)
      }
    })
  )

  it.effect("O15: the console has pages of the organization: their former addresses lead there, and take no form", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const b = browser(yield* signedIn(owner.personId))
      for (const [path, target] of [
        ["/organization/apps", "/console/admin/apps"],
        ["/organization/sign-in", "/console/admin/sign-in"],
        ["/organization/audit", "/console/admin/audit"],
        ["/organization/audit?what=person&user=7&before=3", "/console/admin/audit?event=person&user_id=7"],
        ["/organization/audit?what=%2F%2Fx&user=x", "/console/admin/audit"]
      ] as const) {
        const closed = yield* browser().get(path)
        assert.deepStrictEqual(
          [closed.status, closed.headers.get("location")],
          [303, `/sign-in?next=${encodeURIComponent(path)}`]
        )
        const opened = yield* b.get(path)
        assert.deepStrictEqual([opened.status, opened.headers.get("location")], [303, target])
        assert.strictEqual((yield* b.post(path, { csrf: "x" })).status, 405, path)
      }
    })
  )

  it.effect("O25: a form whose session ends while it arrives leads to the sign-in, and back from there", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization()
      const cookie = yield* signedIn(owner.personId)
      const csrf = hiddenIn((yield* browser(cookie).get("/organization")).text, "csrf")
      const headers = { "content-type": "application/x-www-form-urlencoded", cookie }
      const lateReply = yield* sentSlowly(
        "/organization",
        { method: "POST", headers },
        ["x=y&", encoded({ csrf, user_id: String(owner.userId) })],
        sql`DELETE FROM sessions WHERE person_id = ${owner.personId}`
      )
      assert.strictEqual(lateReply.status, 303)
      assert.match(lateReply.headers.get("location") ?? "", /\/sign-in\?/)
    })
  )

  it.effect("the start page says who is signed in and links to everything; the stylesheet may be kept for good", () =>
    Effect.gen(function* () {
      const { owner, orgId } = yield* seedOrganization("Harbor Works")
      const member = yield* seedUser(orgId, "member")
      const anonymous = yield* browser().get("/")
      for (const to of ["/sign-in", "/docs"]) assert.include(anonymous.text, `href="${to}"`)
      const start = yield* browser(yield* signedIn(owner.personId)).get("/")
      for (const to of [
        "/console/account/apps",
        "/console/account/tokens",
        "/console/account/sign-in",
        "/console/admin/apps",
        "/console/admin/sign-in",
        "/console/admin/audit",
        "/docs",
        "/openapi.json"
      ])
        assert.include(start.text, `href="${to}"`)
      assert.include(start.text, "Harbor Works")
      const memberPage = yield* browser(yield* signedIn(member.personId)).get("/")
      assert.notInclude(memberPage.text, "/console/admin/apps")
      const css = /rel="stylesheet" href="([^"]+)"/.exec(start.text)![1]!
      const sheet = yield* browser().get(css)
      assert.match(sheet.headers.get("content-type")!, /^text\/css/)
      assert.include(sheet.headers.get("cache-control")!, "immutable")
      const fontPaths = [...sheet.text.matchAll(/url\("([^"]+)"\)/g)].map(([, path]) => path!)
      assert.strictEqual(fontPaths.length, 2)
      for (const path of fontPaths) {
        const font = yield* browser().get(path)
        assert.deepStrictEqual([font.status, font.headers.get("content-type")], [200, "font/woff2"])
      }
    })
  )

  it.effect("3.2: a person sees their own connections and ends one; its tokens stop; nobody else's can be ended", () =>
    Effect.gen(function* () {
      const { owner, orgId } = yield* seedOrganization()
      const member = yield* seedUser(orgId, "member")
      const clientId = yield* registerClient(undefined, { client_name: "Harbor Board" })
      const connection = yield* connect(member, clientId, { scope: "records:read" })
      const b = browser(yield* signedIn(member.personId))
      const list = yield* b.get("/account/connections")
      assert.include(list.text, "Harbor Board")
      assert.include(list.text, "Read your records and files")
      assert.include(list.text, "Last used")
      const connection_id = hiddenIn(list.text, "connection_id")
      const stranger = yield* browser(yield* signedIn(owner.personId)).submit("/account/connections", { connection_id })
      assert.include(stranger.text, "disconnected already")
      assert.strictEqual(yield* status(connection.access_token), 200)
      const disconnectPage = yield* b.submit("/account/connections", { connection_id })
      assert.include(disconnectPage.text, "Disconnected.")
      assert.notInclude(disconnectPage.text, "Harbor Board")
      assert.strictEqual(yield* status(connection.access_token), 401)
      assert.include((yield* b.submit("/account/connections", { connection_id })).text, "disconnected already")
      for (const id of ["", "x", "-1", "99999999999999999999"])
        assert.include((yield* b.submit("/account/connections", { connection_id: id })).text, "disconnected already")
    })
  )

  it.effect("1.7: the API key is shown once, then masked; rotation kills the old value at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization()
      const b = browser(yield* signedIn(owner.personId))
      const createdPage = yield* b.submit("/account/api-key", {})
      const key = secretIn(createdPage.text)
      assert.match(key, /^user_key_/)
      assert.strictEqual(yield* status(owner.key), 401)
      assert.strictEqual(yield* status(key), 200)
      const keyPage = yield* b.get("/account/api-key")
      assert.notInclude(keyPage.text, key)
      assert.include(keyPage.text, `user_key_••••••••${key.slice(-4)}`)
      const next = secretIn((yield* b.submit("/account/api-key", {})).text)
      assert.notStrictEqual(next, key)
      assert.strictEqual(yield* status(key), 401)
      // What carries the secret over the redirect is worth nothing to another session, and is gone afterwards.
      const csrf = hiddenIn((yield* b.get("/account/api-key")).text, "csrf")
      yield* b.post("/account/api-key", { csrf })
      const sealed = b.cookies.get("millrace_once")!
      const thief = browser(yield* signedIn(owner.personId))
      thief.cookies.set("millrace_once", sealed)
      assert.strictEqual(secretIn((yield* thief.get("/account/api-key")).text), "")
      assert.strictEqual(secretIn((yield* b.get("/account/tokens")).text), "")
      assert.match(secretIn((yield* b.get("/account/api-key")).text), /^user_key_/)
      assert.isFalse(b.cookies.has("millrace_once"))
      const [row] = yield* sql<{
        n: number
      }>`SELECT count(*)::int AS n FROM audit_log WHERE event = 'api_key.rotated' AND user_id = ${owner.userId}`
      assert.strictEqual(row!.n, 3)
    })
  )

  it.effect(
    "1.7: tokens: created with scopes and content, shown once, renamed, revoked; revoked ones stay listed",
    () =>
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* seedWorkspace
        const kept = yield* createApp(owner, workspaceId, [], "Kept")
        const other = yield* createApp(owner, workspaceId, [], "Other")
        const b = browser(yield* signedIn(owner.personId))
        const create = (members: Record<string, string | ReadonlyArray<string>>) =>
          b.submit("/account/tokens", { action: "create", name: "Nightly <b>import</b>", content: "all", ...members })
        const none = yield* create({})
        assert.strictEqual(none.status, 400)
        assert.include(none.text, "choose at least one")
        assert.include(none.text, 'value="Nightly &lt;b&gt;import&lt;/b&gt;"')
        assert.strictEqual((yield* create({ scope: "apps:read", content: "selected" })).status, 400)
        assert.strictEqual(
          (yield* create({ scope: "apps:read", content: "selected", app_id: "999999999" })).status,
          400
        )
        assert.strictEqual((yield* create({ scope: "apps:read", name: " " })).status, 400)
        const createdPage = yield* create({
          scope: ["apps:read", "records:read"],
          content: "selected",
          app_id: String(kept.app_id)
        })
        const token = secretIn(createdPage.text)
        assert.match(token, /^svc_pat_/)
        assert.strictEqual(yield* status(token, `/v1/app/${kept.app_id}`), 200)
        assert.strictEqual(yield* status(token, `/v1/app/${other.app_id}`), 404)
        assert.strictEqual(yield* status(token, "/v1/org"), 403)
        const list = yield* b.get("/account/tokens")
        assert.notInclude(list.text, token)
        assert.include(list.text, "Nightly &lt;b&gt;import&lt;/b&gt;")
        const credential_id = hiddenIn(list.text, "credential_id")
        const renamed = yield* b.submit("/account/tokens", { action: "rename", credential_id, name: "Weekly" })
        assert.include(renamed.text, "<bdi>Weekly</bdi>")
        const stranger = yield* seedOrganization()
        const thief = browser(yield* signedIn(stranger.owner.personId))
        assert.strictEqual((yield* thief.submit("/account/tokens", { action: "revoke", credential_id })).status, 400)
        const revoked = yield* b.submit("/account/tokens", { action: "revoke", credential_id })
        assert.include(revoked.text, "<bdi>Weekly</bdi>")
        assert.include(revoked.text, "Revoked")
        assert.strictEqual(yield* status(token, `/v1/app/${kept.app_id}`), 401)
        assert.strictEqual((yield* b.submit("/account/tokens", { action: "else" })).status, 403)
      })
  )

  it.effect("1.7: guests cannot create tokens; at most 20 are active", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner, orgId } = yield* seedOrganization()
      const guest = yield* seedUser(orgId, "guest")
      const g = browser(yield* signedIn(guest.personId))
      assert.include((yield* g.get("/account/tokens")).text, "Guests cannot create")
      const csrf = hiddenIn((yield* g.get("/account/connections")).text, "csrf")
      const forced = yield* g.post("/account/tokens", {
        csrf,
        action: "create",
        name: "x",
        scope: "apps:read",
        content: "all"
      })
      assert.strictEqual(forced.status, 400)
      yield* sql`
        INSERT INTO api_credentials (user_id, kind, token_hash, hint, name, scopes, created_on)
        SELECT ${owner.userId}, 'personal_access_token', sha256(('twenty' || n)::bytea), 'abcd', 'n', '{apps:read}', now()
        FROM generate_series(1, 20) AS n`
      const b = browser(yield* signedIn(owner.personId))
      assert.include((yield* b.get("/account/tokens")).text, "the most there can be")
    })
  )

  it.effect("O12: who is a user of two organizations chooses one; a form acts for the one it was shown for", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization("First")
      const second = yield* seedOrganization("Second")
      const stranger = yield* seedOrganization("Third")
      const [row] = yield* sql<{ user_id: number }>`
        INSERT INTO users (org_id, person_id, name, role, status, created_on)
        VALUES (${second.orgId}, ${owner.personId}, 'Same', 'member', 'active', now()) RETURNING user_id`
      const member = row!.user_id
      const b = browser(yield* signedIn(owner.personId))
      const redirect = yield* b.get("/account/api-key")
      assert.strictEqual(redirect.headers.get("location"), "/organization?next=%2Faccount%2Fapi-key")
      const choice = "/organization?next=%2Faccount%2Fapi-key"
      assert.strictEqual((yield* b.submit(choice, { user_id: String(stranger.owner.userId) })).status, 403)
      const choicePage = yield* b.submit(choice, { user_id: String(owner.userId), next: "/account/api-key" })
      assert.strictEqual(choicePage.path, "/account/api-key")
      assert.include(choicePage.text, "First")
      // Another tab chooses the second organization: the page of the first still rotates the first one's key.
      yield* b.submit("/organization", { user_id: String(member) })
      const rotate = (as: number) => b.ask("/console/account/credentials/rotate-key", { as })
      assert.strictEqual((yield* rotate(owner.userId)).status, 200)
      assert.strictEqual(yield* status(owner.key), 401)
      assert.strictEqual((yield* rotate(stranger.owner.userId)).status, 403)
      assert.strictEqual(yield* status(stranger.owner.key), 200)
      // A member of the second organization is no admin there.
      assert.strictEqual((yield* b.ask("/console/organization/sign-in", { as: member })).status, 403)
      yield* sql`UPDATE users SET status = 'deactivated' WHERE user_id = ${member}`
      assert.include((yield* b.get("/account/api-key")).text, "First")
    })
  )
})
