// Edges (decisions P10, O5, O8, O24; MCP errors): headers on every answer, what operators alone see, what consent claims, where a
// browser may be sent, and errors that repeat nothing that a stranger wrote.
import { request as httpRequest } from "node:http"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { allScopes } from "../../src/domain/accounts/Scope.ts"
import { Clients } from "../../src/domain/oauth/clients/Clients.ts"
import { parseDocument } from "../../src/domain/oauth/clients/metadataDocument.ts"
import { scopeLines, strongScopes } from "../../src/domain/oauth/scopes.ts"
import { App, appLayer, type Reply, seedOrganization } from "../support/app.ts"
import { freshDatabaseUrl } from "../support/database.ts"
import {
  authorize,
  challengeOf,
  decide,
  form,
  hiddenIn,
  REDIRECT,
  reasonOf,
  registerClient,
  signedIn
} from "../support/oauth.ts"
import { startService } from "../support/processes.ts"
import { send } from "./support/raw.ts"

const promise = <A>(body: () => Promise<A>) => Effect.promise(body)

/** Every kind of answer: pages, redirects, errors, static files, documents, the API, MCP, preflights, unknown paths. */
const answers = Effect.gen(function* () {
  const app = yield* App
  const { owner } = yield* seedOrganization("Harbor Works")
  const cookie = yield* signedIn(owner.personId)
  const clientId = yield* registerClient()
  const sheet = /href="(\/assets\/[^"]+\.css)"/.exec((yield* app.call("GET", "/sign-in")).text)![1]!
  const token = owner.key
  const preflight = { origin: "https://app.example", "access-control-request-method": "POST" }
  const rpc = { jsonrpc: "2.0", id: 1, method: "tools/list" }
  const requests: ReadonlyArray<readonly [string, string, Parameters<typeof app.call>[2]?]> = [
    ["GET", "/"],
    ["GET", "/sign-in"],
    ["GET", "/account/connections", { headers: { cookie } }],
    ["GET", "/account/connections"],
    ["GET", "/docs"],
    ["GET", "/openapi.json"],
    ["GET", sheet],
    ["GET", "/nothing/here"],
    ["GET", "/%zz"],
    ["POST", "/sign-in", { body: "email=a" }],
    ["PUT", "/sign-in"],
    ["GET", "/health/live"],
    ["GET", "/health/ready"],
    ["GET", "/metrics"],
    ["GET", "/.well-known/oauth-authorization-server"],
    ["GET", "/.well-known/nothing"],
    ["GET", `/oauth/authorize?client_id=${clientId}`],
    ["POST", "/oauth/token", { body: "grant_type=x" }],
    ["POST", "/oauth/register", { body: "{" }],
    ["OPTIONS", "/oauth/token", { headers: preflight }],
    ["GET", "/v1/user", { token }],
    ["GET", "/v1/user"],
    ["GET", "/v1/nothing", { token }],
    ["POST", "/v1/app", { token, body: "{" }],
    ["OPTIONS", "/v1/user", { headers: preflight }],
    ["POST", "/mcp", { token, body: rpc }],
    ["POST", "/mcp", { body: rpc }],
    ["GET", "/file/1?expires=1&signature=x"],
    ["GET", "/weblink/trigger/nothing"],
    ["GET", "/api/catch/nothing"]
  ]
  return yield* Effect.forEach(requests, ([method, path, options]) =>
    Effect.map(app.call(method, path, options), (reply) => ({ at: `${method} ${path}`, path, reply }))
  )
})

const programs = /^\/(v1|mcp|oauth\/(token|register)|\.well-known|openapi\.json)/
const isOpen = (path: string) => programs.test(path)
/** What may be kept is the same for everybody and says so. */
const isPublic = (reply: Reply) => (reply.headers.get("cache-control") ?? "").startsWith("public,")

