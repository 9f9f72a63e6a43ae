// service.md 8, decisions O1, O2, O17, O19: every clock rule on both sides of its edge, with virtual time.
import { assert, layer } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { removeUnconnectedClients } from "../../../src/domain/connections/pruneConnections.ts"
import { App, appLayer, seedOrganization } from "../../support/app.ts"
import {
  approve,
  authorize,
  basic,
  challengeOf,
  confidentialClient,
  connect,
  decide,
  ORIGIN,
  REDIRECT,
  reasonOf,
  registerClient,
  signedIn,
  token
} from "../../support/oauth.ts"

// Only the test and its requests live in virtual time: the service's own timers would tick through months.
const virtual = Effect.provide(TestClock.layer())

layer(appLayer(), { excludeTestServices: true })("service.md 8: limits in time", (it) => {
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
      }).pipe(virtual)
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
      }).pipe(virtual)
    )
  }

  const day = 86_400_000
  const refresh = (clientId: string, refresh_token: string) =>
    token({ grant_type: "refresh_token", client_id: clientId, refresh_token })

  for (const [millis, expected] of [
    [29_900, undefined],
    [30_000, undefined],
    [30_100, "TOKEN_REFRESH_REPLAYED"]
  ] as const) {
    it.effect(`public refresh token re-send grace: ${millis} ms after the first use`, () =>
      Effect.gen(function* () {
        const app = yield* App
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const { refresh_token } = yield* connect(owner, clientId)
        const firstReply = yield* refresh(clientId, refresh_token)
        yield* TestClock.adjust(Duration.millis(millis))
        const secondReply = yield* refresh(clientId, refresh_token)
        assert.strictEqual(reasonOf(secondReply), expected, secondReply.text)
        // A fresh pair leaves the connection alone; a replay disconnects it for every device.
        const me = yield* app.call("GET", "/v1/user", { token: firstReply.json.access_token })
        assert.strictEqual(me.status, expected === undefined ? 200 : 401)
      }).pipe(virtual)
    )
  }

  for (const [millis, expected] of [
    [10 * 60_000 - 1, "code"],
    [10 * 60_000, "AUTHORIZE_REQUEST_EXPIRED"]
  ] as const) {
    it.effect(`authorization request decision window: ${millis} ms after its arrival`, () =>
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
        yield* TestClock.adjust(Duration.millis(millis))
        const answer = yield* decide(started.headers.get("location")!, cookie, {
          decision: expected === "code" ? "approve" : "return",
          user_id: String(owner.userId)
        })
        const { searchParams } = new URL(answer.headers.get("location")!)
        assert.strictEqual(searchParams.get("iss"), ORIGIN)
        if (expected === "code") return assert.match(searchParams.get("code") ?? "", /^svc_oac_/)
        assert.strictEqual(searchParams.get("error"), "access_denied")
        assert.match(searchParams.get("error_description") ?? "", /\[AUTHORIZE_REQUEST_EXPIRED\]$/)
      }).pipe(virtual)
    )
  }

  for (const [millis, expected] of [
    [90 * day - 1, undefined],
    [90 * day, "TOKEN_REFRESH_GRANT_INACTIVE"]
  ] as const) {
    it.effect(`refresh inactivity expiry: ${millis} ms without a new token`, () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const { refresh_token } = yield* connect(owner, clientId)
        yield* TestClock.adjust(Duration.days(10))
        const renewed = yield* refresh(clientId, refresh_token)
        yield* TestClock.adjust(Duration.millis(millis))
        assert.strictEqual(reasonOf(yield* refresh(clientId, renewed.json.refresh_token)), expected)
      }).pipe(virtual)
    )
  }

  it.effect("connection maximum age: 365 days after approval, and expires_in shrinks towards it", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const clientId = yield* registerClient()
      let { refresh_token } = yield* connect(owner, clientId)
      for (let i = 0; i < 5; i++) {
        yield* TestClock.adjust(i < 4 ? Duration.days(73) : Duration.seconds(73 * 86_400 - 600))
        const reply = yield* refresh(clientId, refresh_token)
        assert.strictEqual(reply.status, 200, reply.text)
        assert.strictEqual(reply.json.expires_in, i === 4 ? 600 : 3600)
        refresh_token = reply.json.refresh_token
      }
      yield* TestClock.adjust(Duration.millis(599_999))
      const lastReply = yield* refresh(clientId, refresh_token)
      assert.strictEqual(lastReply.status, 200)
      assert.strictEqual(lastReply.json.expires_in, 0)
      yield* TestClock.adjust(Duration.millis(1))
      assert.strictEqual(
        reasonOf(yield* refresh(clientId, lastReply.json.refresh_token)),
        "TOKEN_REFRESH_GRANT_INACTIVE"
      )
    }).pipe(virtual)
  )

  it.effect("connection maximum age: a client that the operator registered as confidential has none", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const { clientId, secret } = yield* confidentialClient()
      const { code, verifier } = yield* approve(owner, clientId)
      const auth = { authorization: basic(clientId, secret) }
      const firstReply = yield* token({ grant_type: "authorization_code", code, code_verifier: verifier }, auth)
      for (let i = 0; i < 10; i++) {
        yield* TestClock.adjust(Duration.days(89))
        const reply = yield* token({ grant_type: "refresh_token", refresh_token: firstReply.json.refresh_token }, auth)
        assert.strictEqual(reply.status, 200, reply.text)
        assert.strictEqual(reply.json.expires_in, 3600)
        assert.isUndefined(reply.json.refresh_token)
      }
    }).pipe(virtual)
  )

  for (const [millis, status] of [
    [25 * 3_600_000 - 1, 303],
    [25 * 3_600_000, 400]
  ] as const) {
    it.effect(`dynamically registered client without any connection: ${millis} ms after its registration`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { owner } = yield* seedOrganization()
        const idle = yield* registerClient()
        const used = yield* registerClient()
        yield* approve(owner, used)
        yield* TestClock.adjust(Duration.millis(millis))
        const members = { response_type: "code", redirect_uri: REDIRECT, code_challenge: challengeOf("x") }
        const json = { accept: "application/json" }
        const reply = yield* authorize({ ...members, client_id: idle }, json)
        assert.strictEqual(reply.status, status)
        if (status === 400) assert.strictEqual(reasonOf(reply), "AUTHORIZE_CLIENT_INVALID")
        assert.strictEqual((yield* authorize({ ...members, client_id: used }, json)).status, 303)
        yield* removeUnconnectedClients
        const rows = yield* sql`SELECT client_id FROM oauth_clients WHERE client_id IN (${idle}, ${used})`
        assert.strictEqual(rows.length, status === 400 ? 1 : 2)
      }).pipe(virtual)
    )
  }
})
