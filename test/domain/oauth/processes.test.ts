// Issue "OAuth", must hold: a strict client library through the whole protocol over a real server; two processes on one database;
// a process killed between rotation and answer.
import { get } from "node:http"
import { connect } from "node:net"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as oauth from "oauth4webapi"
import { hashToken } from "../../../src/platform/sealing/Secrets.ts"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { passwordHash } from "../../support/passwordHash.ts"
import { operate, type ServiceProcess, startService } from "../../support/processes.ts"
import { type Account, approveOnly, codeFlow, discover, dynamicClient, insecure, REDIRECT } from "./strictClient.ts"

const EMAIL = "sailor@example.com"
const PASSWORD = "correct horse battery"

class Installation extends Context.Service<
  Installation,
  {
    readonly url: string
    readonly a: ServiceProcess
    readonly b: ServiceProcess
    readonly userId: number
    readonly account: Account
  }
>()("test/Installation") {}

/** One database, two processes under one issuer; a person with a password. */
const InstallationLive = Layer.unwrap(
  Effect.gen(function* () {
    const url = yield* freshDatabaseUrl
    const pool = layerOn(url, 2)
    const live = Layer.effect(
      Installation,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [org] = yield* sql<{ org_id: number }>`
          INSERT INTO organizations (name, slug, created_on) VALUES ('Harbor Works', 'harbor', now()) RETURNING org_id`
        const [person] = yield* sql<{ person_id: number }>`
          INSERT INTO people (email, name, password_hash, created_on)
          VALUES (${EMAIL}, 'Sailor', ${yield* passwordHash(PASSWORD)}, now()) RETURNING person_id`
        const [user] = yield* sql<{ user_id: number }>`
          INSERT INTO users (org_id, person_id, name, role, status, created_on)
          VALUES (${org!.org_id}, ${person!.person_id}, 'Sailor', 'member', 'active', now()) RETURNING user_id`
        const a = yield* startService(url)
        const b = yield* startService(url, { BASE_URL: a.origin })
        const account = { email: EMAIL, password: PASSWORD, userId: user!.user_id }
        return Installation.of({ url, a, b, userId: user!.user_id, account })
      })
    )
    return Layer.provideMerge(live, pool)
  })
)

const promise = <A>(body: () => Promise<A>) => Effect.promise(body)

const me = (origin: string, token: string) =>
  fetch(`${origin}/v1/user`, { headers: { authorization: `Bearer ${token}` } })