layer(appLayer({ BASE_URL: "https://records.example.com" }), { excludeTestServices: true })("P10: headers", (it) => {
  it.effect("P10: every answer is nosniff, and behind https carries HSTS", () =>
    Effect.gen(function* () {
      for (const { at, reply } of yield* answers) {
        assert.strictEqual(reply.headers.get("x-content-type-options"), "nosniff", at)
        assert.strictEqual(reply.headers.get("strict-transport-security"), "max-age=31536000", at)
      }
    })
  )

  it.effect("P10: nothing is kept by a cache but what is the same for everybody and says so", () =>
    Effect.gen(function* () {
      for (const { at, path, reply } of yield* answers) {
        const kept = /^\/(assets\/|openapi\.json$|\.well-known\/oauth)/.test(path)
        assert.strictEqual(isPublic(reply), kept, `${at}: ${reply.headers.get("cache-control")}`)
        if (!kept) assert.strictEqual(reply.headers.get("cache-control"), "no-store", at)
      }
    })
  )

  it.effect("P10: whatever a browser may show has a policy, no frame and no referrer, /docs included", () =>
    Effect.gen(function* () {
      for (const { at, path, reply } of yield* answers) {
        if (isOpen(path)) continue
        const policy = reply.headers.get("content-security-policy") ?? ""
        assert.include(policy, "default-src 'none'", at)
        assert.include(policy, "frame-ancestors 'none'", at)
        assert.strictEqual(reply.headers.get("x-frame-options"), "DENY", at)
        assert.strictEqual(reply.headers.get("referrer-policy"), "no-referrer", at)
      }
    })
  )

  it.effect("P10: /docs runs its own script alone, from this origin, and reaches no other", () =>
    Effect.gen(function* () {
      const app = yield* App
      const page = yield* app.call("GET", "/docs")
      const policy = page.headers.get("content-security-policy")!
      const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1]
      assert.isDefined(nonce)
      const scripts = [...page.text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes!)
      assert.strictEqual(scripts.length, 1)
      for (const attributes of scripts) assert.include(attributes, `nonce="${nonce}"`)
      assert.notMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*'(self|unsafe-inline)'/)
      assert.include(policy, "connect-src 'self'")
      assert.notMatch(page.text, /(?:src|href)="(?:https?:)?\/\//)
      const secondPage = yield* app.call("GET", "/docs")
      assert.notInclude(secondPage.headers.get("content-security-policy")!, nonce!)
      const source = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)![1]!
      const script = yield* app.call("GET", source)
      assert.strictEqual(script.status, 200)
      assert.match(script.headers.get("content-type")!, /^text\/javascript/)
      assert.include(script.headers.get("cache-control")!, "immutable")
    })
  )
})

/** Plain HTTP as a stranger would write it: any Host, any header. */
const ask = (origin: string, path: string, headers: Record<string, string> = {}) =>
  promise(
    () =>
      new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
        const clientRequest = httpRequest(`${origin}${path}`, { headers }, (answer) => {
          let text = ""
          answer.on("data", (chunk) => {
            text += chunk
          })
          answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
        })
        clientRequest.on("error", reject)
        clientRequest.end()
      })
  )

it.live(
  "RFC 9110: a header that decides who asks stands once; methods that nothing has are said to be none, at every path",
  () =>
    Effect.gen(function* () {
      const { origin } = yield* startService(yield* freshDatabaseUrl, {})
      const { host } = new URL(origin)
      const sendClosing = (method: string, path: string, headers: Record<string, string> = {}) =>
        promise(() => send(origin, { method, path, headers: { ...headers, connection: "close" }, body: [] }))
      const paths = ["/v1/user", "/mcp", "/console", "/docs", "/oauth/token", "/sign-in", "/openapi.json", "/nothing"]
      for (const path of [...paths, "/health/live", "/.well-known/oauth-authorization-server"]) {
        for (const headers of [
          { host: `${host}\r\nHost: rebound.example` },
          { host: `${host}\r\nhOST: ${host}` },
          { authorization: "Bearer svc_pat_a\r\nAuthorization: Bearer svc_pat_b" }
        ] as ReadonlyArray<Record<string, string>>) {
          const { status, text } = yield* sendClosing("GET", path, headers)
          assert.strictEqual(status, 400, `${path} ${JSON.stringify(headers)}`)
          assert.match(text, /The header (?:Host|Authorization) stands more than once/)
          assert.notInclude(text, "svc_pat_")
        }
        for (const method of ["PROPFIND", "TRACE", "MKCOL", "REPORT", "PURGE", "LINK", "QUERY", "BREW", "CONNECT"]) {
          if (method === "QUERY" && path.startsWith("/v1/")) continue
          const { status, text } = yield* sendClosing(method, method === "CONNECT" ? host : path, {})
          assert.strictEqual(status, 501, `${method} ${path}: ${text.slice(0, 300)}`)
          assert.match(text, /\r\nallow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n/i)
          assert.match(text, /\r\nx-content-type-options: nosniff\r\n/i)
        }
      }
      assert.strictEqual((yield* sendClosing("GET", "/health/live")).status, 200)
      // What is no request line is none.
      assert.strictEqual((yield* sendClosing("BREW coffee", "/")).status, 400)
    }).pipe(Effect.scoped)
)

