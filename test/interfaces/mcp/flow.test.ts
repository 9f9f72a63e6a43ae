// The whole way of an assistant that knows only the URL, with the unmodified SDK client against real processes (service.md 1,
// 2.2, 3.2, 4.1, 4.2, 7.2): 401, discovery, registration or metadata document, sign-in and consent, token, tools.

import { assert, layer } from "@effect/vitest"
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client"
import { auth, UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js"
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Effect, Schedule } from "effect"
import { randomToken } from "../../../src/platform/sealing/Secrets.ts"
import { BOUND } from "../../support/eventually.ts"
import { answers } from "../../support/receiver.ts"
import { connect, connectFromNothing, DocumentMemory, Memory, transportTo } from "./client.ts"
import { growing, Installation, InstallationLive, seedKey } from "./installation.ts"
import { approveByForms, approveInChromium } from "./person.ts"

const promise = <A>(body: () => Promise<A>) => Effect.promise(body)

const failure = async (body: Promise<unknown>): Promise<Error> =>
  body.then(
    (value) => new Error(`did not fail: ${JSON.stringify(value)}`),
    (error: Error) => error
  )

const whoAmI = async (client: Awaited<ReturnType<typeof connect>>) => {
  const result = await client.callTool({ name: "who_am_i" })
  return result.structuredContent as any
}

const revoke = (origin: string, memory: Memory, token: string) =>
  fetch(`${origin}/oauth/revoke`, {
    method: "POST",
    body: new URLSearchParams({ token, client_id: memory.client!.client_id })
  })

/** What the server says to a POST with this token. */
const challengeFor = async (mcpUrl: string, token: string) => {
  const response = await fetch(`${mcpUrl}/mcp`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })
  })
  return { status: response.status, challenge: response.headers.get("www-authenticate") ?? "" }
}

