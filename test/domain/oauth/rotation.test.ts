// service.md 3.2, 7.1, 8; decisions O2: the one statement that renews what no check would refuse, and touches nothing else.
import { assert, layer } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { grantActive } from "../../../src/domain/oauth/grants/refresh/grantActive.ts"
import { makeHeldTokens } from "../../../src/domain/oauth/grants/refresh/heldTokens.ts"
import { makeRotation } from "../../../src/domain/oauth/grants/refresh/rotation.ts"
import { hashToken, randomToken } from "../../../src/ground/sealing/Secrets.ts"
import { Sql, type Undecoded } from "../../../src/ground/sql/Sql.ts"
import { appLayer, seedOrganization } from "../../support/app.ts"
import { connect, registerClient, token } from "../../support/oauth.ts"

const connected = Effect.gen(function* () {
  const { orgId, owner } = yield* seedOrganization()
  const clientId = yield* registerClient()
  const { refresh_token } = yield* connect(owner, clientId)
  return { orgId, userId: owner.userId, clientId, token: refresh_token as string }
})
type Connected = Effect.Success<typeof connected>

const renewal = Effect.fnUntraced(function* ({ clientId, token }: Pick<Connected, "clientId" | "token">) {
  const { rotateOrdinary } = yield* makeRotation
  const now = yield* Clock.currentTimeMillis
  const [accessToken, refreshToken] = [randomToken("svc_oat_"), randomToken("svc_ort_")]
  return yield* rotateOrdinary({ clientId, token, accessToken, refreshToken, scopes: undefined, now })
})

const tokensOf = Effect.fnUntraced(function* ({ token }: Connected) {
  const sql = yield* Sql
  return yield* sql`
    SELECT r.*, c.last_token_on, (SELECT count(*) FROM access_tokens a WHERE a.connection_id = c.connection_id) AS access
    FROM refresh_tokens r JOIN connections c USING (connection_id)
    WHERE connection_id = (SELECT connection_id FROM refresh_tokens WHERE token_hash = ${hashToken(token)})`
})

const ofUser = (sql: Sql, { userId }: Connected) => sql`SELECT connection_id FROM connections WHERE user_id = ${userId}`
/** As the service would have written it: its clock has no microseconds, and a look within the same millisecond is not before it. */
const thisMillisecond = (sql: Sql) => sql`date_trunc('milliseconds', now())`
const refused: Record<string, (sql: Sql, of: Connected) => Undecoded> = {
  "the connection has ended": (sql, of) =>
    sql`UPDATE connections SET ended_on = now(), ended_by = 'user' WHERE user_id = ${of.userId}`,
  "no token for 90 days": (sql, of) =>
    sql`UPDATE connections SET last_token_on = ${thisMillisecond(sql)} - interval '90 days' WHERE user_id = ${of.userId}`,
  "365 days are over": (sql, of) =>
    sql`UPDATE connections SET expires_on = ${thisMillisecond(sql)} WHERE user_id = ${of.userId}`,
  "the user is deactivated": (sql, of) => sql`UPDATE users SET status = 'deactivated' WHERE user_id = ${of.userId}`,
  "the user is a guest": (sql, of) => sql`UPDATE users SET role = 'guest' WHERE user_id = ${of.userId}`,
  "the app is blocked": (sql, of) =>
    sql`INSERT INTO org_app_policies (org_id, client_id, access) VALUES (${of.orgId}, ${of.clientId}, 'blocked')`,
  "the app is for admins, the user none": (sql, of) => sql`
    WITH u AS (UPDATE users SET role = 'member' WHERE user_id = ${of.userId})
    INSERT INTO org_app_policies (org_id, client_id, access) VALUES (${of.orgId}, ${of.clientId}, 'admins')`,
  "the app is blocked for the user": (sql, of) =>
    sql`INSERT INTO org_app_user_blocks (user_id, client_id) VALUES (${of.userId}, ${of.clientId})`,
  "the client is disabled": (sql, of) =>
    sql`UPDATE oauth_clients SET disabled_on = now() WHERE client_id = ${of.clientId}`,
  "the client has a secret": (sql, of) =>
    sql`UPDATE oauth_clients SET kind = 'confidential', secret_hash = '\\x00' WHERE client_id = ${of.clientId}`,
  "the token was used four times": (sql, of) =>
    sql`UPDATE refresh_tokens SET uses = 4, first_used_on = now() WHERE connection_id IN (${ofUser(sql, of)})`,
  "the token was used 31 seconds ago": (sql, of) => sql`
    UPDATE refresh_tokens SET uses = 1, first_used_on = now() - interval '31 seconds' WHERE connection_id IN (${ofUser(sql, of)})`
}
const ofTheGrant = Object.keys(refused).slice(0, 8)

layer(appLayer({ OAUTH_REGISTER_PER_HOUR: "1000" }), { excludeTestServices: true })(
  "a refresh in one statement",
  (it) => {
    for (const [why, bring] of Object.entries(refused)) {
      it.effect(`changes nothing where ${why}`, () =>
        Effect.gen(function* () {
          const of = yield* connected
          yield* bring(yield* Sql, of)
          const before = yield* tokensOf(of)
          assert.isUndefined(yield* renewal(of))
          assert.deepStrictEqual(yield* tokensOf(of), before)
          const held = yield* (yield* makeHeldTokens)(of.token)
          const seen = { client: {} as never, held: held!, requested: undefined, now: yield* Clock.currentTimeMillis }
          assert.strictEqual(grantActive(seen) !== undefined, ofTheGrant.includes(why))
        })
      )
    }

    it.effect("changes nothing for another client, or by a token that never was", () =>
      Effect.gen(function* () {
        const of = yield* connected
        const before = yield* tokensOf(of)
        assert.isUndefined(yield* renewal({ ...of, clientId: yield* registerClient() }))
        assert.isUndefined(yield* renewal({ ...of, token: "svc_ort_never" }))
        assert.deepStrictEqual(yield* tokensOf(of), before)
      })
    )

    it.effect("renews in the grace of a re-send too, and of an app that is approved for everyone", () =>
      Effect.gen(function* () {
        const sql = yield* Sql
        const of = yield* connected
        yield* sql`INSERT INTO org_app_policies (org_id, client_id, access) VALUES (${of.orgId}, ${of.clientId}, 'everyone')`
        const all = yield* Effect.all(
          Array.from({ length: 6 }, () => renewal(of)),
          { concurrency: "unbounded" }
        )
        const done = all.filter((one) => one !== undefined)
        assert.strictEqual(done.length, 4)
        assert.deepStrictEqual(
          new Set(done.map(({ org_id, user_id }) => `${org_id} ${user_id}`)),
          new Set([`${of.orgId} ${of.userId}`])
        )
      })
    )

    it.effect("ends an access token with its connection where that is sooner", () =>
      Effect.gen(function* () {
        const sql = yield* Sql
        const of = yield* connected
        yield* sql`UPDATE connections SET expires_on = now() + interval '10 minutes' WHERE user_id = ${of.userId}`
        const reply = yield* token({ grant_type: "refresh_token", client_id: of.clientId, refresh_token: of.token })
        assert.isAtMost(reply.json.expires_in, 600)
        assert.isAtLeast(reply.json.expires_in, 590)
      })
    )
  }
)
