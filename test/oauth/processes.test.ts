// Issue "OAuth", must hold: a strict client library through the whole protocol over a real server; two processes on one database;
// a process killed between rotation and answer; no credential in plain text in database, logs or metrics.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as oauth from "oauth4webapi"
import { hashPassword } from "../../src/accounts/passwords.ts"
import { layerPool } from "../../src/sql/Client.ts"
import { freshDatabaseUrl } from "../support/database.ts"
import { operate, type ServiceProcess, startService } from "../support/processes.ts"

const REDIRECT = "https://client.example/callback"
const EMAIL = "sailor@example.com"
const PASSWORD = "correct horse battery"
const insecure = { [oauth.allowInsecureRequests]: true } as const

class Installation extends Context.Service<
  Installation,
  { readonly url: string; readonly a: ServiceProcess; readonly b: ServiceProcess; readonly userId: number }
>()("test/Installation") {}

/** One database, two processes under one issuer; a person with a password. */
const InstallationLive = Layer.unwrap(
  Effect.gen(function* () {
    const url = yield* freshDatabaseUrl
    const pool = layerPool({ url: Redacted.make(url), maxConnections: 2, applicationName: "test" })
    const live = Layer.effect(
      Installation,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [org] = yield* sql<{ org_id: number }>`
          INSERT INTO organizations (name, slug, created_on) VALUES ('Harbor Works', 'harbor', now()) RETURNING org_id`
        const [person] = yield* sql<{ person_id: number }>`
          INSERT INTO people (email, name, password_hash, created_on)
          VALUES (${EMAIL}, 'Sailor', ${yield* hashPassword(PASSWORD)}, now()) RETURNING person_id`
        const [user] = yield* sql<{ user_id: number }>`
          INSERT INTO users (org_id, person_id, name, role, status, created_on)
          VALUES (${org!.org_id}, ${person!.person_id}, 'Sailor', 'member', 'active', now()) RETURNING user_id`
        const a = yield* startService(url)
        const b = yield* startService(url, { BASE_URL: a.origin })
        return Installation.of({ url, a, b, userId: user!.user_id })
      })
    )
    return Layer.provideMerge(live, pool)
  })
)

const promise = <A>(body: () => Promise<A>) => Effect.promise(body)

/** A browser with one cookie jar, which follows redirects of the service and stops at the app's. */
const browser = (origin: string) => {
  let cookie = ""
  const go = async (path: string, form?: Record<string, string>): Promise<{ url: string; html: string }> => {
    const init: RequestInit = { redirect: "manual", headers: { cookie } }
    if (form !== undefined) {
      init.method = "POST"
      init.body = new URLSearchParams(form)
    }
    const response = await fetch(new URL(path, origin), init)
    const set = response.headers.getSetCookie()[0]
    if (set !== undefined) cookie = set.split(";")[0]!
    const location = response.headers.get("location")
    if (location === null) return { url: path, html: await response.text() }
    if (response.status !== 303) throw new Error(`redirected with ${response.status}`)
    return location.startsWith("/") ? go(location) : { url: location, html: "" }
  }
  const hidden = (html: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""
  return {
    /** Signs in and approves; the app's callback address. */
    approve: async (url: URL, userId: number): Promise<URL> => {
      const signIn = await go(url.href)
      const form = {
        csrf: hidden(signIn.html, "csrf"),
        next: hidden(signIn.html, "next"),
        email: EMAIL,
        password: PASSWORD
      }
      const consent = await go("/sign-in", form)
      const decision = { csrf: hidden(consent.html, "csrf"), decision: "approve", user_id: String(userId) }
      return new URL((await go(consent.url, decision)).url)
    }
  }
}

const discover = async (origin: string) => {
  const issuer = new URL(origin)
  return oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure })
  )
}

const codeFlow = async (
  as: oauth.AuthorizationServer,
  client: oauth.Client,
  auth: oauth.ClientAuth,
  userId: number,
  scope?: string
) => {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(as.authorization_endpoint!)
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: REDIRECT,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    ...(scope === undefined ? {} : { scope })
  }).toString()
  const callback = await browser(as.issuer).approve(url, userId)
  const params = oauth.validateAuthResponse(as, client, callback, state)
  const response = await oauth.authorizationCodeGrantRequest(as, client, auth, params, REDIRECT, verifier, insecure)
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response)
  return { tokens, code: callback.searchParams.get("code")!, verifier }
}

const dynamicClient = async (as: oauth.AuthorizationServer) => {
  const response = await oauth.dynamicClientRegistrationRequest(
    as,
    { redirect_uris: [REDIRECT], client_name: "Strict client" },
    insecure
  )
  const client = await oauth.processDynamicClientRegistrationResponse(response)
  return { ...client, token_endpoint_auth_method: "none" } as oauth.Client
}

const me = (origin: string, token: string) =>
  fetch(`${origin}/v1/user`, { headers: { authorization: `Bearer ${token}` } })

