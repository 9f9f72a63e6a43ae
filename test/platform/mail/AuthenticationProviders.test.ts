// Tokens for authenticated_http_call (decisions P3).
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AuthenticationProviders } from "../../../src/platform/mail/AuthenticationProviders.ts"
import type { NewProvider } from "../../../src/platform/mail/providerRows.ts"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import { Secrets } from "../../../src/platform/sealing/Secrets.ts"
import { configLayer } from "../../support/app.ts"
import { layerDatabase } from "../../support/database.ts"
import { answers, type Receiver, receiver as startReceiver } from "../../support/receiver.ts"

const setup = (
  test: (r: Receiver, orgId: number) => Effect.Effect<void, unknown, AuthenticationProviders | SqlClient.SqlClient>
) =>
  Effect.gen(function* () {
    const receiver = yield* startReceiver()
    let issued = 0
    receiver.on("/token", (request, response) => {
      const form = new URLSearchParams(request.body)
      if (form.get("refresh_token") === "dead") {
        response.writeHead(400, { "content-type": "application/json" }).end('{"error":"invalid_grant","secret":"x"}')
        return
      }
      issued++
      response.writeHead(200, { "content-type": "application/json" }).end(
        JSON.stringify({
          access_token: `token-${issued}`,
          token_type: "bearer",
          expires_in: 3600,
          ...(form.get("grant_type") === "refresh_token" ? { refresh_token: `refresh-${issued}` } : {})
        })
      )
    })
    const layer = AuthenticationProviders.layer.pipe(
      Layer.provideMerge(
        Layer.mergeAll(layerDatabase, Secrets.layer, Outbound.layerWith({ allow: new Set([receiver.hostPort]) }))
      ),
      Layer.provide(configLayer())
    )
    const context = yield* Layer.build(layer)
    yield* Effect.provide(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ org_id: number }>`
          INSERT INTO organizations (name, slug, created_on) VALUES ('E', 'e', now()) RETURNING org_id`
        yield* test(receiver, row!.org_id)
      }),
      context
    )
  })

const clientCredentials = (r: Receiver, rest: Partial<NewProvider> = {}): NewProvider => ({
  name: "billing",
  grant_type: "client_credentials",
  token_url: `${r.origin}/token`,
  client_id: "id:1",
  client_secret: Redacted.make("s ecret"),
  scope: "a b",
  ...rest
})