const metricsToken = "a-token-of-the-operator"

it.live("P10: /metrics and the details of health answer this machine or METRICS_TOKEN, whatever headers pretend", () =>
  Effect.gen(function* () {
    const { origin } = yield* startService(yield* freshDatabaseUrl, {
      METRICS_TOKEN: metricsToken,
      TRUSTED_PROXIES: "127.0.0.0/8"
    })
    const seesMetrics = Effect.fnUntraced(function* (headers: Record<string, string>) {
      const metrics = yield* ask(origin, "/metrics", headers)
      const readiness = yield* ask(origin, "/health/ready", headers)
      const showsAll =
        metrics.status === 200 && metrics.text.includes("millrace_") && readiness.text.includes("postgres")
      const none =
        metrics.status === 401 &&
        !metrics.text.includes("millrace_") &&
        readiness.text === '{"ready":true}' &&
        readiness.status === 200
      assert.isTrue(
        showsAll || none,
        JSON.stringify([headers, metrics.status, metrics.text.slice(0, 200), readiness.text])
      )
      return showsAll
    })
    const port = new URL(origin).port
    assert.isTrue(yield* seesMetrics({}), "this machine")
    assert.isTrue(yield* seesMetrics({ host: `localhost:${port}` }), "this machine, by name")
    for (const strange of [
      { "x-forwarded-for": "203.0.113.9" },
      { "x-forwarded-for": "127.0.0.1" },
      { forwarded: "for=127.0.0.1" },
      { "x-real-ip": "127.0.0.1" },
      { via: "1.1 proxy" },
      { host: "rebound.example" },
      { host: `rebound.example:${port}` },
      { host: "127.0.0.1.rebound.example" },
      { authorization: "Bearer nothing", "x-forwarded-for": "203.0.113.9" },
      { authorization: `Basic ${btoa(`${metricsToken}:`)}`, "x-forwarded-for": "203.0.113.9" }
    ])
      assert.isFalse(yield* seesMetrics(strange), JSON.stringify(strange))
    const bearer = { authorization: `Bearer ${metricsToken}` }
    assert.isTrue(yield* seesMetrics({ ...bearer, "x-forwarded-for": "203.0.113.9", host: "records.example.com" }))
    const refusal = yield* ask(origin, "/metrics", { host: "rebound.example" })
    assert.strictEqual(refusal.headers["www-authenticate"], 'Bearer realm="metrics"')
  }).pipe(Effect.scoped)
)

