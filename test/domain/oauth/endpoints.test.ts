// service.md 2.5, 4.1, 7.2; decisions O4, O8, O13, O20: revocation, registration, introspection, metadata.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import {
  approve,
  basic,
  confidentialClient,
  connect,
  ORIGIN,
  post,
  REDIRECT,
  reasonOf,
  registerClient,
  token
} from "../../support/oauth.ts"

const generous = { OAUTH_REGISTER_PER_HOUR: "1000", OAUTH_AUTHORIZE_PER_MINUTE: "10000" }

layer(appLayer(generous), { excludeTestServices: true })("service.md 4.1: the other endpoints", (it) => {
  it.effect("revocation: a refresh token ends its connection, an access token only itself; 200 and empty", () =>
    Effect.gen(function* () {
      const app = yield* App
      const status = (access: string) => Effect.map(app.call("GET", "/v1/user", { token: access }), (r) => r.status)
      const { owner } = yield* seedOrganization()
      const clientId = yield* registerClient()
      const firstTokens = yield* connect(owner, clientId)
      const refresh = (sent: string) => token({ grant_type: "refresh_token", client_id: clientId, refresh_token: sent })
      const second = (yield* refresh(firstTokens.refresh_token)).json
      const revocation = yield* post("/oauth/revoke", { client_id: clientId, token: firstTokens.access_token })
      assert.strictEqual(revocation.status, 200)
      assert.strictEqual(revocation.text, "")
      assert.strictEqual(revocation.headers.get("cache-control"), "no-store")
      assert.strictEqual(yield* status(firstTokens.access_token), 401)
      assert.strictEqual(yield* status(second.access_token), 200)
      // O17: a used refresh token ends the connection as well.
      const two = yield* post("/oauth/revoke", {
        client_id: clientId,
        token: firstTokens.refresh_token,
        token_type_hint: "access_token"
      })
      assert.strictEqual(two.status, 200)
      assert.strictEqual(yield* status(second.access_token), 401)
      assert.strictEqual(reasonOf(yield* refresh(second.refresh_token)), "TOKEN_REFRESH_GRANT_INACTIVE")
    })
  )

  it.effect(
    "revocation: 200 for an unknown, revoked or other client's token, which is not revoked; 400 without a token",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const other = yield* registerClient()
        const { access_token, refresh_token } = yield* connect(owner, clientId)
        for (const sentToken of [access_token, refresh_token, "svc_ort_never", "x"]) {
          const reply = yield* post("/oauth/revoke", { client_id: other, token: sentToken })
          assert.strictEqual(reply.status, 200)
          assert.strictEqual(reply.text, "")
        }
        assert.strictEqual((yield* app.call("GET", "/v1/user", { token: access_token })).status, 200)
        assert.strictEqual(reasonOf(yield* post("/oauth/revoke", { client_id: clientId })), "REQUEST_INVALID")
        assert.strictEqual((yield* post("/oauth/revoke", { token: access_token })).status, 401)
      })
  )

  it.effect("introspection: own services get RFC 7662 answers; every other client 401 CLIENT_AUTH_FAILED", () =>
    Effect.gen(function* () {
      const { owner, orgId } = yield* seedOrganization()
      const clientId = yield* registerClient()
      const serviceClient = yield* confidentialClient({ ownService: true })
      const plainClient = yield* confidentialClient()
      const { access_token, refresh_token } = yield* connect(owner, clientId)
      const ask = (sent: string | undefined) =>
        post(
          "/oauth/introspect",
          { token: sent },
          { authorization: basic(serviceClient.clientId, serviceClient.secret) }
        )
      const access = (yield* ask(access_token)).json
      assert.deepStrictEqual(
        { ...access, exp: 0, iat: 0 },
        {
          active: true,
          scope: "apps:read records:read",
          client_id: clientId,
          token_type: "Bearer",
          exp: 0,
          iat: 0,
          sub: String(owner.userId),
          svc_user_id: owner.userId,
          svc_organization_id: orgId
        }
      )
      assert.strictEqual(access.exp - access.iat, 3600)
      assert.isTrue((yield* ask(refresh_token)).json.active)
      for (const sentToken of ["svc_oat_x", "svc_ort_x", "user_key_x", owner.key]) {
        assert.deepStrictEqual((yield* ask(sentToken)).json, { active: false })
      }
      yield* post("/oauth/revoke", { client_id: clientId, token: refresh_token })
      assert.deepStrictEqual((yield* ask(access_token)).json, { active: false })
      assert.deepStrictEqual((yield* ask(refresh_token)).json, { active: false })
      assert.strictEqual(reasonOf(yield* ask(undefined)), "REQUEST_INVALID")
      for (const reply of [
        yield* post(
          "/oauth/introspect",
          { token: access_token },
          { authorization: basic(plainClient.clientId, plainClient.secret) }
        ),
        yield* post("/oauth/introspect", { token: access_token, client_id: clientId }),
        yield* post("/oauth/introspect", { token: access_token })
      ]) {
        assert.strictEqual(reply.status, 401)
        assert.strictEqual(reply.json.error, "invalid_client")
        assert.strictEqual(reasonOf(reply), "CLIENT_AUTH_FAILED")
      }
    })
  )

  it.effect("registration: 201 with id, time and the metadata as stored; always public", () =>
    Effect.gen(function* () {
      const app = yield* App
      const askedAt = Date.now() / 1_000
      const reply = yield* app.call("POST", "/oauth/register", {
        body: {
          redirect_uris: [REDIRECT, "http://localhost/cb", "com.example.app:/cb", "cursor://anysphere/cb"],
          client_name: "An app",
          client_uri: "https://client.example",
          token_endpoint_auth_method: "client_secret_basic",
          grant_types: ["authorization_code", "refresh_token", "client_credentials"],
          scope: "records:read openid",
          jwks_uri: null,
          something_else: { a: 1 }
        }
      })
      assert.strictEqual(reply.status, 201)
      assert.strictEqual(reply.headers.get("cache-control"), "no-store")
      const { client_id, client_id_issued_at, ...rest } = reply.json
      assert.match(client_id, /^svc_oc_/)
      assert.isAtLeast(client_id_issued_at, askedAt - 1)
      // biome-ignore lint/plugin: it holds the longer, the later it is asked.
      assert.isAtMost(client_id_issued_at, Date.now() / 1_000 + 1)
      assert.deepStrictEqual(rest, {
        client_name: "An app",
        redirect_uris: [REDIRECT, "http://localhost/cb", "com.example.app:/cb", "cursor://anysphere/cb"],
        token_endpoint_auth_method: "none",
        client_uri: "https://client.example",
        scope: "records:read",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"]
      })
    })
  )

  for (const uri of [
    "http://client.example/cb",
    "http://127.0.0.2/cb",
    "http://localhost.evil.example/cb",
    "https://client.example/cb#x",
    "https://client.example/*",
    "https://*.example/cb",
    "https://user@client.example/cb",
    "https://",
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "blob:https://x",
    "vbscript:x",
    "about:blank",
    "app:",
    "/relative",
    "https://client.example/ space",
    "https://client.example/é",
    "https://client.example/\n",
    ""
  ]) {
    it.effect(`O5: registration refuses the redirect URI ${JSON.stringify(uri)}`, () =>
      Effect.gen(function* () {
        const app = yield* App
        const reply = yield* app.call("POST", "/oauth/register", { body: { redirect_uris: [REDIRECT, uri] } })
        assert.strictEqual(reply.status, 400)
        assert.strictEqual(reply.json.error, "invalid_redirect_uri")
        assert.strictEqual(reasonOf(reply), "REGISTRATION_REDIRECT_URI_INVALID")
        assert.include(reply.json.error_description, "redirect_uris[1]")
      })
    )
  }

  it.effect("REGISTRATION_METADATA_INVALID, REGISTRATION_REDIRECT_URI_INVALID, REQUEST_INVALID: never a 500", () =>
    Effect.gen(function* () {
      const app = yield* App
      const register = (body: unknown, headers = {}) => app.call("POST", "/oauth/register", { body, headers })
      const uris = { redirect_uris: [REDIRECT] }
      for (const [reply, reason] of [
        [yield* register("{"), "REGISTRATION_METADATA_INVALID"],
        [yield* register("[]"), "REGISTRATION_METADATA_INVALID"],
        [yield* register("null"), "REGISTRATION_METADATA_INVALID"],
        [yield* register({ ...uris, client_name: 7 }), "REGISTRATION_METADATA_INVALID"],
        [yield* register({ ...uris, client_name: "\u200b\u3164 \u2800" }), "REGISTRATION_METADATA_INVALID"],
        [yield* register({ ...uris, logo_uri: "javascript:x" }), "REGISTRATION_METADATA_INVALID"],
        [yield* register({ ...uris, logo_uri: " " }), "REGISTRATION_METADATA_INVALID"],
        [yield* register({ ...uris, grant_types: ["implicit"] }), "REGISTRATION_METADATA_INVALID"],
        [yield* register({ ...uris, response_types: ["token"] }), "REGISTRATION_METADATA_INVALID"],
        [yield* register({ ...uris, contacts: [1] }), "REGISTRATION_METADATA_INVALID"],
        [yield* register({}), "REGISTRATION_REDIRECT_URI_INVALID"],
        [yield* register({ redirect_uris: [] }), "REGISTRATION_REDIRECT_URI_INVALID"],
        [yield* register({ redirect_uris: REDIRECT }), "REGISTRATION_REDIRECT_URI_INVALID"],
        [yield* register(uris, { "content-type": "text/plain" }), "REQUEST_INVALID"],
        [yield* register({ ...uris, x: "y".repeat(17_000) }), "REQUEST_INVALID"]
      ] as const) {
        assert.strictEqual(reply.status, 400, reply.text)
        assert.strictEqual(reasonOf(reply), reason)
      }
      // An empty value counts as not sent (O6), as clients mean it.
      for (const name of [
        "client_uri",
        "logo_uri",
        "tos_uri",
        "policy_uri",
        "software_id",
        "contacts",
        "client_name"
      ]) {
        const bare = yield* register({ ...uris, [name]: "" })
        assert.strictEqual(bare.status, 201, `${name}: ${bare.text}`)
        assert.notProperty(bare.json, name)
      }
      const odd = yield* register(
        `{"redirect_uris":["${REDIRECT}"],"client_name":"a\\u0000b\\ud800","contacts":["\\u0000"]}`
      )
      assert.strictEqual(odd.status, 201, odd.text)
    })
  )

  it.effect("2.5: authorization server metadata, member by member; forged Host and X-Forwarded-* change nothing", () =>
    Effect.gen(function* () {
      const app = yield* App
      const reply = yield* app.call("GET", "/.well-known/oauth-authorization-server", {
        headers: { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", forwarded: "host=evil.example" }
      })
      assert.strictEqual(reply.status, 200)
      assert.deepStrictEqual(reply.json, {
        issuer: ORIGIN,
        authorization_endpoint: `${ORIGIN}/oauth/authorize`,
        token_endpoint: `${ORIGIN}/oauth/token`,
        revocation_endpoint: `${ORIGIN}/oauth/revoke`,
        introspection_endpoint: `${ORIGIN}/oauth/introspect`,
        registration_endpoint: `${ORIGIN}/oauth/register`,
        scopes_supported: ["apps:read", "records:read"],
        response_types_supported: ["code"],
        response_modes_supported: ["query"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
        revocation_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post", "none"],
        introspection_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
        code_challenge_methods_supported: ["S256"],
        client_id_metadata_document_supported: true,
        authorization_response_iss_parameter_supported: true,
        service_documentation: `${ORIGIN}/docs`
      })
    })
  )

  it.effect("O13: protected resource metadata of both resources", () =>
    Effect.gen(function* () {
      const app = yield* App
      for (const resource of ["v1", "mcp"]) {
        const reply = yield* app.call("GET", `/.well-known/oauth-protected-resource/${resource}`)
        assert.deepStrictEqual(reply.json, {
          resource: `${ORIGIN}/${resource}`,
          authorization_servers: [ORIGIN],
          bearer_methods_supported: ["header"],
          scopes_supported: ["apps:read", "records:read"],
          service_documentation: `${ORIGIN}/docs`
        })
      }
    })
  )

  it.effect(
    "4.1, O11: CORS on the open endpoints for any origin without cookies, preflight included; none on the pages",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const origin = "https://browser.example"
        for (const path of [
          "/oauth/token",
          "/oauth/revoke",
          "/oauth/register",
          "/.well-known/oauth-authorization-server",
          "/.well-known/oauth-protected-resource/v1",
          "/.well-known/oauth-protected-resource/mcp"
        ]) {
          const preflight = yield* app.call("OPTIONS", path, {
            headers: {
              origin,
              "access-control-request-method": path.startsWith("/oauth") ? "POST" : "GET",
              "access-control-request-headers": "authorization,content-type,mcp-protocol-version"
            }
          })
          assert.strictEqual(preflight.status, 204, path)
          assert.isNotNull(preflight.headers.get("access-control-allow-origin"))
          assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /MCP-Protocol-Version/i)
          assert.isNull(preflight.headers.get("access-control-allow-credentials"))
          const reply = yield* app.call(path.startsWith("/oauth") ? "POST" : "GET", path, { headers: { origin } })
          assert.isNotNull(reply.headers.get("access-control-allow-origin"), path)
          assert.match(reply.headers.get("access-control-expose-headers") ?? "", /WWW-Authenticate/i)
        }
        for (const path of ["/oauth/authorize", "/sign-in"]) {
          const reply = yield* app.call("GET", path, { headers: { origin } })
          assert.isNull(reply.headers.get("access-control-allow-origin"), path)
        }
      })
  )

  it.effect(
    "7.2, 4.2: a missing scope is 403 insufficient_scope; the step-up is a new connection beside the earlier one",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const tokens = yield* connect(owner, clientId, { scope: "apps:read" })
        const refusal = yield* app.call("GET", "/v1/org", { token: tokens.access_token })
        assert.strictEqual(refusal.status, 403)
        assert.match(
          refusal.headers.get("www-authenticate") ?? "",
          /^Bearer error="insufficient_scope", error_description="[^"]*organization:read[^"]*", scope="organization:read"/
        )
        const wider = yield* connect(owner, clientId, { scope: "apps:read organization:read" })
        assert.strictEqual(wider.scope, "apps:read organization:read")
        assert.strictEqual((yield* app.call("GET", "/v1/org", { token: wider.access_token })).status, 200)
        assert.strictEqual((yield* app.call("GET", "/v1/user", { token: tokens.access_token })).status, 200)
      })
  )

  it.effect("O16: rotation voids the old secret at once", () =>
    Effect.gen(function* () {
      const { Clients } = yield* Effect.promise(() => import("../../../src/domain/oauth/clients/Clients.ts"))
      const { owner } = yield* seedOrganization()
      const { clientId, secret } = yield* confidentialClient()
      const { code, verifier } = yield* approve(owner, clientId)
      const newSecret = yield* Clients.use((c) => c.rotateSecret(clientId))
      const members = { grant_type: "authorization_code", code, code_verifier: verifier }
      assert.strictEqual((yield* token(members, { authorization: basic(clientId, secret) })).status, 401)
      assert.strictEqual((yield* token(members, { authorization: basic(clientId, newSecret) })).status, 200)
    })
  )
})