describe("authentication providers (P3)", () => {
  it.effect("client credentials: one token until it expires", () =>
    setup((receiver, orgId) =>
      Effect.gen(function* () {
        const providers = yield* AuthenticationProviders
        const { authentication_provider_id: id } = yield* providers.create(orgId, clientCredentials(receiver))
        const header = () => Effect.map(providers.authorizationHeader(orgId, id, "organization"), Redacted.value)
        const headers = yield* Effect.all(Array.from({ length: 10 }, header), { concurrency: "unbounded" })
        assert.deepStrictEqual([...new Set(headers)], ["Bearer token-1"])
        const [request] = receiver.of("/token")
        assert.strictEqual(request!.headers.authorization, `Basic ${Buffer.from("id%3A1:s+ecret").toString("base64")}`)
        assert.deepStrictEqual(Object.fromEntries(new URLSearchParams(request!.body)), {
          grant_type: "client_credentials",
          scope: "a b"
        })
        yield* TestClock.adjust("50 minutes")
        assert.strictEqual(yield* header(), "Bearer token-1")
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(yield* header(), "Bearer token-2")
      })
    )
  )
  it.effect("a refused token is renewed once, whoever noticed", () =>
    setup((receiver, orgId) =>
      Effect.gen(function* () {
        const providers = yield* AuthenticationProviders
        const { authentication_provider_id: id } = yield* providers.create(
          orgId,
          clientCredentials(receiver, { client_auth: "post" })
        )
        const firstHeader = yield* providers.authorizationHeader(orgId, id, "organization")
        const laterHeaders = yield* Effect.all(
          Array.from({ length: 5 }, () =>
            providers.authorizationHeader(orgId, id, "organization", { refused: firstHeader })
          ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([...new Set(laterHeaders.map(Redacted.value))], ["Bearer token-2"])
        assert.strictEqual(receiver.of("/token").length, 2)
        assert.include(receiver.of("/token")[0]!.body, "client_secret=s+ecret")
      })
    )
  )
  it.effect("refresh token grant keeps the rotated refresh token", () =>
    setup((receiver, orgId) =>
      Effect.gen(function* () {
        const providers = yield* AuthenticationProviders
        const { authentication_provider_id: id } = yield* providers.create(orgId, {
          name: "crm",
          grant_type: "refresh_token",
          token_url: `${receiver.origin}/token`,
          client_id: "public",
          refresh_token: Redacted.make("refresh-0")
        })
        yield* providers.authorizationHeader(orgId, id, "organization")
        yield* TestClock.adjust("2 hours")
        yield* providers.authorizationHeader(orgId, id, "organization")
        const sentTokens = receiver.of("/token").map((r) => new URLSearchParams(r.body).get("refresh_token"))
        assert.deepStrictEqual(sentTokens, ["refresh-0", "refresh-1"])
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql`SELECT * FROM authentication_providers`
        assert.notMatch(
          JSON.stringify(row, (_k, v) => (v?.type === "Buffer" ? Buffer.from(v.data).toString("latin1") : v)),
          /refresh-\d|token-\d/
        )
      })
    )
  )
  it.effect.each([
    { access_token: "a", refresh_token: "NEW", expires_in: 1e15 },
    { access_token: "a", refresh_token: "NEW", expires_in: "9223372036854775807" },
    { access_token: "a", refresh_token: "NEW", expires_in: -1 },
    { access_token: "a", refresh_token: "NEW", expires_in: null, token_type: null, scope: null },
    { access_token: "a", refresh_token: "NEW", expires_in: "soon", token_type: "a\u0000b" },
    { access_token: null, refresh_token: "NEW" },
    { access_token: "not\na header", refresh_token: "NEW" }
  ])("a rotated refresh token is kept, whatever stands beside it (P3): %j", (answer) =>
    setup((receiver, orgId) =>
      Effect.gen(function* () {
        const providers = yield* AuthenticationProviders
        receiver.on("/odd", answers.status(200, { "content-type": "application/json" }, JSON.stringify(answer)))
        const { authentication_provider_id: id } = yield* providers.create(orgId, {
          name: "crm",
          grant_type: "refresh_token",
          token_url: `${receiver.origin}/odd`,
          client_id: "public",
          refresh_token: Redacted.make("OLD")
        })
        if (answer.access_token === "a") {
          const header = yield* providers.authorizationHeader(orgId, id, "organization")
          assert.strictEqual(Redacted.value(header), "Bearer a")
        } else {
          const { message } = yield* Effect.flip(providers.authorizationHeader(orgId, id, "organization"))
          assert.strictEqual(message, "The token endpoint answered without a usable access token.")
        }
        yield* Effect.exit(
          providers.authorizationHeader(orgId, id, "organization", { refused: Redacted.make("Bearer a") })
        )
        const sentTokens = receiver.of("/odd").map(({ body }) => new URLSearchParams(body).get("refresh_token"))
        assert.deepStrictEqual(sentTokens, ["OLD", "NEW"])
      })
    )
  )
  it.effect("a refresh token that is empty or none leaves the one that is known", () =>
    setup((receiver, orgId) =>
      Effect.gen(function* () {
        const providers = yield* AuthenticationProviders
        const replies = ["", null]
        receiver.on("/odd", (_request, response) => {
          const refresh_token = replies.shift()
          response.writeHead(200).end(JSON.stringify({ access_token: "a", expires_in: 0, refresh_token }))
        })
        const { authentication_provider_id: id } = yield* providers.create(orgId, {
          name: "crm",
          grant_type: "refresh_token",
          token_url: `${receiver.origin}/odd`,
          client_id: "public",
          refresh_token: Redacted.make("OLD")
        })
        for (let i = 0; i < 3; i++) yield* providers.authorizationHeader(orgId, id, "organization")
        const sentTokens = receiver.of("/odd").map(({ body }) => new URLSearchParams(body).get("refresh_token"))
        assert.deepStrictEqual(sentTokens, ["OLD", "OLD", "OLD"])
      })
    )
  )
  it.effect("who no longer waits for a token does not end its renewal: the rotated refresh token is kept (P3)", () =>
    setup((receiver, orgId) =>
      Effect.gen(function* () {
        const providers = yield* AuthenticationProviders
        const rotated = JSON.stringify({ access_token: "a", expires_in: 3600, refresh_token: "NEW" })
        const requestArrived = Promise.withResolvers<void>()
        const answered = Promise.withResolvers<void>()
        receiver.on("/slow", (_request, response) => {
          requestArrived.resolve()
          void answered.promise.then(() => response.writeHead(200).end(rotated))
        })
        const { authentication_provider_id: id } = yield* providers.create(orgId, {
          name: "crm",
          grant_type: "refresh_token",
          token_url: `${receiver.origin}/slow`,
          client_id: "public",
          refresh_token: Redacted.make("OLD")
        })
        const asking = yield* Effect.forkChild(providers.authorizationHeader(orgId, id, "organization"))
        yield* Effect.promise(() => requestArrived.promise)
        yield* Fiber.interrupt(asking)
        const laterCallers = yield* Effect.forkChild(
          Effect.all(
            [1, 2].map(() => providers.authorizationHeader(orgId, id, "organization")),
            { concurrency: "unbounded" }
          )
        )
        answered.resolve()
        const sql = yield* SqlClient.SqlClient
        while (laterCallers.pollUnsafe() === undefined)
          yield* Effect.andThen(sql`SELECT 1`, TestClock.adjust("100 millis"))
        assert.deepStrictEqual((yield* Fiber.join(laterCallers)).map(Redacted.value), ["Bearer a", "Bearer a"])
        yield* Effect.exit(
          providers.authorizationHeader(orgId, id, "organization", { refused: Redacted.make("Bearer a") })
        )
        const sentTokens = receiver.of("/slow").map(({ body }) => new URLSearchParams(body).get("refresh_token"))
        assert.deepStrictEqual(sentTokens, ["OLD", "NEW"])
      })
    )
  )
  it.effect("while another process renews its token is waited for; one that has died is waited for a minute", () =>
    setup((receiver, orgId) =>
      Effect.gen(function* () {
        const providers = yield* AuthenticationProviders
        const sql = yield* SqlClient.SqlClient
        const { authentication_provider_id: id } = yield* providers.create(orgId, clientCredentials(receiver))
        yield* sql`UPDATE authentication_providers SET renewing_until = ${new Date(60_000)}`
        const asking = yield* Effect.forkChild(providers.authorizationHeader(orgId, id, "organization"))
        const pass = (millis: number) =>
          Effect.forEach(
            Array.from({ length: millis / 1_000 }),
            () => Effect.andThen(sql`SELECT 1`, TestClock.adjust("1 second")),
            { discard: true }
          )
        yield* pass(30_000)
        assert.strictEqual(receiver.of("/token").length, 0)
        for (let round = 0; round < 60 && asking.pollUnsafe() === undefined; round++) yield* pass(2_000)
        assert.strictEqual(Redacted.value(yield* Fiber.join(asking)), "Bearer token-1")
        const [row] = yield* sql`SELECT renewing_until FROM authentication_providers`
        assert.isNull(row!["renewing_until"])
      })
    )
  )
  it.effect("a refusal says why, without secrets; unknown and foreign providers are not found", () =>
    setup((receiver, orgId) =>
      Effect.gen(function* () {
        const providers = yield* AuthenticationProviders
        const { authentication_provider_id: id } = yield* providers.create(orgId, {
          name: "crm",
          grant_type: "refresh_token",
          token_url: `${receiver.origin}/token`,
          client_id: "public",
          refresh_token: Redacted.make("dead")
        })
        const error = yield* Effect.flip(providers.authorizationHeader(orgId, id, "organization"))
        assert.strictEqual(error.message, "The token endpoint answered invalid_grant (status 400).")
        assert.strictEqual(
          (yield* Effect.flip(providers.authorizationHeader(orgId + 1, id, "organization")))._tag,
          "NotFound"
        )
        const bad = yield* providers.create(
          orgId,
          clientCredentials(receiver, { token_url: "http://169.254.169.254/t" })
        )
        const refusal = yield* Effect.flip(
          providers.authorizationHeader(orgId, bad.authentication_provider_id, "organization")
        )
        assert.strictEqual(refusal._tag, "ProviderFailed")
        yield* providers.remove(orgId, id)
        assert.strictEqual(
          (yield* Effect.flip(providers.authorizationHeader(orgId, id, "organization")))._tag,
          "NotFound"
        )
        const invalid = yield* Effect.flip(
          providers.create(orgId, clientCredentials(receiver, { token_url: "ftp://x" }))
        )
        assert.strictEqual(invalid._tag, "ValidationError")
      })
    )
  )
})