/** What starts a program, opens another browser or speaks another protocol; the last word of each line is none of an app's own. */
const exploitable = [
  "ms-msdt:/id",
  "MS-MSDT:/id",
  "search-ms:query=x",
  "search:query=x",
  "ms-appinstaller:?source=x",
  "ms-officecmd:x",
  "ms-word:ofe|u|x".replaceAll("|", "%7C"),
  "ms-excel://x",
  "ms-anything-new:x",
  "microsoft-edge:x",
  "microsoft.windows.camera:x",
  "itms-services://x",
  "itms-apps://x",
  "ldap://x",
  "ldaps://x",
  "smb://x/share",
  "ssh://x",
  "sftp://x",
  "ftp://x",
  "telnet://x",
  "tel:1",
  "sms:1",
  "mailto:a",
  "view-source:https",
  "jar:x",
  "res://x",
  "mk:x",
  "mhtml:x",
  "vnc://x",
  "rdp://x",
  "steam://run",
  "intent://x",
  "android-app://x",
  "chrome://settings",
  "chrome-extension://abc/cb",
  "ws://x",
  "wss://x",
  "git://x",
  "git+ssh://x",
  "nfs://x",
  "afp://x",
  "shell:x",
  "help:x",
  "x-apple.systempreferences:x",
  "x-man-page://x",
  "jnlp://x",
  "shortcuts://run",
  "apt:x",
  "magnet:x",
  "javascript:x",
  "data:x",
  "content://x"
]
const appsOwn = [
  "cursor://anysphere.cursor-retrieval/oauth/callback",
  "vscode://vscode.github-authentication/did-authenticate",
  "vscode-insiders://x/cb",
  "com.example.app:/callback",
  "com.microsoft.example:/callback",
  "msauth.com.example.app://auth",
  "claude://callback",
  "zed://callback",
  "raycast://oauth",
  "obsidian://callback",
  "slack://callback",
  "https://client.example/callback?tenant=7&coder=1",
  "https://client.example/callback?x=code",
  "http://127.0.0.1/callback"
]
const answered = [
  "code=x",
  "a=1&state=x",
  "iss=https://x.example",
  "error=x",
  "error_description=x",
  "code",
  "c%6Fde=x",
  "a=1;code=x",
  "Code=x",
  "code%5B%5D=x",
  "+state=x"
].map((query) => `https://client.example/callback?${query}`)

const request = (clientId: string, redirectUri: string) => ({
  response_type: "code",
  client_id: clientId,
  redirect_uri: redirectUri,
  code_challenge: challengeOf("x"),
  state: "s1"
})

const unhurried = { OAUTH_REGISTER_PER_HOUR: "1000", OAUTH_AUTHORIZE_PER_MINUTE: "1000" }

layer(appLayer(unhurried), { excludeTestServices: true })("O5, O24: where a browser may be sent", (it) => {
  it.effect("O24: schemes that start programs, and queries that hold our answers, are registered by nobody", () =>
    Effect.gen(function* () {
      const app = yield* App
      const clients = yield* Clients
      const register = (uri: string) =>
        app.call("POST", "/oauth/register", { body: { redirect_uris: [uri], client_name: "App" } })
      const byOperator = (uri: string) =>
        Effect.result(
          clients.register({
            kind: "public",
            name: "App",
            redirectUris: [uri],
            pkceWaived: false,
            ownService: false,
            oneConnection: false
          })
        )
      const byDocument = (uri: string) =>
        parseDocument(
          "https://client.example/id.json",
          JSON.stringify({ client_id: "https://client.example/id.json", redirect_uris: [uri] })
        )
      for (const uri of [...exploitable, ...answered]) {
        const reply = yield* register(uri)
        assert.strictEqual(reply.status, 400, uri)
        assert.strictEqual(reply.json.error, "invalid_redirect_uri", uri)
        assert.match(reply.json.error_description, /redirect_uris\[0\] must not/, uri)
        assert.isTrue(Result.isFailure(yield* byOperator(uri)), uri)
        assert.isTrue(Result.isFailure(byDocument(uri)), uri)
      }
      for (const uri of appsOwn) {
        const reply = yield* register(uri)
        assert.strictEqual(reply.status, 201, `${uri}: ${reply.text}`)
        assert.isTrue(Result.isSuccess(yield* byOperator(uri)), uri)
        assert.isTrue(Result.isSuccess(byDocument(uri)), uri)
      }
    })
  )

  it.effect("O24: a client stored earlier with such a redirect URI is not sent there: an error page, no redirect", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { owner } = yield* seedOrganization()
      const cookie = yield* signedIn(owner.personId)
      const clientId = yield* registerClient()
      for (const uri of [...exploitable, ...answered]) {
        yield* sql`UPDATE oauth_clients SET redirect_uris = ${[uri]}::text[] WHERE client_id = ${clientId}`
        const reply = yield* authorize(request(clientId, uri), { cookie, accept: "application/json" })
        assert.strictEqual(reply.status, 400, uri)
        assert.strictEqual(reasonOf(reply), "AUTHORIZE_REDIRECT_URI_INVALID", uri)
        assert.isNull(reply.headers.get("location"))
      }
    })
  )

  it.effect(
    "O19: decision=return on a consent that could be approved is a plain decline, which says nothing untrue",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization()
        const cookie = yield* signedIn(owner.personId)
        const clientId = yield* registerClient()
        const started = yield* authorize(request(clientId, REDIRECT), { cookie })
        const answer = yield* decide(started.headers.get("location")!, cookie, { decision: "return" })
        const callbackParams = new URL(answer.headers.get("location")!).searchParams
        assert.strictEqual(callbackParams.get("error"), "access_denied")
        assert.isNull(callbackParams.get("error_description"))
        const sql = yield* SqlClient.SqlClient
        const entries = yield* sql<{
          event: string
        }>`SELECT event FROM audit_log WHERE client_id = ${clientId} ORDER BY audit_id`
        assert.deepStrictEqual(
          entries.map(({ event }) => event),
          ["client.registered", "authorize.declined"]
        )
      })
  )
})

