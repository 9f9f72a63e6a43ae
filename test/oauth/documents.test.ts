// service.md 2.2; decisions O7, W9: client ID metadata documents, fetched from real TLS servers through the guarded client.
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { freshMillis } from "../../src/oauth/clients/document.ts"
import { MetadataDocuments } from "../../src/oauth/clients/MetadataDocuments.ts"
import { Outbound } from "../../src/outbound/Outbound.ts"
import { App, appLayer, seedOrganization } from "../support/app.ts"
import { authorize, challengeOf, connect, decide, post, REDIRECT, reasonOf, signedIn, token } from "../support/oauth.ts"
import { answers, receiver } from "../support/receiver.ts"

const pem = (name: string) => readFileSync(new URL(`../support/tls/localhost.${name}.pem`, import.meta.url), "utf8")
const tls = { key: pem("key"), cert: pem("cert") }
const generous = { OAUTH_AUTHORIZE_PER_MINUTE: "10000" }
const jsonType = { "content-type": "application/json" }

/** A document server, and the service's fetcher allowed to reach it. */
const site = Effect.gen(function* () {
  const server = yield* receiver({ tls })
  const options = { allow: new Set([server.hostPort]), ca: tls.cert }
  const fetcher = yield* Layer.build(
    Layer.fresh(MetadataDocuments.layer).pipe(Layer.provide(Outbound.layerWith(options)))
  )
  const documents = Context.get(fetcher, MetadataDocuments)
  const serve = (
    path: string,
    change: Record<string, unknown> = {},
    headers: Record<string, string> = jsonType,
    status = 200
  ) => {
    const url = server.origin + path
    const body = { client_id: url, client_name: "Site app", redirect_uris: [REDIRECT], ...change }
    server.on(path, answers.status(status, headers, JSON.stringify(body)))
    return url
  }
  const refusal = (url: string) => Effect.map(Effect.flip(documents.resolve(url)), (e) => e.reasonId)
  return { server, documents, serve, refusal }
})

