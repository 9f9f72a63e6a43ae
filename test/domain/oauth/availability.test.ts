// decisions O10: a storage failure is a 5xx, never invalid_client or invalid_grant: clients drop their registration on those.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import { ddl } from "../../support/database.ts"
import { authorize, connect, post, REDIRECT, reasonOf, registerClient, token } from "../../support/oauth.ts"

layer(appLayer(), { excludeTestServices: true })("decisions O10: availability", (it) => {
  it.effect("SERVER_FAULT: every endpoint answers 503 server_error while its storage fails", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner } = yield* seedOrganization()
      const client_id = yield* registerClient()
      const { access_token, refresh_token } = yield* connect(owner, client_id)
      yield* ddl(
        "ALTER TABLE oauth_clients RENAME TO oauth_clients_away",
        "ALTER TABLE access_tokens RENAME TO access_tokens_away"
      )
      for (const reply of [
        yield* token({ grant_type: "refresh_token", client_id, refresh_token }),
        yield* token({ grant_type: "authorization_code", client_id, code: "svc_oac_x", code_verifier: "x" }),
        yield* post("/oauth/revoke", { client_id, token: refresh_token }),
        yield* post("/oauth/introspect", { client_id, token: refresh_token }),
        yield* app.call("POST", "/oauth/register", { body: { redirect_uris: [REDIRECT] } }),
        yield* authorize({ client_id, redirect_uri: REDIRECT }, { accept: "application/json" })
      ]) {
        assert.strictEqual(reply.status, 503, reply.text)
        assert.strictEqual(reply.json.error, "server_error")
        assert.strictEqual(reasonOf(reply), "SERVER_FAULT")
        assert.strictEqual(reply.headers.get("cache-control"), "no-store")
      }
      const errorPage = yield* authorize({ client_id, redirect_uri: REDIRECT }, { accept: "text/html" })
      assert.strictEqual(errorPage.status, 503)
      assert.match(errorPage.headers.get("content-type") ?? "", /^text\/html/)
      assert.include(errorPage.text, "[SERVER_FAULT]")
      assert.strictEqual(errorPage.headers.get("retry-after"), "1")
      assert.isAtLeast((yield* app.call("GET", "/v1/user", { token: access_token })).status, 500)
      yield* ddl(
        "ALTER TABLE oauth_clients_away RENAME TO oauth_clients",
        "ALTER TABLE access_tokens_away RENAME TO access_tokens"
      )
      const retriedReply = yield* token({ grant_type: "refresh_token", client_id, refresh_token })
      assert.strictEqual(retriedReply.status, 200, retriedReply.text)
    })
  )
})