layer(InstallationLive, { excludeTestServices: true, timeout: "60 seconds" })("OAuth over real processes", (it) => {
  it.effect(
    "oauth4webapi, strict: discovery, registration, code with PKCE and iss, refresh, introspection, revocation, challenges",
    () =>
      Effect.gen(function* () {
        const { url, a, userId } = yield* Installation
        const own = yield* operate(
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
          const { tokens } = await codeFlow(as, client, oauth.None(), userId)
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
          const refused = await oauth
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
          assert.instanceOf(refused, oauth.WWWAuthenticateChallengeError)
          assert.strictEqual(refused.status, 403)
          assert.strictEqual(refused.cause[0]!.parameters.error, "insufficient_scope")
          assert.strictEqual(refused.cause[0]!.parameters.scope, "organization:read")

          const refreshed = await oauth.processRefreshTokenResponse(
            as,
            client,
            await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, insecure)
          )
          const service: oauth.Client = { client_id: own.client_id }
          for (const auth of [oauth.ClientSecretBasic(own.client_secret), oauth.ClientSecretPost(own.client_secret)]) {
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
          const gone = await oauth
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
          assert.instanceOf(gone, oauth.WWWAuthenticateChallengeError)
          assert.strictEqual(gone.status, 401)
          assert.strictEqual(gone.cause[0]!.parameters.error, "invalid_token")
          assert.strictEqual(
            gone.cause[0]!.parameters.resource_metadata,
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

  it.effect(
    "O16: the command line registers, rotates, lists, ends, disables; a secret is printed once",
    () =>
      Effect.gen(function* () {
        const { url, a, userId } = yield* Installation
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
          return (await codeFlow(as, { client_id: made.client_id }, auth, userId)).tokens
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
        yield* operator("client", "disable", made.client_id)
        const audit = yield* operator("audit", "read", "--limit", "20")
        const events = audit.map((entry: any) => entry.event)
        for (const event of ["client.secret_rotated", "connection.ended", "client.disabled"])
          assert.include(events, event)
      }),
    120_000
  )

  it.effect("O14: a token revoked through one process is refused by the other on its next request", () =>
    Effect.gen(function* () {
      const { a, b, userId } = yield* Installation
      yield* promise(async () => {
        const as = await discover(a.origin)
        const client = await dynamicClient(as)
        const { tokens } = await codeFlow(as, client, oauth.None(), userId)
        for (let i = 0; i < 3; i++) assert.strictEqual((await me(b.origin, tokens.access_token)).status, 200)
        await oauth.revocationRequest(as, client, oauth.None(), tokens.refresh_token!, insecure)
        assert.strictEqual((await me(b.origin, tokens.access_token)).status, 401)
        assert.strictEqual((await me(a.origin, tokens.access_token)).status, 401)
      })
    })
  )

  it.effect("O2: rotation stays atomic over two processes: at most four of sixteen parallel refreshes succeed", () =>
    Effect.gen(function* () {
      const { a, b, userId } = yield* Installation
      yield* promise(async () => {
        const as = await discover(a.origin)
        const client = await dynamicClient(as)
        const { tokens } = await codeFlow(as, client, oauth.None(), userId)
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

  it.effect("O2: SIGKILL between rotation and answer never strands a client that sends again", () =>
    Effect.gen(function* () {
      const { url, a, userId } = yield* Installation
      const tokens = yield* promise(async () => {
        const as = await discover(a.origin)
        const client = await dynamicClient(as)
        return { client, ...(await codeFlow(as, client, oauth.None(), userId)).tokens }
      })
      let current = tokens.refresh_token!
      const refresh = (origin: string) =>
        fetch(`${origin}/oauth/token`, {
          method: "POST",
          body: new URLSearchParams({
            grant_type: "refresh_token",
            client_id: tokens.client.client_id,
            refresh_token: current
          })
        })
      for (const delay of [1, 4]) {
        const doomed = yield* startService(url, { BASE_URL: a.origin })
        yield* promise(async () => {
          const lost = refresh(doomed.origin).catch(() => undefined)
          await new Promise((resolve) => setTimeout(resolve, delay))
          doomed.child.kill("SIGKILL")
          await lost
          const again = await refresh(a.origin)
          assert.strictEqual(again.status, 200, await again.clone().text())
          current = ((await again.json()) as any).refresh_token
        })
      }
    }).pipe(Effect.scoped)
  )

  it.effect("O9: no credential in plain text in the database, the logs or the metrics", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { a, b, userId } = yield* Installation
      const secrets = yield* promise(async () => {
        const as = await discover(a.origin)
        const client = await dynamicClient(as)
        const { tokens, code, verifier } = await codeFlow(as, client, oauth.None(), userId)
        await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, insecure)
        await fetch(`${a.origin}/oauth/token`, {
          method: "POST",
          body: new URLSearchParams({ grant_type: "authorization_code", client_id: client.client_id, code })
        })
        await me(b.origin, tokens.access_token)
        return [tokens.access_token, tokens.refresh_token!, code, verifier, PASSWORD]
      })
      const tables = yield* sql<{ name: string }>`
        SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`
      const places = new Map<string, string>()
      for (const { name } of tables) {
        const rows = yield* sql<{ row: string }>`SELECT t::text AS row FROM ${sql(name)} t`
        places.set(`table ${name}`, rows.map(({ row }) => row).join("\n"))
      }
      for (const process of [a, b]) {
        places.set(`log of ${process.origin}`, process.output())
        places.set(
          `metrics of ${process.origin}`,
          yield* promise(async () => (await fetch(`${process.origin}/metrics`)).text())
        )
      }
      assert.include([...places.values()].join("\n"), "millrace_oauth_requests_total")
      for (const secret of secrets) {
        const hex = Buffer.from(secret).toString("hex")
        for (const [place, text] of places) {
          assert.isFalse(text.includes(secret) || text.includes(hex), `${secret.slice(0, 8)}… in ${place}`)
        }
      }
      for (const [place, text] of places) assert.notMatch(text, /svc_(oat|ort|oac|ocs)_[\w-]{40}/, place)
    })
  )
})