layer(appLayer(generous), { excludeTestServices: true })("decisions O7: client ID metadata documents", (it) => {
  it.effect(
    "2.2: a valid document is a public client: code flow, refresh, revocation; a host that is down breaks none of them",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { documents, serve, server } = yield* site
        const { owner } = yield* seedOrganization()
        const url = serve("/client.json", {}, { ...jsonType, "cache-control": "max-age=86400" })
        const client = yield* documents.resolve(url)
        assert.strictEqual(client.kind, "document")
        const held = yield* connect(owner, url)
        assert.strictEqual(
          (yield* app.call("GET", "/v1/user", { token: held.access_token })).json.credential.client_id,
          url
        )
        server.on("/client.json", answers.garbage)
        const refreshed = yield* token({
          grant_type: "refresh_token",
          client_id: url,
          refresh_token: held.refresh_token
        })
        assert.strictEqual(refreshed.status, 200, refreshed.text)
        yield* post("/oauth/revoke", { client_id: url, token: refreshed.json.refresh_token })
        assert.strictEqual((yield* app.call("GET", "/v1/user", { token: held.access_token })).status, 401)
      }).pipe(Effect.scoped)
  )

  it.effect("4.1: without a client_name the consent screen shows the client ID URL", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { documents, serve } = yield* site
      const { owner } = yield* seedOrganization()
      const url = serve("/nameless.json", { client_name: undefined })
      yield* documents.resolve(url)
      const cookie = yield* signedIn(owner.personId)
      const started = yield* authorize(
        { response_type: "code", client_id: url, redirect_uri: REDIRECT, code_challenge: challengeOf("x") },
        { cookie }
      )
      const shown = yield* app.call("GET", started.headers.get("location")!, { headers: { cookie } })
      assert.include(shown.text, url)
      assert.strictEqual((yield* decide(started.headers.get("location")!, cookie, { decision: "decline" })).status, 303)
    }).pipe(Effect.scoped)
  )

  it.effect("a document that prefers private_key_jwt is accepted if it also lists none; jwks_uri is ignored", () =>
    Effect.gen(function* () {
      const { documents, serve, refusal } = yield* site
      const method = { token_endpoint_auth_method: "private_key_jwt", jwks_uri: "https://x.example/jwks" }
      const both = serve("/both.json", {
        ...method,
        token_endpoint_auth_methods_supported: ["private_key_jwt", "none"]
      })
      assert.strictEqual((yield* documents.resolve(both)).kind, "document")
      assert.strictEqual(
        (yield* documents.resolve(serve("/none.json", { token_endpoint_auth_method: "none" }))).kind,
        "document"
      )
      assert.strictEqual(yield* refusal(serve("/only.json", method)), "AUTHORIZE_CIMD_DOCUMENT_INVALID")
    }).pipe(Effect.scoped)
  )

  it.effect(
    "AUTHORIZE_CIMD_DOCUMENT_INVALID: unfetchable, redirecting, too large, not JSON, mismatching or incomplete documents",
    () =>
      Effect.gen(function* () {
        const { server, serve, refusal } = yield* site
        server.on("/garbage.json", answers.status(200, jsonType, "{"))
        server.on("/array.json", answers.status(200, jsonType, "[]"))
        server.on("/broken.json", answers.garbage)
        server.on("/redirect.json", answers.status(302, { location: serve("/target.json") }))
        for (const url of [
          `${server.origin}/garbage.json`,
          `${server.origin}/array.json`,
          `${server.origin}/broken.json`,
          `${server.origin}/redirect.json`,
          serve("/other.json", { client_id: "https://other.example/client.json" }),
          serve("/missing-id.json", { client_id: undefined }),
          serve("/no-uris.json", { redirect_uris: undefined }),
          serve("/empty-uris.json", { redirect_uris: [] }),
          serve("/bad-uri.json", { redirect_uris: ["http://plain.example/cb"] }),
          serve("/secret.json", { client_secret: "x" }),
          serve("/big.json", { padding: "x".repeat(6 * 1024) }),
          serve("/html.json", {}, { "content-type": "text/html" }),
          serve("/404.json", {}, jsonType, 404),
          serve("/201.json", {}, jsonType, 201)
        ]) {
          assert.strictEqual(yield* refusal(url), "AUTHORIZE_CIMD_DOCUMENT_INVALID", url)
        }
      }).pipe(Effect.scoped)
  )

  it.effect("an error is never cached: the next request fetches again", () =>
    Effect.gen(function* () {
      const { documents, serve, refusal } = yield* site
      const url = serve("/flaky.json", { redirect_uris: [] })
      assert.strictEqual(yield* refusal(url), "AUTHORIZE_CIMD_DOCUMENT_INVALID")
      serve("/flaky.json")
      assert.strictEqual((yield* documents.resolve(url)).kind, "document")
    }).pipe(Effect.scoped)
  )

  it.effect("one fetch at a time per URL, kept as its headers allow, at least five minutes", () =>
    Effect.gen(function* () {
      const { documents, serve, server } = yield* site
      const url = serve("/cached.json", {}, { ...jsonType, "cache-control": "no-store" })
      yield* Effect.all(
        Array.from({ length: 10 }, () => documents.resolve(url)),
        { concurrency: 10 }
      )
      assert.strictEqual(server.of("/cached.json").length, 1)
      yield* TestClock.adjust(Duration.millis(5 * 60_000 - 1))
      yield* documents.resolve(url)
      assert.strictEqual(server.of("/cached.json").length, 1)
      yield* TestClock.adjust(Duration.millis(1))
      yield* documents.resolve(url)
      assert.strictEqual(server.of("/cached.json").length, 2)
    }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
  )

  it.effect("freshness: between 5 minutes and 24 hours", () =>
    Effect.sync(() => {
      const minutes = (headers: Record<string, string>) => freshMillis(headers) / 60_000
      assert.strictEqual(minutes({}), 5)
      assert.strictEqual(minutes({ "cache-control": "no-store" }), 5)
      assert.strictEqual(minutes({ "cache-control": "public, max-age=3600" }), 60)
      assert.strictEqual(minutes({ "cache-control": "max-age=3600", age: "600" }), 50)
      assert.strictEqual(minutes({ "cache-control": "max-age=9999999" }), 24 * 60)
      const date = "Mon, 02 Mar 2026 10:00:00 GMT"
      assert.strictEqual(minutes({ date, expires: "Mon, 02 Mar 2026 12:00:00 GMT" }), 120)
    })
  )

  for (const [what, clientId] of [
    ["plain http", "http://client.example/client.json"],
    ["no path", "https://client.example"],
    ["a fragment", "https://client.example/c#x"],
    ["user info", "https://user@client.example/c"],
    ["dot segments", "https://client.example/a/../c"],
    ["encoded dot segments", "https://client.example/a/%2e%2e/c"],
    ["another spelling", "https://CLIENT.example/c"],
    ["loopback", "https://127.0.0.1/c"],
    ["loopback in hex", "https://0x7f000001/c"],
    ["localhost", "https://localhost/c"],
    ["a private network", "https://10.0.0.1/c"],
    ["cloud metadata", "https://169.254.169.254/c"],
    ["IPv6 loopback", "https://[::1]/c"],
    ["a mapped address", "https://[::ffff:127.0.0.1]/c"]
  ] as const) {
    it.effect(`AUTHORIZE_CIMD_DOCUMENT_INVALID: a client ID with ${what}`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const reply = yield* authorize(
          { response_type: "code", client_id: clientId, redirect_uri: REDIRECT, code_challenge: challengeOf("x") },
          { accept: "application/json" }
        )
        assert.strictEqual(reply.status, 400)
        assert.strictEqual(reply.json.error, "invalid_client")
        assert.strictEqual(reasonOf(reply), "AUTHORIZE_CIMD_DOCUMENT_INVALID")
        assert.strictEqual((yield* sql`SELECT 1 FROM oauth_clients WHERE client_id = ${clientId}`).length, 0)
      })
    )
  }

  it.effect("7.1: without redirect_uri nothing is fetched", () =>
    Effect.gen(function* () {
      const reply = yield* authorize({ client_id: "https://client.example/c" }, { accept: "application/json" })
      assert.strictEqual(reasonOf(reply), "AUTHORIZE_REDIRECT_URI_INVALID")
    })
  )
})
