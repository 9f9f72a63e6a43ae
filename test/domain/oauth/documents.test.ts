// service.md 2.2; decisions O7, W9: client ID metadata documents, fetched from real TLS servers through the guarded client.
import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Context, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Authorizations } from "../../../src/domain/oauth/Authorizations.ts"
import { MetadataDocuments } from "../../../src/domain/oauth/clients/MetadataDocuments.ts"
import { freshMillis } from "../../../src/domain/oauth/clients/metadataDocument.ts"
import { parseParams } from "../../../src/domain/oauth/params.ts"
import { Sessions } from "../../../src/domain/oauth/Sessions.ts"
import { Outbound, type OutboundOptions } from "../../../src/platform/outbound/Outbound.ts"
import type { Resolve } from "../../../src/platform/outbound/resolveHost.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import {
  authorize,
  challengeOf,
  connect,
  decide,
  form,
  post,
  REDIRECT,
  reasonOf,
  signedIn,
  token
} from "../../support/oauth.ts"
import { type Answer, answers, receiver } from "../../support/receiver.ts"

const pem = (name: string) => readFileSync(new URL(`../../support/tls/localhost.${name}.pem`, import.meta.url), "utf8")
const tls = { key: pem("key"), cert: pem("cert") }
const generous = { OAUTH_AUTHORIZE_PER_MINUTE: "10000" }
const jsonType = { "content-type": "application/json" }

/** The authorization endpoint's checks over a fetcher with options of a test's own. */
const endpoint = Effect.fnUntraced(function* (options: OutboundOptions) {
  const built = yield* Layer.build(
    Layer.fresh(Authorizations.layer).pipe(
      Layer.provideMerge(Layer.fresh(MetadataDocuments.layer)),
      Layer.provide(Outbound.layerWith(options))
    )
  )
  const sessions = yield* Sessions
  /** The reason of the refusal and its words; undefined when the request is accepted. */
  const ask = (clientId: string) =>
    Context.get(built, Authorizations)
      .begin(
        parseParams(
          form({ response_type: "code", client_id: clientId, redirect_uri: REDIRECT, code_challenge: challengeOf("x") })
        ),
        sessions.begin
      )
      .pipe(
        Effect.as(undefined),
        Effect.catchTag("OAuthRefused", ({ reasonId, detail }) => Effect.succeed(`${reasonId}: ${detail}`))
      )
  return { documents: Context.get(built, MetadataDocuments), ask }
})

const invalid = "AUTHORIZE_CIMD_DOCUMENT_INVALID: The client ID metadata document"