layer(InstallationLive, { excludeTestServices: true })("OAuth over real processes", (it) => {
  it.effect(
    "oauth4webapi, strict: discovery, registration, code with PKCE and iss, refresh, introspection, revocation, challenges",
    () =>
      Effect.gen(function* () {
        const { url, a, userId, account } = yield* Installation
        const gateway = yield* operate(
          url,
          a.origin,
          ...["client", "register", "confidential", "--name", "Gateway", "--redirect-uri", REDIRECT, "--own-service"]
        )
        yield* promise(async () => {
          const as = await discover(a.origin)
          const resource = new URL(`${a.origin}/v1`)
          const described = await oauth.processResourceDiscoveryResponse(
            resource,
            await oauth.resourceDiscoveryRequest(resource, insecure)
          )
          assert.deepStrictEqual(described.authorization_servers, [as.issuer])
          const client = await dynamicClient(as)
          const { tokens } = await codeFlow(as, client, oauth.None(), account)
          assert.strictEqual(tokens.token_type, "bearer")

          const call = await oauth.protectedResourceRequest(
            tokens.access_token,
            "GET",
            new URL(`${a.origin}/v1/user`),
            undefined,
            null,
            insecure
          )
          assert.strictEqual(call.status, 200)
          const scopeChallenge = await oauth
            .protectedResourceRequest(
              tokens.access_token,
              "GET",
              new URL(`${a.origin}/v1/org`),
              undefined,
              null,
              insecure
            )
            .then(
              (response) => response,
              (error) => error
            )
          assert.instanceOf(scopeChallenge, oauth.WWWAuthenticateChallengeError)
          assert.strictEqual(scopeChallenge.status, 403)
          assert.strictEqual(scopeChallenge.cause[0]!.parameters.error, "insufficient_scope")
          assert.strictEqual(scopeChallenge.cause[0]!.parameters.scope, "organization:read")

          const refreshed = await oauth.processRefreshTokenResponse(
            as,
            client,
            await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, insecure)
          )
          const service: oauth.Client = { client_id: gateway.client_id }
          for (const auth of [
            oauth.ClientSecretBasic(gateway.client_secret),
            oauth.ClientSecretPost(gateway.client_secret)
          ]) {
            const introspected = await oauth.processIntrospectionResponse(
              as,
              service,
              await oauth.introspectionRequest(as, service, auth, refreshed.access_token, insecure)
            )
            assert.isTrue(introspected.active)
            assert.strictEqual(introspected.client_id, client.client_id)
            assert.strictEqual(introspected.sub, String(userId))
          }
          await oauth.processRevocationResponse(
            await oauth.revocationRequest(as, client, oauth.None(), refreshed.refresh_token!, insecure)
          )
          const tokenChallenge = await oauth
            .protectedResourceRequest(
              refreshed.access_token,
              "GET",
              new URL(`${a.origin}/v1/user`),
              undefined,
              null,
              insecure
            )
            .then(
              (response) => response,
              (error) => error
            )
          assert.instanceOf(tokenChallenge, oauth.WWWAuthenticateChallengeError)
          assert.strictEqual(tokenChallenge.status, 401)
          assert.strictEqual(tokenChallenge.cause[0]!.parameters.error, "invalid_token")
          assert.strictEqual(
            tokenChallenge.cause[0]!.parameters.resource_metadata,
            `${a.origin}/.well-known/oauth-protected-resource/v1`
          )
          const inactive = await oauth
            .refreshTokenGrantRequest(as, client, oauth.None(), refreshed.refresh_token!, insecure)
            .then((response) => oauth.processRefreshTokenResponse(as, client, response))
            .then(
              (response) => response,
              (error) => error
            )
          assert.instanceOf(inactive, oauth.ResponseBodyError)
          assert.strictEqual(inactive.error, "invalid_grant")
          assert.match(inactive.error_description ?? "", /\[TOKEN_REFRESH_GRANT_INACTIVE\]$/)
        })
      })
  )

  it.effect("O16: the command line registers, rotates, lists, ends, disables; a secret is printed once", () =>
    Effect.gen(function* () {
      const { url, a, userId, account } = yield* Installation
      const operator = (...args: ReadonlyArray<string>) => operate(url, a.origin, ...args)
      const register = (kind: string, uri: string) =>
        operator("client", "register", kind, "--name", "Partner", "--redirect-uri", uri)
      const [made, wrong] = yield* Effect.all(
        [
          register("confidential", REDIRECT),
          Effect.catchDefect(register("public", "http://plain.example"), (error) => Effect.succeed(String(error)))
        ],
        { concurrency: 2 }
      )
      assert.match(made.client_secret, /^svc_ocs_/)
      assert.notProperty(made, "secret_hash")
      assert.include(wrong, "redirect_uris[0]: must use https")
      const { client_secret } = yield* operator("client", "rotate-secret", made.client_id)
      const tokens = yield* promise(async () => {
        const as = await discover(a.origin)
        const auth = oauth.ClientSecretBasic(client_secret)
        return (await codeFlow(as, { client_id: made.client_id }, auth, account)).tokens
      })
      const [[connection], listed] = yield* Effect.all(
        [operator("connection", "list", "--client", made.client_id), operator("client", "list")],
        { concurrency: 2 }
      )
      assert.strictEqual(connection.user_id, userId)
      assert.isTrue(listed.some((c: any) => c.client_id === made.client_id && c.kind === "confidential"))
      assert.notInclude(JSON.stringify(listed), "svc_ocs_")
      yield* operator("connection", "end", String(connection.connection_id))
      assert.strictEqual((yield* promise(() => me(a.origin, tokens.access_token))).status, 401)
      const [, link] = yield* Effect.all(
        [operator("client", "disable", made.client_id), operator("person", "link", EMAIL)],
        { concurrency: 2 }
      )
      const [ofClient, ofUser] = yield* Effect.all(
        [
          operator("audit", "read", "--limit", "20", "--client", made.client_id, "--since", "2020-01-01"),
          operator("audit", "read", "--user", String(userId), "--event", "person.password_link_made")
        ],
        { concurrency: 2 }
      )
      const events = ofClient.map((entry: any) => entry.event)
      for (const event of ["client.secret_rotated", "connection.ended", "client.disabled"])
        assert.include(events, event)
      assert.isTrue(ofClient.every((entry: any) => entry.client_id === made.client_id))
      assert.deepStrictEqual(
        ofUser.map((entry: any) => [entry.user_id, entry.details]),
        [[userId, { by: "operator" }]]
      )
      assert.notInclude(JSON.stringify(ofUser), new URL(link.url).pathname.split("/").at(-1)!)
    })
  )

  it.effect("O14: a token revoked through one process is refused by the other on its next request", () =>
    Effect.gen(function* () {
      const { a, b, account } = yield* Installation
      yield* promise(async () => {
        const as = await discover(a.origin)
        const client = await dynamicClient(as)
        const { tokens } = await codeFlow(as, client, oauth.None(), account)
        for (let i = 0; i < 3; i++) assert.strictEqual((await me(b.origin, tokens.access_token)).status, 200)
        await oauth.revocationRequest(as, client, oauth.None(), tokens.refresh_token!, insecure)
        assert.strictEqual((await me(b.origin, tokens.access_token)).status, 401)
        assert.strictEqual((await me(a.origin, tokens.access_token)).status, 401)
      })
    })
  )

  it.effect("O2: rotation stays atomic over two processes: at most four of sixteen parallel refreshes succeed", () =>
    Effect.gen(function* () {
      const { a, b, account } = yield* Installation
      yield* promise(async () => {
        const as = await discover(a.origin)
        const client = await dynamicClient(as)
        const { tokens } = await codeFlow(as, client, oauth.None(), account)
        const replies = await Promise.all(
          Array.from({ length: 16 }, (_, i) =>
            fetch(`${(i % 2 === 0 ? a : b).origin}/oauth/token`, {
              method: "POST",
              body: new URLSearchParams({
                grant_type: "refresh_token",
                client_id: client.client_id,
                refresh_token: tokens.refresh_token!
              })
            })
          )
        )
        const succeeded = replies.filter((reply) => reply.status === 200)
        assert.isAtLeast(succeeded.length, 1)
        assert.isAtMost(succeeded.length, 4)
        assert.isTrue(replies.every((reply) => reply.status === 200 || reply.status === 400))
      })
    })
  )

  it.effect(
    "O1: redemption stays atomic over two processes: of twenty exactly one succeeds, and it ends disconnected",
    () =>
      Effect.gen(function* () {
        const { a, b, account } = yield* Installation
        yield* promise(async () => {
          const as = await discover(a.origin)
          const client = await dynamicClient(as)
          const { code, verifier } = await approveOnly(as, client, account)
          const form = { grant_type: "authorization_code", client_id: client.client_id, code, code_verifier: verifier }
          const replies = await Promise.all(
            Array.from({ length: 20 }, async (_, i) => {
              const body = new URLSearchParams(form)
              const reply = await fetch(`${(i % 2 === 0 ? a : b).origin}/oauth/token`, { method: "POST", body })
              return { status: reply.status, json: (await reply.json()) as Record<string, string> }
            })
          )
          const [won, ...more] = replies.filter((reply) => reply.status === 200)
          assert.deepStrictEqual(more, [])
          const refusals = replies.filter((reply) => reply.status !== 200)
          assert.isTrue(refusals.every(({ json }) => json["error_description"]!.endsWith("[TOKEN_CODE_REPLAYED]")))
          for (const { origin } of [a, b])
            assert.strictEqual((await me(origin, won!.json["access_token"]!)).status, 401)
        })
      })
  )

  it.effect("attack: a forged Host and X-Forwarded-* are in no address, challenge, redirect, page or audit entry", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { a, account } = yield* Installation
      const forged = {
        host: "evil.example",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        "x-forwarded-port": "8443",
        "x-forwarded-for": "6.6.6.6",
        "x-real-ip": "6.6.6.6",
        forwarded: "for=6.6.6.6;host=evil.example;proto=https"
      }
      const ask = (path: string) =>
        promise(
          () =>
            new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
              get(`${a.origin}${path}`, { headers: forged }, (response) => {
                const chunks: Array<string> = [JSON.stringify(response.headers)]
                response.on("data", (chunk) => chunks.push(String(chunk)))
                response.on("end", () => resolve({ status: response.statusCode!, text: chunks.join("\n") }))
              }).on("error", reject)
            })
        )
      const client = yield* promise(async () => dynamicClient(await discover(a.origin)))
      const query = new URLSearchParams({
        response_type: "code",
        client_id: client.client_id,
        redirect_uri: REDIRECT,
        code_challenge: "a".repeat(43)
      })
      for (const [path, status] of [
        ["/", 200],
        ["/sign-in", 200],
        ["/account/connections", 303],
        [`/oauth/authorize?${query}`, 303],
        ["/oauth/authorize?client_id=svc_oc_none", 400],
        ["/.well-known/oauth-authorization-server", 200],
        ["/.well-known/oauth-protected-resource/v1", 200],
        ["/.well-known/oauth-protected-resource/mcp", 200],
        ["/v1/user", 401],
        ["/mcp", 403],
        ["/nowhere", 404]
      ] as const) {
        const reply = yield* ask(path)
        assert.strictEqual(reply.status, status, path)
        assert.notMatch(reply.text, /evil\.example|6\.6\.6\.6|:8443|https:\/\/127/, path)
      }
      const forgedRows = yield* sql`SELECT 1 FROM audit_log WHERE source_address = '6.6.6.6'`
      assert.deepStrictEqual(forgedRows, [])
      const { callback } = yield* promise(async () => approveOnly(await discover(a.origin), client, account))
      assert.strictEqual(callback.searchParams.get("iss"), a.origin)
    })
  )

  it.effect("O2: SIGKILL between rotation and answer never strands a client that sends again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { url, a, account } = yield* Installation
      const { client, tokens } = yield* promise(async () => {
        const as = await discover(a.origin)
        const client = await dynamicClient(as)
        return { client, tokens: (await codeFlow(as, client, oauth.None(), account)).tokens }
      })
      let current = tokens.refresh_token!
      const form = () =>
        new URLSearchParams({
          grant_type: "refresh_token",
          client_id: client.client_id,
          refresh_token: current
        })
      const usesOf = (token: string) =>
        Effect.map(
          sql<{ uses: number }>`SELECT uses FROM refresh_tokens WHERE token_hash = ${hashToken(token)}`,
          ([row]) => row!.uses
        )
      /** Sends a refresh and never reads what comes back. */
      const sendDeaf = (origin: string) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const body = form().toString()
            const head = `POST /oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\nContent-Type: application/x-www-form-urlencoded`
            const socket = connect(Number(new URL(origin).port), "127.0.0.1").on("error", () => {})
            socket.write(`${head}\r\n\r\n${body}`)
            return socket
          }),
          (socket) => Effect.sync(() => socket.destroy())
        )
      const retryRequest = promise(async () => {
        const reply = await fetch(`${a.origin}/oauth/token`, { method: "POST", body: form() })
        assert.strictEqual(reply.status, 200, await reply.clone().text())
        const { access_token, refresh_token } = (await reply.json()) as Record<string, string>
        assert.strictEqual((await me(a.origin, access_token!)).status, 200)
        current = refresh_token!
      })
      const doomed = yield* startService(url, { BASE_URL: a.origin })
      yield* sendDeaf(doomed.origin)
      yield* usesOf(current).pipe(
        Effect.filterOrFail((uses) => uses === 1),
        Effect.retry({ times: 10_000, schedule: Schedule.spaced("2 millis") })
      )
      // The rotation is committed, its answer lost: what is sent now is a re-send.
      doomed.child.kill("SIGKILL")
      const used = current
      yield* retryRequest
      assert.strictEqual(yield* usesOf(used), 2)
      yield* retryRequest
    }).pipe(Effect.scoped)
  )
})
