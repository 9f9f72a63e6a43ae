// service.md 3.2, 4.1, 5.4, 7.1; decisions O1, O2, O3, O6, O18: the token endpoint, row by row.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Connections } from "../../../src/domain/connections/Connections.ts"
import { App, appLayer, type Person, seedOrganization } from "../../support/app.ts"
import {
  approve,
  basic,
  confidentialClient,
  connect,
  ORIGIN,
  post,
  REDIRECT,
  verifier as randomVerifier,
  reasonOf,
  registerClient,
  token
} from "../../support/oauth.ts"

const generous = { OAUTH_REGISTER_PER_HOUR: "1000", OAUTH_AUTHORIZE_PER_MINUTE: "10000" }

const codeOf = Effect.gen(function* () {
  const { owner } = yield* seedOrganization()
  const clientId = yield* registerClient()
  const approved = yield* approve(owner, clientId)
  return {
    owner,
    clientId,
    redeem: (more: Record<string, string | ReadonlyArray<string> | undefined> = {}, headers = {}) =>
      token(
        {
          grant_type: "authorization_code",
          client_id: clientId,
          code: approved.code,
          code_verifier: approved.verifier,
          ...more
        },
        headers
      )
  }
})

const works = Effect.fnUntraced(function* (accessToken: string) {
  const app = yield* App
  return (yield* app.call("GET", "/v1/user", { token: accessToken })).status === 200
})