layer(InstallationLive, { excludeTestServices: true })("an assistant that knows only the URL", (it) => {
  it.effect("connects by dynamic registration and consent in Chromium, and calls tools (service.md 1, 2.2, 4.1)", () =>
    Effect.gen(function* () {
      const { local, userId, whole } = yield* Installation
      const memory = new Memory(`${local.origin}/callback`)
      const { callback, client, error } = yield* promise(() =>
        connectFromNothing(whole.origin, memory, approveInChromium)
      )
      assert.instanceOf(error, UnauthorizedError)
      assert.strictEqual(callback.searchParams.get("iss"), whole.origin)
      assert.strictEqual(memory.sent[0]!.searchParams.get("resource"), `${whole.origin}/mcp`)
      assert.match(memory.client!.client_id, /^svc_oc_/)
      assert.strictEqual(memory.held!.scope, "apps:read records:read")
      const me = yield* promise(() => whoAmI(client))
      assert.deepStrictEqual([me.user_id, me.credential.type], [userId, "oauth_access_token"])
      const { tools } = yield* promise(() => client.listTools())
      assert.isAbove(tools.length, 25)
      const { resources } = yield* promise(() => client.listResources())
      assert.strictEqual(resources[0]!.uri, "millrace://automation/schema")
      assert.strictEqual((yield* promise(() => client.listPrompts())).prompts.length, 8)
      yield* promise(() => client.close())
    })
  )

  it.effect(
    "connects with a metadata document to the MCP server in a process of its own (ROLE=mcp; service.md 2.2, 4.1)",
    () =>
      Effect.gen(function* () {
        const { api, mcp, site, userId } = yield* Installation
        const document = `${site.origin}/client.json`
        const redirect = `${site.origin}/callback`
        const body = { client_id: document, client_name: "Site assistant", redirect_uris: [redirect] }
        site.on("/client.json", answers.status(200, { "content-type": "application/json" }, JSON.stringify(body)))
        const memory = new DocumentMemory(redirect, document)
        const { client } = yield* promise(() => connectFromNothing(mcp.origin, memory, approveByForms))
        assert.strictEqual(memory.client!.client_id, document)
        assert.strictEqual(memory.sent[0]!.origin, api.origin)
        const me = yield* promise(() => whoAmI(client))
        assert.deepStrictEqual([me.user_id, me.credential.client_id], [userId, document])
        const inApi = yield* promise(() =>
          fetch(`${api.origin}/v1/user`, { headers: { authorization: `Bearer ${memory.held!.access_token}` } })
        )
        assert.strictEqual(inApi.status, 200)
        yield* promise(() => client.close())
      })
  )

  it.effect(
    "refreshes in mid-session; a revoked connection is a 401 challenge, then consent again (service.md 3.2, 7.2)",
    () =>
      Effect.gen(function* () {
        const { local, userId, whole } = yield* Installation
        const memory = new Memory(`${local.origin}/callback`)
        const { client } = yield* promise(() => connectFromNothing(whole.origin, memory, approveByForms))
        const firstTokens = memory.held!
        yield* promise(() => revoke(whole.origin, memory, firstTokens.access_token))
        const metadata = `${whole.origin}/.well-known/oauth-protected-resource/mcp`
        const expired = yield* promise(() => challengeFor(whole.origin, firstTokens.access_token))
        assert.strictEqual(expired.status, 401)
        assert.include(expired.challenge, `Bearer resource_metadata="${metadata}", error="invalid_token"`)
        assert.strictEqual((yield* promise(() => whoAmI(client))).user_id, userId)
        assert.notStrictEqual(memory.held!.access_token, firstTokens.access_token)
        assert.strictEqual(memory.sent.length, 1)
        const second = memory.held!
        yield* promise(() => revoke(whole.origin, memory, second.refresh_token!))
        assert.strictEqual((yield* promise(() => challengeFor(whole.origin, second.access_token))).status, 401)
        const error = yield* promise(() => failure(whoAmI(client)))
        assert.instanceOf(error, UnauthorizedError)
        assert.strictEqual(memory.sent.length, 2)
        yield* promise(() => client.close())
      })
  )

  it.effect(
    "steps up: the 403 names the scope, a new approval holds it, the earlier connection goes on (service.md 4.2)",
    () =>
      Effect.gen(function* () {
        const { local, userId, whole } = yield* Installation
        const memory = new Memory(`${local.origin}/callback`)
        const { client } = yield* promise(() => connectFromNothing(whole.origin, memory, approveByForms))
        const earlier = memory.held!
        // A client that holds no refresh token goes straight to the person; with one the SDK tries a refresh first.
        const { refresh_token: _, ...withoutRefresh } = earlier
        memory.saveTokens(withoutRefresh)
        const error = yield* promise(() =>
          failure(client.callTool({ name: "list_webhooks", arguments: { app_id: 1 } }))
        )
        assert.instanceOf(error, UnauthorizedError)
        assert.strictEqual(memory.sent.at(-1)!.searchParams.get("scope"), "webhooks:manage")
        const serverUrl = `${whole.origin}/mcp`
        const scope = `${earlier.scope} webhooks:manage`
        assert.strictEqual(yield* promise(() => auth(memory, { serverUrl, scope })), "REDIRECT")
        const callback = yield* promise(() => approveByForms(memory.sent.at(-1)!))
        yield* promise(() => transportTo(whole.origin, memory).finishAuth(callback.searchParams.get("code")!))
        assert.strictEqual(memory.held!.scope, scope)
        const secondClient = yield* promise(() => connect(transportTo(whole.origin, memory)))
        const hooks = yield* promise(() => secondClient.callTool({ name: "list_webhooks", arguments: { app_id: 1 } }))
        assert.match((hooks.content as any)[0].text, /^not_found: /)
        memory.saveTokens(earlier)
        assert.strictEqual((yield* promise(() => whoAmI(secondClient))).user_id, userId)
        const refusal = yield* promise(() =>
          failure(secondClient.callTool({ name: "list_webhooks", arguments: { app_id: 1 } }))
        )
        assert.instanceOf(refusal, StreamableHTTPError)
        assert.strictEqual((refusal as StreamableHTTPError).code, 403)
        yield* promise(() => Promise.all([client.close(), secondClient.close()]))
      })
  )

  it.effect("with ROLE=mcp a process serves MCP, its metadata and health, nothing else (decisions O13, P5)", () =>
    Effect.gen(function* () {
      const { api, mcp } = yield* Installation
      const get = (path: string, headers: Record<string, string> = {}) =>
        promise(async () => {
          const response = await fetch(mcp.origin + path, { headers, redirect: "manual" })
          return { status: response.status, body: await response.text() }
        })
      const metadata = yield* get("/.well-known/oauth-protected-resource/mcp", { host: "elsewhere.example" })
      assert.deepStrictEqual(JSON.parse(metadata.body), {
        resource: `${mcp.origin}/mcp`,
        authorization_servers: [api.origin],
        bearer_methods_supported: ["header"],
        scopes_supported: ["apps:read", "records:read"],
        service_documentation: `${api.origin}/docs`
      })
      assert.strictEqual((yield* get("/health/ready")).status, 200)
      for (const path of [
        "/v1/user",
        "/sign-in",
        "/oauth/authorize",
        "/docs",
        "/.well-known/oauth-authorization-server"
      ]) {
        assert.strictEqual((yield* get(path)).status, 404, path)
      }
      assert.strictEqual((yield* get("/mcp")).status, 401)
      // The API's own address is foreign to an MCP server that lives elsewhere.
      assert.strictEqual((yield* promise(() => fetch(`${api.origin}/mcp`, { method: "POST" }))).status, 403)
    })
  )

  it.effect("speaks 2026-07-28 with the official client of that revision, without a handshake", () =>
    Effect.gen(function* () {
      const { whole } = yield* Installation
      const key = yield* seedKey
      const client = new ModernClient(
        { name: "assistant", version: "1" },
        { versionNegotiation: { mode: { pin: "2026-07-28" } } }
      )
      const transport = new ModernTransport(new URL(`${whole.origin}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } }
      })
      yield* promise(() => client.connect(transport))
      const { tools } = yield* promise(() => client.listTools())
      assert.isAbove(tools.length, 25)
      const me = yield* promise(() => client.callTool({ name: "who_am_i" }))
      assert.isNumber((me.structuredContent as any).user_id)
      const { contents } = yield* promise(() => client.readResource({ uri: "millrace://automation/schema" }))
      assert.strictEqual(contents[0]!.mimeType, "application/schema+json")
      yield* promise(() => client.close())
    })
  )

  it.effect("a body that grows beyond 2 MiB without announcing it is refused, and the server goes on", () =>
    Effect.gen(function* () {
      const { whole } = yield* Installation
      const key = yield* seedKey
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
      assert.strictEqual(yield* promise(() => growing(`${whole.origin}/mcp`, headers, 8 * 1024 * 1024)), 413)
      const ping = yield* promise(() => challengeFor(whole.origin, key))
      assert.strictEqual(ping.status, 200)
    })
  )

  it.effect("no token shows up in what the processes print (house rule: tokens are never logged)", () =>
    Effect.gen(function* () {
      const { api, mcp, whole } = yield* Installation
      const token = randomToken("svc_oat_")
      for (const service of [mcp, whole]) {
        assert.strictEqual((yield* promise(() => challengeFor(service.origin, token))).status, 401)
        // Its requests are in the log, so that what is looked through is not empty.
        const logged = Effect.suspend(() =>
          service.output().includes("POST /mcp 401") ? Effect.void : Effect.fail(new Error("not logged"))
        )
        yield* Effect.retry(logged, Schedule.upTo(Schedule.spaced("100 millis"), { duration: BOUND }))
      }
      for (const service of [api, mcp, whole]) {
        assert.notInclude(service.output(), token)
        assert.notMatch(service.output(), /svc_(oat|ort|oac)_[\w-]{8}/)
      }
    })
  )
})
