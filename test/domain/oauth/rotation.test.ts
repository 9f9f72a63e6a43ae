// service.md 3.2, 8; decisions O2: the one statement that renews a public client's token, and touches nothing where what the checks looked at is
// another by now.
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeRotation } from "../../../src/domain/oauth/grants/refresh/rotation.ts"
import { hashToken, randomToken } from "../../../src/platform/sealing/Secrets.ts"
import { appLayer, seedOrganization } from "../../support/app.ts"
import { connect, registerClient, token } from "../../support/oauth.ts"

const connected = Effect.gen(function* () {
  const { owner } = yield* seedOrganization()
  const clientId = yield* registerClient()
  const { refresh_token } = yield* connect(owner, clientId)
  return { userId: owner.userId, clientId, token: refresh_token as string }
})
type Connected = Effect.Success<typeof connected>

/** As the checks would let it go that have seen it used so often. */
const renewal = Effect.fnUntraced(function* ({ token }: Pick<Connected, "token">, uses = 0) {
  const rotate = yield* makeRotation
  const nowMillis = yield* Clock.currentTimeMillis
  const [accessToken, refreshToken] = [randomToken("svc_oat_"), randomToken("svc_ort_")]
  return yield* rotate({
    token,
    uses,
    accessToken,
    refreshToken,
    scopes: ["apps:read"],
    now: nowMillis,
    expiresAt: nowMillis + 60_000
  })
})

const tokensOf = Effect.fnUntraced(function* ({ token }: Connected) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ last_token_on: Date; access: number; refresh: number }>`
    SELECT c.last_token_on, (SELECT count(*) FROM access_tokens a WHERE a.connection_id = c.connection_id)::int AS access,
      (SELECT count(*) FROM refresh_tokens r WHERE r.connection_id = c.connection_id)::int AS refresh
    FROM connections c WHERE connection_id = (SELECT connection_id FROM refresh_tokens WHERE token_hash = ${hashToken(token)})`
})

layer(appLayer({ OAUTH_REGISTER_PER_HOUR: "1000" }), { excludeTestServices: true })("the rotation of a token", (it) => {
  it.effect("issues a pair once for what was seen, and nothing where the token has been used since", () =>
    Effect.gen(function* () {
      const connection = yield* connected
      assert.isFalse(yield* renewal(connection, 1))
      assert.isTrue(yield* renewal(connection))
      const firstTokens = yield* tokensOf(connection)
      assert.deepStrictEqual([firstTokens[0]!.access, firstTokens[0]!.refresh], [2, 2])
      assert.isFalse(yield* renewal(connection))
      assert.deepStrictEqual(yield* tokensOf(connection), firstTokens)
      assert.isTrue(yield* renewal(connection, 1))
    })
  )

  it.effect("of twelve who have seen the same at once is one's", () =>
    Effect.gen(function* () {
      const connection = yield* connected
      const renewals = yield* Effect.all(
        Array.from({ length: 12 }, () => renewal(connection)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(renewals.filter((done) => done).length, 1)
    })
  )

  it.effect("issues nothing for a connection that has ended since, nor for a token that never was", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const endedConnection = yield* connected
      yield* sql`UPDATE connections SET ended_on = now(), ended_by = 'user' WHERE user_id = ${endedConnection.userId}`
      const tokensBefore = yield* tokensOf(endedConnection)
      assert.isFalse(yield* renewal(endedConnection))
      assert.isFalse(yield* renewal({ token: "svc_ort_never" }))
      assert.deepStrictEqual(yield* tokensOf(endedConnection), tokensBefore)
    })
  )

  it.effect("ends an access token with its connection where that is sooner", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lapsingConnection = yield* connected
      yield* sql`UPDATE connections SET expires_on = now() + interval '10 minutes' WHERE user_id = ${lapsingConnection.userId}`
      const reply = yield* token({
        grant_type: "refresh_token",
        client_id: lapsingConnection.clientId,
        refresh_token: lapsingConnection.token
      })
      assert.isAtMost(reply.json.expires_in, 600)
      assert.isAtLeast(reply.json.expires_in, 590)
    })
  )
})
