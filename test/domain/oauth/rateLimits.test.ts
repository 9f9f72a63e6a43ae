// decisions O21; service.md 7.1: rate limits of the OAuth endpoints, shared by processes; 429 temporarily_unavailable, Retry-After.
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { RateLimits } from "../../../src/domain/oauth/RateLimits.ts"
import { App, appLayer } from "../../support/app.ts"
import { authorize, REDIRECT, reasonOf, registerClient, token } from "../../support/oauth.ts"

const strict = { OAUTH_AUTHORIZE_PER_MINUTE: "5", OAUTH_TOKEN_PER_MINUTE: "7", OAUTH_REGISTER_PER_HOUR: "3" }
const virtual = Effect.provide(TestClock.layer())

layer(appLayer(strict), { excludeTestServices: true })("decisions O21: OAuth rate limits", (it) => {
  it.effect(
    "RATE_LIMITED: registration, authorization and token requests over the limit; fine again in the next window",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const clientId = yield* registerClient()
        const grant = { grant_type: "refresh_token", client_id: clientId, refresh_token: "svc_ort_x" }
        const register = app.call("POST", "/oauth/register", { body: { redirect_uris: [REDIRECT] } })
        const ask = authorize({ client_id: clientId }, { accept: "application/json" })
        for (const [what, request, allowed, windowSeconds] of [
          ["register", register, 2, 3600],
          ["authorize", ask, 5, 60],
          ["token", token(grant), 7, 60]
        ] as const) {
          const replies = yield* Effect.all(
            Array.from({ length: allowed + 2 }, () => request),
            { concurrency: 8 }
          )
          const limited = replies.filter((reply) => reply.status === 429)
          assert.strictEqual(limited.length, 2, what)
          for (const reply of limited) {
            assert.strictEqual(reply.json.error, "temporarily_unavailable")
            assert.strictEqual(reasonOf(reply), "RATE_LIMITED")
            assert.strictEqual(Number(reply.headers.get("retry-after")), windowSeconds)
          }
          if (what === "authorize") {
            const page = yield* authorize({ client_id: clientId }, { accept: "text/html" })
            assert.strictEqual(page.status, 429)
            assert.include(page.text, "[RATE_LIMITED]")
            assert.strictEqual(Number(page.headers.get("retry-after")), windowSeconds)
          }
          yield* TestClock.adjust(Duration.seconds(windowSeconds))
          assert.notStrictEqual((yield* request).status, 429, what)
        }
      }).pipe(virtual)
  )

  it.effect("two processes share a window", () =>
    Effect.gen(function* () {
      const other = yield* Effect.service(RateLimits).pipe(Effect.provide(Layer.fresh(RateLimits.layer)))
      const thisProcess = yield* RateLimits
      const limit = { name: "client", max: 40, windowMillis: 60_000 } as const
      const takeToken = (limits: RateLimits["Service"]) => Effect.isSuccess(limits.take(limit, "shared"))
      const results = yield* Effect.all(
        Array.from({ length: 60 }, (_, i) => takeToken(i % 2 === 0 ? thisProcess : other)),
        { concurrency: 10 }
      )
      assert.strictEqual(results.filter(Boolean).length, 40)
    }).pipe(virtual)
  )
})