/** A document server, and the service allowed to reach it. */
const site = Effect.gen(function* () {
  const server = yield* receiver({ tls })
  const { documents, ask } = yield* endpoint({ allow: new Set([server.hostPort]), ca: tls.cert })
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
  return { server, documents, serve, refusal, ask }
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
        const tokens = yield* connect(owner, url)
        assert.strictEqual(
          (yield* app.call("GET", "/v1/user", { token: tokens.access_token })).json.credential.client_id,
          url
        )
        server.on("/client.json", answers.garbage)
        const refreshed = yield* token({
          grant_type: "refresh_token",
          client_id: url,
          refresh_token: tokens.refresh_token
        })
        assert.strictEqual(refreshed.status, 200, refreshed.text)
        yield* post("/oauth/revoke", { client_id: url, token: refreshed.json.refresh_token })
        assert.strictEqual((yield* app.call("GET", "/v1/user", { token: tokens.access_token })).status, 401)
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
      const consentPage = yield* app.call("GET", started.headers.get("location")!, { headers: { cookie } })
      assert.include(consentPage.text, url)
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
    "AUTHORIZE_CIMD_DOCUMENT_INVALID: unfetchable, redirecting, too large, too slow, not JSON, mismatching or incomplete documents",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { server, serve, ask } = yield* site
        const serveAt = (path: string, answer: Answer) => {
          server.on(path, answer)
          return server.origin + path
        }
        const target = serve("/target.json")
        const cases: ReadonlyArray<readonly [string, string]> = [
          [serveAt("/garbage.json", answers.status(200, jsonType, "{")), "is not JSON"],
          [serveAt("/array.json", answers.status(200, jsonType, "[]")), "is not a JSON object"],
          [serveAt("/broken.json", answers.garbage), "cannot be fetched (protocol_error)"],
          [serveAt("/hang.json", answers.hang), "cannot be fetched (timeout)"],
          [serveAt("/drips.json", answers.slowBody), "cannot be fetched (timeout)"],
          ...[301, 302, 303, 307, 308].map(
            (status) =>
              [
                serveAt(`/${status}.json`, answers.status(status, { location: target })),
                `was answered with status ${status}`
              ] as const
          ),
          [serve("/other.json", { client_id: "https://other.example/client.json" }), "names another client_id"],
          [serve("/slash.json", { client_id: `${server.origin}/slash.json/` }), "names another client_id"],
          [serve("/case.json", { client_id: `${server.origin}/CASE.json` }), "names another client_id"],
          [serve("/missing-id.json", { client_id: undefined }), "has members of the wrong type"],
          [serve("/no-uris.json", { redirect_uris: undefined }), "is invalid"],
          [serve("/empty-uris.json", { redirect_uris: [] }), "is invalid"],
          [serve("/bad-uri.json", { redirect_uris: ["http://plain.example/cb"] }), "is invalid"],
          [serve("/secret.json", { client_secret: "x" }), "holds a client secret"],
          [serve("/big.json", { padding: "x".repeat(6 * 1024) }), "cannot be fetched (too_large)"],
          [serve("/html.json", {}, { "content-type": "text/html" }), "is not served as JSON"],
          [serve("/404.json", {}, jsonType, 404), "was answered with status 404"],
          [serve("/201.json", {}, jsonType, 201), "was answered with status 201"]
        ]
        yield* Effect.forEach(
          cases,
          ([url, words]) =>
            Effect.map(ask(url), (refused) =>
              assert.isTrue(refused?.startsWith(`${invalid} ${words}`), `${url}: ${refused}`)
            ),
          { concurrency: 2 }
        )
        assert.lengthOf(server.of("/target.json"), 0)
        const kept = yield* sql`SELECT client_id FROM oauth_clients WHERE client_id LIKE ${`${server.origin}/%`}`
        assert.deepStrictEqual(kept, [])
        // At the limit, and after four seconds, it is still a document.
        const paddingLength =
          5 * 1024 -
          JSON.stringify({
            client_id: `${server.origin}/full.json`,
            client_name: "Site app",
            redirect_uris: [REDIRECT],
            padding: ""
          }).length
        assert.isUndefined(yield* ask(serve("/full.json", { padding: "x".repeat(paddingLength) })))
        assert.include(yield* ask(serve("/over.json", { padding: "x".repeat(paddingLength + 1) })), "too_large")
      }).pipe(Effect.scoped)
  )

  it.effect("attack: a document's name is resolved once for each fetch, and every address it has must be public", () =>
    Effect.gen(function* () {
      const server = yield* receiver({ tls })
      const port = Number(new URL(server.origin).port)
      const resolving = (...replies: ReadonlyArray<ReadonlyArray<string>>) => {
        const lookups: Array<string> = []
        const resolve: Resolve = async (host) => {
          lookups.push(host)
          const reply = replies[lookups.length - 1] ?? []
          return reply.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
        }
        return { asked: lookups, resolve }
      }
      // The second answer would lead elsewhere: it is never asked for.
      const rebinding = resolving(["127.0.0.1"], ["127.0.0.2"])
      const trusted = yield* endpoint({ allow: new Set([server.hostPort]), ca: tls.cert, resolve: rebinding.resolve })
      const url = `${server.origin}/client.json`
      const body = JSON.stringify({ client_id: url, redirect_uris: [REDIRECT] })
      server.on("/client.json", answers.status(200, jsonType, body))
      assert.isUndefined(yield* trusted.ask(url))
      assert.deepStrictEqual(rebinding.asked, ["localhost"])
      assert.lengthOf(server.received, 1)
      for (const address of [
        ...["127.0.0.1", "10.0.0.5", "172.16.9.9", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"],
        ...["::1", "::", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "fd00:ec2::254", "fe80::1%eth0", "2002:7f00:1::"]
      ]) {
        for (const reply of [[address], ["93.184.215.14", address], [address, "93.184.215.14"]]) {
          const { resolve } = resolving(reply)
          const { ask } = yield* endpoint({ allow: new Set(), resolve })
          assert.strictEqual(
            yield* ask("https://rebound.example/client.json"),
            `${invalid} cannot be fetched (address_refused)`,
            reply.join()
          )
        }
      }
      // Another port than https has is refused before anything is asked.
      const { asked, resolve } = resolving(["127.0.0.1"])
      const { ask } = yield* endpoint({ allow: new Set(), resolve })
      assert.strictEqual(
        yield* ask(`https://rebound.example:${port}/client.json`),
        `${invalid} cannot be fetched (port_refused)`
      )
      assert.deepStrictEqual(asked, [])
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
    ...["127.1", "127.0.1", "0x7f000001", "0x7f.0.0.1", "2130706433", "0177.0.0.1", "017700000001", "①②⑦.0.0.1"].map(
      (host) => [`loopback as ${host}`, `https://${host}/c`] as const
    ),
    ["loopback with a trailing dot", "https://127.0.0.1./c"],
    ["an encoded dot in the host", "https://127%2e0.0.1/c"],
    ["another loopback address", "https://127.255.255.254/c"],
    ["the unspecified address", "https://0.0.0.0/c"],
    ["localhost with a trailing dot", "https://localhost./c"],
    ["localhost", "https://localhost/c"],
    ...["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "198.18.0.1", "224.0.0.1"].map(
      (host) => [`the address ${host}`, `https://${host}/c`] as const
    ),
    ["another port", "https://client.example:8443/c"],
    ["cloud metadata", "https://169.254.169.254/c"],
    ["IPv6 loopback", "https://[::1]/c"],
    ...[
      ...["[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::10.0.0.1]"],
      ...["[2002:7f00:1::]", "[fc00::1]", "[fd00:ec2::254]", "[fe80::1]", "[fec0::1]", "[ff02::1]", "[2001:db8::1]"]
    ].map((host) => [`the address ${host}`, `https://${host}/c`] as const)
  ] as ReadonlyArray<readonly [string, string]>) {
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
