// service.md 8, decisions O1, O2, O17, O19: every clock rule on both sides of its edge, with virtual time.
import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { App, appLayer, seedOrganization } from "../support/app.ts"
import { approve, connect, reasonOf, registerClient, token } from "../support/oauth.ts"

layer(appLayer())("service.md 8: limits in time", (it) => {
  for (const [seconds, expected] of [
    [59, undefined],
    [60, undefined],
    [61, "TOKEN_CODE_UNKNOWN"]
  ] as const) {
    it.effect(`authorization code lifetime: ${seconds} seconds`, () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const { code, verifier } = yield* approve(owner, clientId)
        yield* TestClock.adjust(Duration.seconds(seconds))
        const reply = yield* token({
          grant_type: "authorization_code",
          client_id: clientId,
          code,
          code_verifier: verifier
        })
        assert.strictEqual(reasonOf(reply), expected, reply.text)
      })
    )
  }

  for (const [millis, status] of [
    [3_599_999, 200],
    [3_600_000, 401]
  ] as const) {
    it.effect(`access token lifetime: after ${millis} ms the API answers ${status}`, () =>
      Effect.gen(function* () {
        const app = yield* App
        const { owner } = yield* seedOrganization()
        const { access_token } = yield* connect(owner, yield* registerClient())
        yield* TestClock.adjust(Duration.millis(millis))
        assert.strictEqual((yield* app.call("GET", "/v1/user", { token: access_token })).status, status)
      })
    )
  }
})
