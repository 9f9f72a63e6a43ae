// service.md 1, 2.4, 4.1, 4.2: the authorization-code flow end to end, over HTTP.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import {
  approve,
  authorize,
  challengeOf,
  connect,
  decide,
  ORIGIN,
  REDIRECT,
  registerClient,
  signedIn,
  token
} from "../../support/oauth.ts"

layer(appLayer(), { excludeTestServices: true })("service.md 4.1: the code flow", (it) => {
  it.effect("2.4: a code becomes an access token that acts as the user", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner, orgId } = yield* seedOrganization()
      const clientId = yield* registerClient()
      assert.match(clientId, /^svc_oc_/)
      const { code, verifier, callback } = yield* approve(owner, clientId)
      assert.strictEqual(callback.origin + callback.pathname, REDIRECT)
      assert.strictEqual(callback.searchParams.get("iss"), ORIGIN)
      assert.strictEqual(callback.searchParams.get("state"), "xyz")
      assert.match(code, /^svc_oac_/)
      const reply = yield* token({
        grant_type: "authorization_code",
        client_id: clientId,
        code,
        code_verifier: verifier
      })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.strictEqual(reply.headers.get("cache-control"), "no-store")
      assert.match(reply.json.access_token, /^svc_oat_/)
      assert.match(reply.json.refresh_token, /^svc_ort_/)
      assert.deepStrictEqual(
        { ...reply.json, access_token: "", refresh_token: "" },
        {
          access_token: "",
          token_type: "Bearer",
          expires_in: 3600,
          refresh_token: "",
          scope: "apps:read records:read",
          svc_user_id: owner.userId,
          svc_organization_id: orgId
        }
      )
      const me = yield* app.call("GET", "/v1/user", { token: reply.json.access_token })
      assert.strictEqual(me.status, 200, me.text)
      assert.strictEqual(me.json.user_id, owner.userId)
      assert.strictEqual(me.json.credential.client_id, clientId)
      assert.deepStrictEqual(me.json.scopes, ["apps:read", "records:read"])
    })
  )

  it.effect("3.2: a public refresh returns a new pair", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const clientId = yield* registerClient()
      const firstTokens = yield* connect(owner, clientId)
      const reply = yield* token({
        grant_type: "refresh_token",
        client_id: clientId,
        refresh_token: firstTokens.refresh_token
      })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.notStrictEqual(reply.json.refresh_token, firstTokens.refresh_token)
      assert.strictEqual((yield* app.call("GET", "/v1/user", { token: reply.json.access_token })).status, 200)
    })
  )

  it.effect("3.2: a decline carries access_denied, state and iss, and no description", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const clientId = yield* registerClient()
      const cookie = yield* signedIn(owner.personId)
      const started = yield* authorize(
        {
          response_type: "code",
          client_id: clientId,
          redirect_uri: REDIRECT,
          code_challenge: challengeOf("x"),
          state: "s"
        },
        { cookie }
      )
      assert.strictEqual(started.status, 303, started.text)
      const answer = yield* decide(started.headers.get("location")!, cookie, { decision: "decline" })
      assert.strictEqual(answer.status, 303)
      assert.strictEqual(
        answer.headers.get("location"),
        `${REDIRECT}?error=access_denied&state=s&iss=${encodeURIComponent(ORIGIN)}`
      )
    })
  )
})