layer(appLayer(unhurried), { excludeTestServices: true })("O12, O24: what consent claims", (it) => {
  const begin = Effect.fnUntraced(function* (personId: number, clientId: string, scope: string, uri = REDIRECT) {
    const app = yield* App
    const cookie = yield* signedIn(personId)
    const started = yield* authorize({ ...request(clientId, uri), scope }, { cookie })
    const page = started.headers.get("location")!
    return { cookie, page, shown: yield* app.call("GET", page, { headers: { cookie } }) }
  })

  it.effect(
    "O24: permissions are grouped by reading, changing and managing, a line each, the far-reaching ones marked",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const { shown } = yield* begin(owner.personId, clientId, allScopes.join(" "))
        const groups = [...shown.text.matchAll(/<h2>(\w+)<\/h2><ul class="ticks">(.*?)<\/ul>/gs)]
        assert.deepStrictEqual(
          groups.map(([, title]) => title),
          ["Read", "Change", "Manage"]
        )
        const lines = groups.flatMap(([, , list]) => [...list!.matchAll(/<li>(.*?)<\/li>/gs)].map(([, line]) => line!))
        assert.strictEqual(lines.length, allScopes.length)
        for (const scope of allScopes) {
          const matchingLines = lines.filter((line) => line.startsWith(scopeLines[scope]))
          assert.strictEqual(matchingLines.length, 1, scope)
          assert.strictEqual(matchingLines[0]!.includes("Far-reaching"), strongScopes.has(scope), scope)
        }
        const few = yield* begin(owner.personId, clientId, "records:read")
        assert.notInclude(few.shown.text, "Manage</h2>")
        assert.notInclude(few.shown.text, "Far-reaching")
      })
  )

  it.effect(
    "O24: the host of a metadata document's client id is named beside the host that the browser is sent to",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { owner } = yield* seedOrganization()
        const url = "https://makers.example/id.json"
        yield* sql`
        INSERT INTO oauth_clients (client_id, kind, name, redirect_uris, metadata, created_on, document_fresh_until)
        VALUES (${url}, 'document', 'Harbor Board', ${[REDIRECT]}::text[], '{}', now(), now() + interval '1 day')`
        const { shown } = yield* begin(owner.personId, url, "records:read")
        assert.include(shown.text, "Sends you to <strong>client.example</strong>")
        assert.include(shown.text, "a document of <strong>makers.example</strong>")
        assert.notMatch(shown.text, /verified|✓/i)
      })
  )

  it.effect(
    "O24: a name stored before is cut and cleaned where it is shown; one of nothing visible gives way to the host",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const named = Effect.fnUntraced(function* (name: string) {
          yield* sql`UPDATE oauth_clients SET name = ${name} WHERE client_id = ${clientId}`
          const { shown } = yield* begin(owner.personId, clientId, "records:read")
          return /<h1 class="app">Connect <bdi>(.*?)<\/bdi>\?/s.exec(shown.text)![1]
        })
        assert.strictEqual(yield* named("x".repeat(200)), "x".repeat(80))
        assert.strictEqual(yield* named("\u3164\u2800\u200b"), "client.example")
        assert.strictEqual(yield* named(`A${"\u0301".repeat(90)}`), `A${"\u0301".repeat(4)}`)
      })
  )

  it.effect("O24: names without a visible character are refused at registration and in documents, long ones cut", () =>
    Effect.gen(function* () {
      const app = yield* App
      const register = (client_name: string) =>
        app.call("POST", "/oauth/register", { body: { redirect_uris: [REDIRECT], client_name } })
      const parse = (client_name: string) => {
        const client_id = "https://makers.example/id.json"
        return parseDocument(client_id, JSON.stringify({ client_id, client_name, redirect_uris: [REDIRECT] }))
      }
      for (const name of ["\u200b\u202e", "\u3164", " \u2800 ", "\u00ad"]) {
        const reply = yield* register(name)
        assert.strictEqual(reply.status, 400)
        assert.strictEqual(reply.json.error, "invalid_client_metadata")
        assert.include(reply.json.error_description, "client_name")
        assert.isTrue(Result.isFailure(parse(name)))
      }
      const long = yield* register("Harbor ".repeat(200))
      assert.strictEqual(long.status, 201)
      assert.strictEqual(long.json.client_name, "Harbor ".repeat(12).slice(0, 80).trim())
      const clients = yield* Clients
      const operator = { redirectUris: [REDIRECT], pkceWaived: false, ownService: false, oneConnection: false } as const
      for (const name of ["", "\u3164", "x".repeat(81)]) {
        const refusal = yield* Effect.flip(clients.register({ kind: "public", name, ...operator }))
        assert.include(refusal.message, "1 to 80 visible characters")
      }
    })
  )

  it.effect(
    "O12, O24: of several organizations none is chosen beforehand; Allow without a choice says so and decides nothing",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { owner } = yield* seedOrganization("First")
        const second = yield* seedOrganization("Second")
        const [user] = yield* sql<{ user_id: number }>`
        INSERT INTO users (org_id, person_id, name, role, status, created_on)
        VALUES (${second.orgId}, ${owner.personId}, 'Same person', 'member', 'active', now()) RETURNING user_id`
        const clientId = yield* registerClient()
        const { cookie, page, shown } = yield* begin(owner.personId, clientId, "records:read")
        assert.strictEqual(shown.text.match(/type="radio" name="user_id"[^>]* required>/g)!.length, 2)
        assert.notMatch(shown.text, /\schecked/)
        for (const members of [{}, { user_id: "" }, { user_id: "x" }] as ReadonlyArray<Record<string, string>>) {
          const answer = yield* decide(page, cookie, { decision: "approve", ...members })
          assert.strictEqual(answer.status, 400)
          assert.include(answer.text, "Choose the organization that the app is to act in.")
          assert.include(answer.text, 'name="user_id"')
        }
        const answer = yield* decide(page, cookie, { decision: "approve", user_id: String(user!.user_id) })
        assert.strictEqual(answer.status, 303)
        assert.isNotNull(new URL(answer.headers.get("location")!).searchParams.get("code"))
      })
  )

  it.effect(
    "O24: the sign-in page on the way to a consent says which app asks and where it sends, to this browser alone",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const clientId = yield* registerClient([REDIRECT], { client_name: "<b>Harbor</b> Board" })
        const started = yield* authorize(request(clientId, REDIRECT))
        const cookie = started.headers.getSetCookie()[0]!.split(";")[0]!
        const next = `/sign-in?next=${encodeURIComponent(started.headers.get("location")!)}`
        const signInPage = yield* app.call("GET", next, { headers: { cookie } })
        assert.include(signInPage.text, "<bdi>&lt;b&gt;Harbor&lt;/b&gt; Board</bdi></strong> asks to act as you")
        assert.include(signInPage.text, "Sends you to <strong>client.example</strong>")
        const body = form({
          csrf: hiddenIn(signInPage.text, "csrf"),
          next: started.headers.get("location")!,
          email: "a@b.example",
          password: "x"
        })
        const wrong = yield* app.call("POST", "/sign-in", {
          body,
          headers: { cookie, "content-type": "application/x-www-form-urlencoded" }
        })
        assert.strictEqual(wrong.status, 401)
        assert.include(wrong.text, "asks to act as you")
        assert.notInclude((yield* app.call("GET", next)).text, "asks to act as you")
        assert.notInclude((yield* app.call("GET", "/sign-in", { headers: { cookie } })).text, "asks to act as you")
      })
  )
})