layer(appLayer(generous), { excludeTestServices: true })("service.md 7.1: token errors", (it) => {
  it.effect("TOKEN_CODE_UNKNOWN: a code that was never issued", () =>
    Effect.gen(function* () {
      const { redeem } = yield* codeOf
      const reply = yield* redeem({ code: "svc_oac_never" })
      assert.strictEqual(reply.status, 400)
      assert.strictEqual(reply.json.error, "invalid_grant")
      assert.strictEqual(reasonOf(reply), "TOKEN_CODE_UNKNOWN")
    })
  )

  it.effect("TOKEN_CODE_REPLAYED: the code's connection is disconnected", () =>
    Effect.gen(function* () {
      const { redeem } = yield* codeOf
      const firstReply = yield* redeem()
      assert.isTrue(yield* works(firstReply.json.access_token))
      const secondReply = yield* redeem()
      assert.strictEqual(secondReply.json.error, "invalid_grant")
      assert.strictEqual(reasonOf(secondReply), "TOKEN_CODE_REPLAYED")
      assert.isFalse(yield* works(firstReply.json.access_token))
      assert.strictEqual(reasonOf(yield* redeem()), "TOKEN_CODE_REPLAYED")
    })
  )

  it.effect("TOKEN_CODE_REPLAYED comes before redirect_uri and verifier (O1)", () =>
    Effect.gen(function* () {
      const { redeem } = yield* codeOf
      yield* redeem()
      const secondReply = yield* redeem({ redirect_uri: "https://other.example", code_verifier: randomVerifier() })
      assert.strictEqual(reasonOf(secondReply), "TOKEN_CODE_REPLAYED")
    })
  )

  it.effect("TOKEN_CODE_BINDING_MISMATCH: another client; nothing is consumed, also when the code was used", () =>
    Effect.gen(function* () {
      const { redeem } = yield* codeOf
      const other = yield* registerClient()
      assert.strictEqual(reasonOf(yield* redeem({ client_id: other })), "TOKEN_CODE_BINDING_MISMATCH")
      const reply = yield* redeem()
      assert.strictEqual(reply.status, 200)
      assert.strictEqual(reasonOf(yield* redeem({ client_id: other })), "TOKEN_CODE_BINDING_MISMATCH")
      assert.isTrue(yield* works(reply.json.access_token))
    })
  )

  it.effect("TOKEN_CODE_BINDING_MISMATCH: redirect_uri differs; equal or absent is fine", () =>
    Effect.gen(function* () {
      const { redeem } = yield* codeOf
      for (const redirect_uri of [`${REDIRECT}/`, "https://CLIENT.example/callback"]) {
        assert.strictEqual(reasonOf(yield* redeem({ redirect_uri })), "TOKEN_CODE_BINDING_MISMATCH")
      }
      assert.strictEqual((yield* redeem({ redirect_uri: REDIRECT })).status, 200)
    })
  )

  it.effect("TOKEN_CODE_BINDING_MISMATCH: a code without PKCE needs redirect_uri", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const { clientId, secret } = yield* confidentialClient({ pkceWaived: true })
      const { code } = yield* approve(owner, clientId, { code_challenge: undefined, code_challenge_method: undefined })
      const auth = { authorization: basic(clientId, secret) }
      const members = { grant_type: "authorization_code", code }
      assert.strictEqual(reasonOf(yield* token(members, auth)), "TOKEN_CODE_BINDING_MISMATCH")
      const withVerifier = { ...members, redirect_uri: REDIRECT, code_verifier: randomVerifier() }
      assert.strictEqual(reasonOf(yield* token(withVerifier, auth)), "TOKEN_PKCE_VERIFIER_PRESENCE")
      assert.strictEqual((yield* token({ ...members, redirect_uri: REDIRECT }, auth)).status, 200)
    })
  )

  it.effect(
    "TOKEN_PKCE_VERIFIER_PRESENCE, TOKEN_PKCE_VERIFIER_MISMATCH: missing, empty, other, too short, too long",
    () =>
      Effect.gen(function* () {
        const { redeem } = yield* codeOf
        for (const [code_verifier, reason] of [
          [undefined, "TOKEN_PKCE_VERIFIER_PRESENCE"],
          ["", "TOKEN_PKCE_VERIFIER_PRESENCE"],
          [randomVerifier(), "TOKEN_PKCE_VERIFIER_MISMATCH"],
          ["a".repeat(42), "TOKEN_PKCE_VERIFIER_MISMATCH"],
          ["a".repeat(129), "TOKEN_PKCE_VERIFIER_MISMATCH"],
          ["a b".padEnd(50, "c"), "TOKEN_PKCE_VERIFIER_MISMATCH"]
        ] as const) {
          const reply = yield* redeem({ code_verifier })
          assert.strictEqual(reasonOf(reply), reason)
          assert.strictEqual(reply.json.error, "invalid_grant")
        }
        // A failed redemption leaves the code until it expires.
        assert.strictEqual((yield* redeem()).status, 200)
      })
  )

  for (const [what, change] of [
    ["deactivated", (p: Person) => ({ set: "status = 'deactivated'", where: p.userId })],
    ["made a guest", (p: Person) => ({ set: "role = 'guest'", where: p.userId })]
  ] as const) {
    it.effect(`TOKEN_CODE_REDEMPTION_REFUSED: the user was ${what} after the approval`, () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { redeem, owner } = yield* codeOf
        const { set, where } = change(owner)
        yield* sql`UPDATE users SET ${sql.literal(set)} WHERE user_id = ${where}`
        const reply = yield* redeem()
        assert.strictEqual(reasonOf(reply), "TOKEN_CODE_REDEMPTION_REFUSED")
        assert.strictEqual(reply.json.error, "invalid_grant")
      })
    )
  }

  it.effect("O1: of fifty parallel redemptions exactly one succeeds, and the connection ends disconnected", () =>
    Effect.gen(function* () {
      const { redeem } = yield* codeOf
      const replies = yield* Effect.all(
        Array.from({ length: 50 }, () => redeem()),
        { concurrency: 50 }
      )
      const succeeded = replies.filter((reply) => reply.status === 200)
      assert.strictEqual(succeeded.length, 1)
      const refusalTexts = new Set(replies.filter((reply) => reply.status !== 200).map((reply) => reply.text))
      assert.deepStrictEqual(
        [...refusalTexts].map((text) => /\[([A-Z_]+)\]/.exec(text)?.[1]),
        ["TOKEN_CODE_REPLAYED"]
      )
      assert.isFalse(yield* works(succeeded[0]!.json.access_token))
    })
  )

  it.effect("TOKEN_REFRESH_TOKEN_UNKNOWN: never issued, an access token, another client's", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const clientId = yield* registerClient()
      const other = yield* registerClient()
      const { access_token, refresh_token } = yield* connect(owner, clientId)
      for (const [client_id, sent] of [
        [clientId, "svc_ort_never"],
        [clientId, access_token],
        [other, refresh_token]
      ] as const) {
        const reply = yield* token({ grant_type: "refresh_token", client_id, refresh_token: sent })
        assert.strictEqual(reasonOf(reply), "TOKEN_REFRESH_TOKEN_UNKNOWN")
        assert.strictEqual(reply.json.error, "invalid_grant")
      }
      assert.strictEqual(
        (yield* token({ grant_type: "refresh_token", client_id: clientId, refresh_token })).status,
        200
      )
    })
  )

  it.effect("TOKEN_REFRESH_GRANT_INACTIVE: the connection was disconnected", () =>
    Effect.gen(function* () {
      const connections = yield* Connections
      const { owner } = yield* seedOrganization()
      const clientId = yield* registerClient()
      const { access_token, refresh_token } = yield* connect(owner, clientId)
      const [row] = yield* connections.list({ userId: owner.userId })
      assert.isTrue(yield* connections.end(row!.connection_id, { personId: owner.personId }))
      assert.isFalse(yield* works(access_token))
      const reply = yield* token({ grant_type: "refresh_token", client_id: clientId, refresh_token })
      assert.strictEqual(reasonOf(reply), "TOKEN_REFRESH_GRANT_INACTIVE")
    })
  )

  it.effect(
    "TOKEN_REFRESH_SCOPE_INVALID: wider than the connection; nothing is consumed; a subset narrows one access token",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const { refresh_token } = yield* connect(owner, clientId)
        const refresh = (sent: string, scope?: string) =>
          token({ grant_type: "refresh_token", client_id: clientId, refresh_token: sent, scope })
        const wide = yield* refresh(refresh_token, "apps:read records:edit")
        assert.strictEqual(wide.status, 400)
        assert.strictEqual(wide.json.error, "invalid_scope")
        assert.strictEqual(reasonOf(wide), "TOKEN_REFRESH_SCOPE_INVALID")
        const narrow = yield* refresh(refresh_token, "apps:read")
        assert.strictEqual(narrow.json.scope, "apps:read")
        const full = yield* refresh(narrow.json.refresh_token)
        assert.strictEqual(full.json.scope, "apps:read records:read")
        // A used token with too wide a scope: the table's order says scope first.
        assert.strictEqual(reasonOf(yield* refresh(refresh_token, "email:send")), "TOKEN_REFRESH_SCOPE_INVALID")
        assert.isTrue(yield* works(full.json.access_token))
      })
  )

  it.effect(
    "RFC 6749 3.3: a scope of blanks alone counts as not sent, when a token is refreshed as when it is asked for",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const { refresh_token, scope } = yield* connect(owner, clientId, { scope: " " })
        assert.strictEqual(scope, "apps:read records:read")
        const refreshReply = yield* token({
          grant_type: "refresh_token",
          client_id: clientId,
          refresh_token,
          scope: " "
        })
        assert.strictEqual(refreshReply.json.scope, scope, refreshReply.text)
      })
  )

  it.effect(
    "TOKEN_REFRESH_REPLAYED: three re-sends get a fresh pair each, all usable; the fourth disconnects every device",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const { refresh_token } = yield* connect(owner, clientId)
        const refresh = (sent: string) =>
          token({ grant_type: "refresh_token", client_id: clientId, refresh_token: sent })
        const pairs = yield* Effect.all([1, 2, 3, 4].map(() => refresh(refresh_token)))
        assert.isTrue(pairs.every((pair) => pair.status === 200))
        assert.strictEqual(new Set(pairs.map((pair) => pair.json.refresh_token)).size, 4)
        const nexts = yield* Effect.all(pairs.map((pair) => refresh(pair.json.refresh_token)))
        assert.isTrue(nexts.every((next) => next.status === 200))
        assert.isTrue(yield* works(pairs[0]!.json.access_token))
        const fourth = yield* refresh(refresh_token)
        assert.strictEqual(fourth.json.error, "invalid_grant")
        assert.strictEqual(reasonOf(fourth), "TOKEN_REFRESH_REPLAYED")
        for (const { json } of [...pairs, ...nexts]) assert.isFalse(yield* works(json.access_token))
        assert.strictEqual(reasonOf(yield* refresh(nexts[0]!.json.refresh_token)), "TOKEN_REFRESH_GRANT_INACTIVE")
      })
  )

  it.effect(
    "O2: the count holds under parallel load: four of twelve parallel refreshes succeed, then it is disconnected",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization()
        const clientId = yield* registerClient()
        const { refresh_token } = yield* connect(owner, clientId)
        const replies = yield* Effect.all(
          Array.from({ length: 12 }, () => token({ grant_type: "refresh_token", client_id: clientId, refresh_token })),
          { concurrency: 12 }
        )
        const reasons = new Set(replies.filter((r) => r.status !== 200).map(reasonOf))
        assert.isAtMost(replies.filter((r) => r.status === 200).length, 4)
        assert.isAtLeast(replies.filter((r) => r.status === 200).length, 1)
        assert.isTrue([...reasons].every((r) => r === "TOKEN_REFRESH_REPLAYED" || r === "TOKEN_REFRESH_GRANT_INACTIVE"))
        assert.isTrue(reasons.has("TOKEN_REFRESH_REPLAYED"))
      })
  )

  it.effect("O2: four processes of one client refreshing at once stay connected", () =>
    Effect.gen(function* () {
      const { owner } = yield* seedOrganization()
      const clientId = yield* registerClient()
      const { refresh_token } = yield* connect(owner, clientId)
      const replies = yield* Effect.all(
        Array.from({ length: 4 }, () => token({ grant_type: "refresh_token", client_id: clientId, refresh_token })),
        { concurrency: 4 }
      )
      for (const reply of replies) {
        assert.strictEqual(reply.status, 200, reply.text)
        assert.isTrue(yield* works(reply.json.access_token))
      }
    })
  )

  it.effect(
    "3.2: a confidential client refreshes with the same token for good, concurrently too, and gets no refresh_token",
    () =>
      Effect.gen(function* () {
        const { owner } = yield* seedOrganization()
        const { clientId, secret } = yield* confidentialClient()
        const { code, verifier } = yield* approve(owner, clientId)
        const auth = { authorization: basic(clientId, secret) }
        const firstReply = yield* token({ grant_type: "authorization_code", code, code_verifier: verifier }, auth)
        assert.match(firstReply.json.refresh_token, /^svc_ort_/)
        const replies = yield* Effect.all(
          Array.from({ length: 10 }, () =>
            token({ grant_type: "refresh_token", refresh_token: firstReply.json.refresh_token }, auth)
          ),
          { concurrency: 10 }
        )
        for (const reply of replies) {
          assert.strictEqual(reply.status, 200)
          assert.notProperty(reply.json, "refresh_token")
          assert.isTrue(yield* works(reply.json.access_token))
        }
      })
  )

  it.effect("TOKEN_GRANT_TYPE_UNSUPPORTED: client credentials, device, implicit and password grants", () =>
    Effect.gen(function* () {
      const clientId = yield* registerClient()
      for (const grant_type of [
        "client_credentials",
        "password",
        "urn:ietf:params:oauth:grant-type:device_code",
        "x"
      ]) {
        const reply = yield* token({ grant_type, client_id: clientId })
        assert.strictEqual(reply.json.error, "unsupported_grant_type")
        assert.strictEqual(reasonOf(reply), "TOKEN_GRANT_TYPE_UNSUPPORTED")
      }
    })
  )

  it.effect("REQUEST_INVALID: missing, repeated or misplaced parameters, odd content types; always 400", () =>
    Effect.gen(function* () {
      const app = yield* App
      const clientId = yield* registerClient()
      const base = { grant_type: "refresh_token", client_id: clientId, refresh_token: "svc_ort_x" }
      const replies = [
        yield* token({ client_id: clientId }),
        yield* token({ ...base, refresh_token: undefined }),
        yield* token({ ...base, refresh_token: "" }),
        yield* token({ ...base, grant_type: "authorization_code" }),
        yield* token({ ...base, refresh_token: ["a", "b"] }),
        yield* token({ ...base, grant_type: ["refresh_token", "refresh_token"] }),
        yield* token({ ...base, client_id: [clientId, clientId] }),
        yield* post(`/oauth/token?refresh_token=svc_ort_x`, base),
        yield* post(`/oauth/token?client_id=${clientId}`, { ...base, client_id: undefined }),
        yield* token({ ...base, refresh_token: "a\0b" }),
        yield* app.call("POST", "/oauth/token", { body: base }),
        yield* token(base, { "content-type": "text/plain" }),
        yield* token(base, { "content-type": "multipart/form-data; boundary=x" }),
        yield* token(base, { "content-type": "%%%" }),
        yield* token({ ...base, scope: "x".repeat(20_000) })
      ]
      for (const reply of replies) {
        assert.strictEqual(reply.status, 400, reply.text)
        assert.strictEqual(reply.json.error, "invalid_request")
        assert.strictEqual(reasonOf(reply), "REQUEST_INVALID", reply.text)
        assert.strictEqual(reply.headers.get("cache-control"), "no-store")
      }
      const charset = yield* token(base, { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" })
      assert.strictEqual(reasonOf(charset), "TOKEN_REFRESH_TOKEN_UNKNOWN")
    })
  )

  it.effect("O3: resource at the token endpoint is checked, may repeat, and forgives a trailing slash", () =>
    Effect.gen(function* () {
      const { redeem } = yield* codeOf
      const wrong = yield* redeem({ resource: [`${ORIGIN}/v1`, "https://other.example"] })
      assert.strictEqual(wrong.json.error, "invalid_target")
      assert.strictEqual(reasonOf(wrong), "AUTHORIZE_RESOURCE_INVALID")
      assert.strictEqual((yield* redeem({ resource: [`${ORIGIN}/v1/`, `${ORIGIN}/mcp`] })).status, 200)
    })
  )

  it.effect("CLIENT_AUTH_FAILED: 401 invalid_client with a Basic challenge", () =>
    Effect.gen(function* () {
      const { clientId, secret } = yield* confidentialClient()
      const publicId = yield* registerClient()
      const grant = { grant_type: "refresh_token", refresh_token: "svc_ort_x" }
      const replies = [
        yield* token(grant),
        yield* token({ ...grant, client_id: "svc_oc_nobody" }),
        yield* token({ ...grant, client_id: clientId }),
        yield* token({ ...grant, client_id: clientId, client_secret: "svc_ocs_wrong" }),
        yield* token({ ...grant, client_id: publicId, client_secret: secret }),
        yield* token(grant, { authorization: basic(clientId, "svc_ocs_wrong") }),
        yield* token(grant, { authorization: basic(clientId, "") }),
        yield* token(grant, { authorization: basic(publicId, "") }),
        yield* token(grant, { authorization: basic("svc_oc_nobody", secret) }),
        yield* token(grant, { authorization: "Basic" }),
        yield* token(grant, { authorization: "Basic !!!" }),
        yield* token(grant, { authorization: `Basic ${btoa("nocolon")}` }),
        yield* token(grant, { authorization: `Basic ${btoa("%zz:%zz")}` }),
        yield* token(grant, { authorization: `Basic ${btoa("a%00:b")}` }),
        yield* token(grant, { authorization: `Bearer ${secret}` }),
        yield* token({ ...grant, client_id: publicId, client_assertion: "x" })
      ]
      for (const [i, reply] of replies.entries()) {
        assert.strictEqual(reply.status, 401, `${i}: ${reply.text}`)
        assert.strictEqual(reply.json.error, "invalid_client")
        assert.strictEqual(reasonOf(reply), "CLIENT_AUTH_FAILED")
        assert.match(reply.headers.get("www-authenticate") ?? "", /^Basic /)
      }
    })
  )

  it.effect(
    "CLIENT_AUTH_AMBIGUOUS: more than one method is 400 invalid_request; the same client_id beside Basic is one",
    () =>
      Effect.gen(function* () {
        const { clientId, secret } = yield* confidentialClient()
        const other = yield* confidentialClient()
        const grant = { grant_type: "refresh_token", refresh_token: "svc_ort_x" }
        const auth = { authorization: basic(clientId, secret) }
        for (const reply of [
          yield* token({ ...grant, client_id: clientId, client_secret: secret }, auth),
          yield* token({ ...grant, client_secret: secret }, auth),
          yield* token({ ...grant, client_id: other.clientId }, auth),
          yield* token({ ...grant, client_assertion: "x" }, auth)
        ]) {
          assert.strictEqual(reply.status, 400)
          assert.strictEqual(reply.json.error, "invalid_request")
          assert.strictEqual(reasonOf(reply), "CLIENT_AUTH_AMBIGUOUS")
        }
        for (const reply of [
          yield* token(grant, auth),
          yield* token({ ...grant, client_id: clientId }, auth),
          yield* token({ ...grant, client_id: clientId, client_secret: secret })
        ]) {
          assert.strictEqual(reasonOf(reply), "TOKEN_REFRESH_TOKEN_UNKNOWN")
        }
      })
  )

  it.effect("1.7, attack: refresh token and code are no bearers", () =>
    Effect.gen(function* () {
      const { redeem } = yield* codeOf
      const { json } = yield* redeem()
      assert.isFalse(yield* works(json.refresh_token))
      assert.isTrue(yield* works(json.access_token))
    })
  )
})
