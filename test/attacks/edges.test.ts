// Edges (decisions P10, O5, O8, O24; MCP errors): headers on every answer, what operators alone see, what consent claims, where a
// browser may be sent, and errors that repeat nothing that a stranger wrote.
import { request as httpRequest } from "node:http"
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, type Reply, seedOrganization } from "../support/app.ts"
import { freshDatabaseUrl } from "../support/database.ts"
import { registerClient, signedIn } from "../support/oauth.ts"
import { startService } from "../support/processes.ts"

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
  const asked: ReadonlyArray<readonly [string, string, Parameters<typeof app.call>[2]?]> = [
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
  return yield* Effect.forEach(asked, ([method, path, options]) =>
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
        const kept = /^\/(assets\/|\.well-known\/oauth)/.test(path)
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

  it.effect("P10: /docs runs its own two scripts alone, from this origin, and reaches no other", () =>
    Effect.gen(function* () {
      const app = yield* App
      const page = yield* app.call("GET", "/docs")
      const policy = page.headers.get("content-security-policy")!
      const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1]
      assert.isDefined(nonce)
      const scripts = [...page.text.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes!)
      assert.strictEqual(scripts.length, 2)
      for (const attributes of scripts) assert.include(attributes, `nonce="${nonce}"`)
      assert.notMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*'(self|unsafe-inline)'/)
      assert.include(policy, "connect-src 'self'")
      assert.notMatch(page.text, /(?:src|href)="(?:https?:)?\/\//)
      const again = yield* app.call("GET", "/docs")
      assert.notInclude(again.headers.get("content-security-policy")!, nonce!)
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
        const sent = httpRequest(`${origin}${path}`, { headers }, (answer) => {
          let text = ""
          answer.on("data", (chunk) => {
            text += chunk
          })
          answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }))
        })
        sent.on("error", reject)
        sent.end()
      })
  )

const metricsToken = "a-token-of-the-operator"

it.live("P10: /metrics and the details of health answer this machine or METRICS_TOKEN, whatever headers pretend", () =>
  Effect.gen(function* () {
    const { origin } = yield* startService(yield* freshDatabaseUrl, {
      METRICS_TOKEN: metricsToken,
      TRUSTED_PROXIES: "127.0.0.0/8"
    })
    const told = Effect.fnUntraced(function* (headers: Record<string, string>) {
      const metrics = yield* ask(origin, "/metrics", headers)
      const ready = yield* ask(origin, "/health/ready", headers)
      const all = metrics.status === 200 && metrics.text.includes("millrace_") && ready.text.includes("postgres")
      const none =
        metrics.status === 401 &&
        !metrics.text.includes("millrace_") &&
        ready.text === '{"ready":true}' &&
        ready.status === 200
      assert.isTrue(all || none, JSON.stringify([headers, metrics.status, metrics.text.slice(0, 200), ready.text]))
      return all
    })
    const port = new URL(origin).port
    assert.isTrue(yield* told({}), "this machine")
    assert.isTrue(yield* told({ host: `localhost:${port}` }), "this machine, by name")
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
      assert.isFalse(yield* told(strange), JSON.stringify(strange))
    const bearer = { authorization: `Bearer ${metricsToken}` }
    assert.isTrue(yield* told({ ...bearer, "x-forwarded-for": "203.0.113.9", host: "records.example.com" }))
    const refused = yield* ask(origin, "/metrics", { host: "rebound.example" })
    assert.strictEqual(refused.headers["www-authenticate"], 'Bearer realm="metrics"')
  }).pipe(Effect.scoped)
)