layer(appLayer(), { excludeTestServices: true })("MCP errors", (it) => {
  const tell = Effect.fnUntraced(function* (body: unknown, headers: Record<string, string> = {}) {
    const app = yield* App
    const { owner } = yield* seedOrganization()
    return yield* app.call("POST", "/mcp", { token: owner.key, body, headers })
  })

  it.effect("5.4: a refused message is answered under its own id, null only where none can be read", () =>
    Effect.gen(function* () {
      const deep = `{"x":${"[".repeat(900)}${"]".repeat(900)}}`
      const cases: ReadonlyArray<readonly [unknown, string | number | null, Record<string, string>?]> = [
        [{ jsonrpc: "1.0", id: 7, method: "ping" }, 7],
        [{ jsonrpc: "2.0", id: "seven", method: 7 }, "seven"],
        [{ jsonrpc: "2.0", id: 0, method: "ping", params: [] }, 0],
        [{ id: 7 }, 7],
        [`{"jsonrpc":"2.0","id":7,"method":"ping","params":${deep}}`, 7],
        [{ jsonrpc: "2.0", id: 7, method: "ping" }, 7, { "mcp-protocol-version": "1999-01-01" }],
        [[{ jsonrpc: "2.0", id: 7, method: "ping" }], null, { "mcp-protocol-version": "2025-11-25" }],
        [
          [
            { jsonrpc: "2.0", id: 6, method: "ping" },
            { jsonrpc: "2.0", id: 7, method: 7 }
          ],
          7
        ],
        [{ jsonrpc: "2.0", id: null, method: "ping" }, null],
        [{ jsonrpc: "2.0", id: { a: 1 }, method: "ping" }, null],
        [{ jsonrpc: "2.0", id: 1.5, method: "ping" }, null],
        ["7", null],
        ["[]", null],
        ['{"jsonrpc":"2.0","id":7,', null]
      ]
      for (const [body, id, headers] of cases) {
        const reply = yield* tell(body, headers)
        const what = JSON.stringify(body).slice(0, 80)
        assert.strictEqual(reply.status, 400, what)
        assert.isObject(reply.json.error, what)
        assert.strictEqual(reply.json.id, id, what)
      }
    })
  )

  it.effect("5.4: messages carry no prefix, which clients add themselves", () =>
    Effect.gen(function* () {
      const calls: ReadonlyArray<readonly [string, object, string]> = [
        ["tools/call", { name: "nothing" }, "Unknown tool: nothing"],
        ["prompts/get", { name: "nothing" }, "Unknown prompt: nothing"],
        ["resources/read", { uri: "millrace://nothing" }, "Resource not found"],
        ["resources/list", { cursor: "nothing" }, "The cursor is not one of this list."],
        ["tools/call", { name: 7 }, "Invalid params: params.name is missing or of the wrong type."],
        ["nothing", {}, "Method not found"]
      ]
      for (const [method, params, message] of calls) {
        const { json } = yield* tell({ jsonrpc: "2.0", id: method, method, params })
        assert.strictEqual(json.error.message, message, method)
        assert.strictEqual(json.id, method)
      }
    })
  )
})
