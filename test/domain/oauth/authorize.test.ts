// service.md 4.1, 7.1; decisions O5, O6, O18, O19: the authorization endpoint, row by row.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../../../src/platform/audit/AuditLog.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import {
  authorize,
  challengeOf,
  confidentialClient,
  connect,
  decide,
  hiddenIn,
  ORIGIN,
  post,
  REDIRECT,
  reasonOf,
  registerClient,
  signedIn
} from "../../support/oauth.ts"

type Members = Record<string, string | ReadonlyArray<string> | undefined>
const valid = (clientId: string): Members => ({
  response_type: "code",
  client_id: clientId,
  redirect_uri: REDIRECT,
  code_challenge: challengeOf("x".repeat(43)),
  state: "s1"
})
const json = { accept: "application/json" }
const generous = { OAUTH_REGISTER_PER_HOUR: "1000", OAUTH_AUTHORIZE_PER_MINUTE: "10000" }

layer(appLayer(generous), { excludeTestServices: true })("service.md 7.1: authorization errors", (it) => {
  const untrusted: ReadonlyArray<readonly [string, string, Members, string]> = [
    ["AUTHORIZE_CLIENT_INVALID", "client_id missing", { client_id: undefined }, "invalid_client"],
    ["AUTHORIZE_CLIENT_INVALID", "client_id empty", { client_id: "" }, "invalid_client"],
    ["AUTHORIZE_CLIENT_INVALID", "client_id unknown", { client_id: "svc_oc_nobody" }, "invalid_client"],
    [
      "AUTHORIZE_CLIENT_INVALID",
      "unknown client and bad redirect: the first fault counts",
      { client_id: "svc_oc_no", redirect_uri: "x" },
      "invalid_client"
    ],
    [
      "AUTHORIZE_REDIRECT_URI_INVALID",
      "redirect_uri missing although only one is registered",
      { redirect_uri: undefined },
      "invalid_client"
    ],
    ["AUTHORIZE_REDIRECT_URI_INVALID", "another path", { redirect_uri: `${REDIRECT}/more` }, "invalid_client"],
    ["AUTHORIZE_REDIRECT_URI_INVALID", "a suffix", { redirect_uri: `${REDIRECT}x` }, "invalid_client"],
    ["AUTHORIZE_REDIRECT_URI_INVALID", "an added query", { redirect_uri: `${REDIRECT}?a=1` }, "invalid_client"],
    [
      "AUTHORIZE_REDIRECT_URI_INVALID",
      "user info",
      { redirect_uri: "https://client.example@evil.example/callback" },
      "invalid_client"
    ],
    [
      "AUTHORIZE_REDIRECT_URI_INVALID",
      "dot segments",
      { redirect_uri: "https://client.example/x/../callback" },
      "invalid_client"
    ],
    [
      "AUTHORIZE_REDIRECT_URI_INVALID",
      "an encoded slash",
      { redirect_uri: "https://client.example%2Fcallback" },
      "invalid_client"
    ],
    ["AUTHORIZE_REDIRECT_URI_INVALID", "a fragment", { redirect_uri: `${REDIRECT}#x` }, "invalid_client"],
    [
      "AUTHORIZE_REDIRECT_URI_INVALID",
      "other case",
      { redirect_uri: "https://Client.example/callback" },
      "invalid_client"
    ],
    [
      "AUTHORIZE_REDIRECT_URI_INVALID",
      "a look-alike host",
      { redirect_uri: "https://client.example.evil.example/callback" },
      "invalid_client"
    ],
    ["AUTHORIZE_REDIRECT_URI_INVALID", "a NUL", { redirect_uri: `${REDIRECT}\0` }, "invalid_client"],
    ["REQUEST_INVALID", "client_id repeated", { client_id: ["a", "b"] }, "invalid_request"],
    ["REQUEST_INVALID", "redirect_uri repeated", { redirect_uri: [REDIRECT, REDIRECT] }, "invalid_request"]
  ]
  for (const [reason, what, members, error] of untrusted) {
    it.effect(`${reason}: ${what}: no redirect, a page, or a 400 in JSON`, () =>
      Effect.gen(function* () {
        const clientId = yield* registerClient()
        const reply = yield* authorize({ ...valid(clientId), ...members }, json)
        assert.strictEqual(reply.status, 400)
        assert.strictEqual(reply.json.error, error)
        assert.strictEqual(reasonOf(reply), reason)
        assert.strictEqual(reply.headers.get("cache-control"), "no-store")
        const page = yield* authorize({ ...valid(clientId), ...members }, { accept: "text/html,*/*;q=0.8" })
        assert.strictEqual(page.status, 400)
        assert.match(page.headers.get("content-type") ?? "", /^text\/html/)
        assert.include(page.text, reason)
        assert.notInclude(page.text, "Return to app")
        assert.isNull(page.headers.get("location"))
      })
    )
  }

  const returned: ReadonlyArray<readonly [string, string, Members, string]> = [
    ["REQUEST_INVALID", "response_type missing", { response_type: undefined }, "invalid_request"],
    ["REQUEST_INVALID", "scope repeated", { scope: ["apps:read", "apps:read"] }, "invalid_request"],
    ["REQUEST_INVALID", "an unknown parameter repeated", { nonce: ["1", "2"] }, "invalid_request"],
    ["AUTHORIZE_RESPONSE_TYPE_UNSUPPORTED", "token", { response_type: "token" }, "unsupported_response_type"],
    [
      "AUTHORIZE_RESPONSE_TYPE_UNSUPPORTED",
      "before PKCE",
      { response_type: "id_token", code_challenge: "" },
      "unsupported_response_type"
    ],
    ["AUTHORIZE_PKCE_INVALID", "no code challenge", { code_challenge: undefined }, "invalid_request"],
    ["AUTHORIZE_PKCE_INVALID", "method plain", { code_challenge_method: "plain" }, "invalid_request"],
    ["AUTHORIZE_PKCE_INVALID", "method s256", { code_challenge_method: "s256" }, "invalid_request"],
    ["AUTHORIZE_PKCE_INVALID", "42 characters", { code_challenge: "a".repeat(42) }, "invalid_request"],
    ["AUTHORIZE_PKCE_INVALID", "44 characters", { code_challenge: "a".repeat(44) }, "invalid_request"],
    ["AUTHORIZE_PKCE_INVALID", "padding", { code_challenge: `${"a".repeat(42)}=` }, "invalid_request"],
    ["AUTHORIZE_SCOPE_UNKNOWN", "a scope that does not exist", { scope: "apps:read records:destroy" }, "invalid_scope"],
    [
      "AUTHORIZE_SCOPE_UNKNOWN",
      "before resource",
      { scope: "openid", resource: "https://other.example" },
      "invalid_scope"
    ],
    ["AUTHORIZE_RESOURCE_INVALID", "another server", { resource: "https://other.example/v1" }, "invalid_target"],
    ["AUTHORIZE_RESOURCE_INVALID", "one of two", { resource: [`${ORIGIN}/v1`, `${ORIGIN}/v2`] }, "invalid_target"],
    ["AUTHORIZE_RESOURCE_INVALID", "a query", { resource: `${ORIGIN}/v1?x=1` }, "invalid_target"]
  ]
  for (const [reason, what, members, error] of returned) {
    it.effect(`${reason}: ${what}: sign in, an error page, then Return to app`, () =>
      Effect.gen(function* () {
        const app = yield* App
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const started = yield* authorize({ ...valid(clientId), ...members })
        assert.strictEqual(started.status, 303)
        const page = started.headers.get("location")!
        const anonymous = started.headers.get("set-cookie")!.split(";")[0]!
        const anonymousReply = yield* app.call("GET", page, { headers: { cookie: anonymous } })
        assert.strictEqual(anonymousReply.status, 303)
        assert.strictEqual(anonymousReply.headers.get("location"), `/sign-in?next=${encodeURIComponent(page)}`)

        const cookie = yield* signedIn(owner.personId)
        const secondRequest = yield* authorize({ ...valid(clientId), ...members }, { cookie })
        const consentPage = yield* app.call("GET", secondRequest.headers.get("location")!, { headers: { cookie } })
        assert.strictEqual(consentPage.status, 400)
        assert.include(consentPage.text, `[${reason}]`)
        const answer = yield* decide(secondRequest.headers.get("location")!, cookie, { decision: "return" })
        assert.strictEqual(answer.status, 303)
        const location = new URL(answer.headers.get("location")!)
        assert.strictEqual(location.origin + location.pathname, REDIRECT)
        assert.strictEqual(location.searchParams.get("error"), error)
        assert.match(location.searchParams.get("error_description") ?? "", new RegExp(`\\[${reason}\\]$`))
        assert.strictEqual(location.searchParams.get("state"), "s1")
        assert.strictEqual(location.searchParams.get("iss"), ORIGIN)
        assert.isNull(location.searchParams.get("code"))
      })
    )
  }

  it.effect("O6: a state that is longer than 8192 characters is refused, and not sent back", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const clientId = yield* registerClient()
      const cookie = yield* signedIn(owner.personId)
      const returned = Effect.fnUntraced(function* (length: number) {
        const started = yield* authorize({ ...valid(clientId), state: "!".repeat(length) }, { cookie })
        const answer = yield* decide(started.headers.get("location")!, cookie, { decision: "return" })
        const { searchParams } = new URL(answer.headers.get("location")!)
        return [searchParams.get("error"), searchParams.get("state")?.length]
      })
      assert.deepStrictEqual(yield* returned(8193), ["invalid_request", undefined])
      const longest = yield* authorize({ ...valid(clientId), state: "!".repeat(8192) }, { cookie })
      const declineReply = yield* decide(longest.headers.get("location")!, cookie, { decision: "decline" })
      assert.strictEqual(new URL(declineReply.headers.get("location")!).searchParams.get("state")?.length, 8192)
    })
  )

  const accepted: ReadonlyArray<readonly [string, Members]> = [
    ["an omitted method means S256", {}],
    ["S256", { code_challenge_method: "S256" }],
    ["both resources, a trailing slash forgiven", { resource: [`${ORIGIN}/v1/`, `${ORIGIN}/mcp`] }],
    ["O27: scheme and host in any case", { resource: [`${ORIGIN.replace("http", "HTTP")}/v1`] }],
    ["an empty resource is not sent", { resource: "" }],
    ["an empty scope is not sent", { scope: "" }],
    ["other parameters are ignored", { nonce: "n", prompt: "none" }],
    ["no state", { state: undefined }]
  ]
  for (const [what, members] of accepted) {
    it.effect(`4.1: accepted: ${what}`, () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const cookie = yield* signedIn(owner.personId)
        const started = yield* authorize({ ...valid(clientId), ...members }, { cookie })
        const answer = yield* decide(started.headers.get("location")!, cookie, {
          decision: "approve",
          user_id: String(owner.userId)
        })
        const location = new URL(answer.headers.get("location") ?? "http://none.invalid")
        assert.match(location.searchParams.get("code") ?? "", /^svc_oac_/)
        assert.strictEqual(location.searchParams.has("state"), !("state" in members))
        assert.strictEqual(location.searchParams.get("iss"), ORIGIN)
      })
    )
  }

  it.effect("2.2: PKCE can be waived for an operator-registered confidential client, not half-sent", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const { clientId } = yield* confidentialClient({ pkceWaived: true })
      const strict = yield* confidentialClient()
      const cookie = yield* signedIn(owner.personId)
      const outcome = Effect.fnUntraced(function* (members: Members) {
        const started = yield* authorize({ ...valid(clientId), ...members }, { cookie })
        const answer = yield* decide(started.headers.get("location")!, cookie, {
          decision: "approve",
          user_id: String(owner.userId)
        })
        const { searchParams } = new URL(answer.headers.get("location")!)
        return searchParams.get("error") ?? "code"
      })
      assert.strictEqual(yield* outcome({ code_challenge: undefined }), "code")
      assert.strictEqual(yield* outcome({}), "code")
      assert.strictEqual(
        yield* outcome({ code_challenge: undefined, code_challenge_method: "S256" }),
        "invalid_request"
      )
      assert.strictEqual(yield* outcome({ client_id: strict.clientId, code_challenge: undefined }), "invalid_request")
    })
  )

  const loopback: ReadonlyArray<readonly [string, string, boolean]> = [
    ["http://localhost/callback", "http://localhost:51234/callback", true],
    ["http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb", true],
    ["http://[::1]/cb", "http://[::1]:8080/cb", true],
    ["http://localhost/cb", "http://127.0.0.1:8080/cb", false],
    ["http://localhost/cb", "http://localhost:8080/other", false],
    ["http://localhost/cb", "http://localhost:8080/cb?x=1", false],
    ["http://localhost/cb", "http://localhost:80@evil.example/cb", false],
    ["http://localhost/cb", "http://localhost:99999/cb", false],
    ["http://localhost/cb", "https://localhost/cb", false],
    ["https://client.example/cb", "https://client.example:444/cb", false],
    ["com.example.app:/cb", "com.example.app:/cb", true],
    ["myapp://callback", "myapp://callback", true],
    ["com.example.app:/cb", "com.example.app:/cb/../x", false]
  ]
  for (const [registered, requested, ok] of loopback) {
    it.effect(`O5: registered ${registered}, requested ${requested}: ${ok ? "accepted" : "refused"}`, () =>
      Effect.gen(function* () {
        const clientId = yield* registerClient([registered])
        const reply = yield* authorize({ ...valid(clientId), redirect_uri: requested }, json)
        assert.strictEqual(reply.status, ok ? 303 : 400, reply.text)
        if (!ok) assert.strictEqual(reasonOf(reply), "AUTHORIZE_REDIRECT_URI_INVALID")
      })
    )
  }

  it.effect("4.1: a redirect keeps the registered query and escapes what it adds", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const uri = "https://client.example/cb?tenant=a%20b"
      const clientId = yield* registerClient([uri])
      const cookie = yield* signedIn(owner.personId)
      const state = "a b&c=d#é\u202e"
      const started = yield* authorize({ ...valid(clientId), redirect_uri: uri, state }, { cookie })
      const answer = yield* decide(started.headers.get("location")!, cookie, { decision: "decline" })
      const location = answer.headers.get("location")!
      assert.isTrue(location.startsWith(`${uri}&error=access_denied&`))
      assert.strictEqual(new URL(location).searchParams.get("state"), state)
    })
  )

  it.effect("O16: a disabled client answers AUTHORIZE_CLIENT_INVALID", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const clientId = yield* registerClient()
      yield* sql`UPDATE oauth_clients SET disabled_on = now() WHERE client_id = ${clientId}`
      assert.strictEqual(reasonOf(yield* authorize(valid(clientId), json)), "AUTHORIZE_CLIENT_INVALID")
    })
  )

  it.effect(
    "O11: the consent page cannot be framed, runs no script, leaks no referrer, and lets its form reach the app",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { owner } = yield* seedOrganization()
        const cookie = yield* signedIn(owner.personId)
        for (const uri of ["https://client.example/cb", "http://127.0.0.1/cb", "com.example.app:/cb"]) {
          const clientId = yield* registerClient([uri], { client_name: '<b>Bold</b> "quoted"' })
          const started = yield* authorize({ ...valid(clientId), redirect_uri: uri }, { cookie })
          const page = yield* app.call("GET", started.headers.get("location")!, { headers: { cookie } })
          const policy = page.headers.get("content-security-policy") ?? ""
          assert.include(policy, "default-src 'none'")
          assert.include(policy, "frame-ancestors 'none'")
          assert.match(policy, /style-src 'nonce-[^']+'/)
          // A website may send the browser on to any scheme, and browsers apply `form-action` to that too.
          if (uri.startsWith("https:")) assert.notInclude(policy, "form-action")
          else assert.match(policy, new RegExp(`form-action 'self' [^;]*${uri.split(":")[0]}:`))
          assert.strictEqual(page.headers.get("x-frame-options"), "DENY")
          assert.strictEqual(page.headers.get("referrer-policy"), "no-referrer")
          assert.strictEqual(page.headers.get("cache-control"), "no-store")
          assert.include(page.text, "&lt;b&gt;Bold&lt;/b&gt; &quot;quoted&quot;")
          assert.notInclude(page.text, "<script")
          assert.strictEqual(page.text.includes("Unverified"), !uri.startsWith("https:"))
          assert.strictEqual(page.text.includes("a program on your own computer"), uri.startsWith("http:"))
        }
      })
  )

  it.effect("O8: control and bidirectional characters are stripped from client_name", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { json: registered } = yield* app.call("POST", "/oauth/register", {
        body: { redirect_uris: [REDIRECT], client_name: "Good\u202e\u0007 App\u200b\ud800" }
      })
      assert.strictEqual(registered.client_name, "Good App\ufffd")
    })
  )

  it.effect(
    "attack: consent without, with a forged, or with another session's CSRF token; another session's request; double submit",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { owner } = yield* seedOrganization()
        const { owner: thief } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const cookie = yield* signedIn(owner.personId)
        const thiefCookie = yield* signedIn(thief.personId)
        const started = yield* authorize(valid(clientId), { cookie })
        const page = started.headers.get("location")!
        const approval = { decision: "approve", user_id: String(owner.userId) }
        assert.strictEqual((yield* post(page, approval, { cookie })).status, 403)
        assert.strictEqual((yield* post(page, { ...approval, csrf: "x" }, { cookie })).status, 403)
        const thiefRequest = yield* authorize(valid(clientId), { cookie: thiefCookie })
        const thiefPage = yield* app.call("GET", thiefRequest.headers.get("location")!, {
          headers: { cookie: thiefCookie }
        })
        const csrf = hiddenIn(thiefPage.text, "csrf")
        // It leads back to the page (decisions O25), where nothing is decided yet.
        assert.strictEqual((yield* post(page, { ...approval, csrf }, { cookie })).headers.get("location"), page)
        assert.strictEqual((yield* post(page, { ...approval, csrf }, { cookie: thiefCookie })).status, 400)
        assert.strictEqual((yield* app.call("GET", page, { headers: { cookie: thiefCookie } })).status, 400)
        // Somebody else's user is not a choice.
        const foreign = yield* decide(page, cookie, { decision: "approve", user_id: String(thief.userId) })
        assert.strictEqual(foreign.status, 400)
        assert.isNull(foreign.headers.get("location"))
        const consentPage = yield* app.call("GET", page, { headers: { cookie } })
        const real = { ...approval, csrf: hiddenIn(consentPage.text, "csrf") }
        const answers = yield* Effect.all([post(page, real, { cookie }), post(page, real, { cookie })], {
          concurrency: 2
        })
        assert.deepStrictEqual(answers.map((a) => a.status).sort(), [303, 400])
      })
  )

  it.effect(
    "O23: faulty requests of who is not signed in are counted, those of a person are entries of their own",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const audit = yield* AuditLog
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const refusals = Effect.map(audit.read({ event: "authorize.refused", clientId }), (rows) =>
          rows.map(({ count, person_id }) => [count, person_id])
        )
        const faulty = { ...valid(clientId), scope: "nothing:read" }
        const { headers } = yield* authorize(faulty)
        const cookie = headers.getSetCookie()[0]!.split(";")[0]!
        yield* Effect.replicateEffect(authorize(faulty, { cookie }), 4)
        // One that lapsed, and is sent back.
        const consentPath = headers.get("location")!
        yield* sql`UPDATE authorization_requests SET expires_on = now() WHERE client_id = ${clientId}`
        assert.strictEqual((yield* decide(consentPath, cookie, { decision: "return" })).status, 303)
        const refusalCounts = yield* refusals
        assert.isTrue(refusalCounts.every(([count, person]) => count !== null && person === null))
        assert.strictEqual(
          refusalCounts.reduce((sum, [count]) => sum + count!, 0),
          6
        )
        yield* authorize(faulty, { cookie: yield* signedIn(owner.personId) })
        assert.deepInclude(yield* refusals, [null, owner.personId])
      })
  )

  it.effect("attack: a sign-in leads to local pages only", () =>
    Effect.gen(function* () {
      const app = yield* App
      for (const next of [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/%09/evil.example",
        "javascript:alert(1)"
      ]) {
        const page = yield* app.call("GET", `/sign-in?next=${encodeURIComponent(next)}`)
        const kept = hiddenIn(page.text, "next")
        assert.isTrue(kept === "/" || (kept.startsWith("/") && !kept.startsWith("//") && !kept.includes("\\")), kept)
      }
    })
  )

  it.effect("attack: an access token in the query or in a form is not a credential", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const { access_token } = yield* connect(owner, yield* registerClient())
      assert.strictEqual((yield* app.call("GET", "/v1/user", { token: access_token })).status, 200)
      for (const path of ["/v1/user", "/mcp"]) {
        const reply = yield* app.call("GET", `${path}?access_token=${access_token}`)
        assert.strictEqual(reply.status, 401, path)
        assert.notInclude(reply.headers.get("www-authenticate"), "error=")
      }
      assert.strictEqual((yield* post("/v1/workspace", { access_token })).status, 401)
    })
  )

  it.effect("attack: error pages lead to no address but the registered one", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const clientId = yield* registerClient()
      const cookie = yield* signedIn(owner.personId)
      const evil = "https://evil.example/callback"
      // Untrusted: the address is nowhere on the page, not even as text.
      for (const members of [
        { redirect_uri: evil },
        { client_id: evil, redirect_uri: evil },
        { redirect_uri: [REDIRECT, evil] }
      ]) {
        const errorPage = yield* authorize({ ...valid(clientId), ...members }, { cookie })
        assert.strictEqual(errorPage.status, 400)
        assert.isNull(errorPage.headers.get("location"))
        assert.deepStrictEqual(
          [...errorPage.text.matchAll(/(?:href|action|content)="([^"]*)"/g)]
            .map((m) => m[1]!)
            .filter((to) => /evil|^https?:|^\/\//.test(to)),
          []
        )
      }
      // A trusted request with a fault returns to its own redirect URI, whatever the form says.
      const started = yield* authorize({ ...valid(clientId), scope: "none" }, { cookie })
      const page = started.headers.get("location")!
      const consentPage = yield* app.call("GET", page, { headers: { cookie } })
      const returnReply = yield* post(
        `${page}?redirect_uri=${encodeURIComponent(evil)}`,
        { csrf: hiddenIn(consentPage.text, "csrf"), decision: "return", redirect_uri: evil, next: evil },
        { cookie }
      )
      assert.isTrue(returnReply.headers.get("location")?.startsWith(`${REDIRECT}?error=invalid_scope`))
    })
  )

  it.effect("405 for other methods, 404 in JSON for unknown addresses", () =>
    Effect.gen(function* () {
      const app = yield* App
      for (const [method, path, allow] of [
        ["POST", "/oauth/authorize", "GET"],
        ["GET", "/oauth/token", "POST"],
        ["GET", "/oauth/revoke", "POST"],
        ["PUT", "/oauth/register", "POST"],
        ["DELETE", "/oauth/introspect", "POST"],
        ["POST", "/.well-known/oauth-authorization-server", "GET"]
      ] as const) {
        const reply = yield* app.call(method, path)
        assert.strictEqual(reply.status, 405, path)
        assert.strictEqual(reply.headers.get("allow"), allow)
        assert.strictEqual(reply.json.error, "invalid_request")
      }
      for (const path of [
        "/oauth/nothing",
        "/.well-known/openid-configuration",
        "/.well-known/oauth-protected-resource"
      ]) {
        const reply = yield* app.call("GET", path)
        assert.strictEqual(reply.status, 404)
        assert.isObject(reply.json)
      }
    })
  )
})
