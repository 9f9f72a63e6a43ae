// The refresh of a public client's token, with rotation, beside oidc-provider on the same Postgres.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { makeTenant } from "../../demo/operator.ts"
import { allScopes } from "../../src/domain/accounts/Scope.ts"
import { hashToken, randomToken } from "../../src/platform/sealing/Secrets.ts"
import { makeMachine, operatorOf } from "../support/machine.ts"
import { seedPeople } from "../support/people.ts"
import { refresher, startPeer } from "../support/processes.ts"
import { type BenchFailed, benchFailed, type Row, type Sides } from "../support/Row.ts"

const CONNECTIONS = 16
/** Connections that stand in the table beside those that are refreshed. */
const OTHERS = 1000
const CLIENT = "bench-client"

/** A public client with so many connections, one of each user, and a refresh token of each. */
const seedConnections = Effect.fnUntraced(
  function* (orgId: number, count: number) {
    const sql = yield* SqlClient.SqlClient
    yield* seedPeople(orgId, count)
    const tokens = Array.from({ length: count }, () => randomToken("svc_ort_"))
    const hashes = tokens.map((token) => Buffer.from(hashToken(token)).toString("hex"))
    yield* sql`
      INSERT INTO oauth_clients (client_id, kind, name, redirect_uris, created_on, first_approved_on)
      VALUES (${CLIENT}, 'public', 'Bench', ARRAY['https://app.example/callback'], now(), now())`
    yield* sql`
      WITH c AS (
        INSERT INTO connections (client_id, user_id, org_id, scopes, approved_on, created_on, last_token_on, expires_on)
        SELECT ${CLIENT}, user_id, org_id, ${[...allScopes]}::text[], now(), now(), now(), now() + interval '365 days'
        FROM users WHERE org_id = ${orgId} ORDER BY user_id DESC LIMIT ${count} RETURNING connection_id
      ), n AS (SELECT connection_id, row_number() OVER () AS i FROM c)
      INSERT INTO refresh_tokens (token_hash, connection_id, issued_on)
      SELECT decode(t.hash, 'hex'), n.connection_id, now()
      FROM unnest(${hashes}::text[]) WITH ORDINALITY AS t (hash, i) JOIN n USING (i)`
    yield* sql`ANALYZE`
    return tokens
  },
  Effect.catchTag("SqlError", Effect.die)
)

const prepare = Effect.gen(function* (): Effect.fn.Return<Sides, BenchFailed, any> {
  const env = { OAUTH_TOKEN_PER_MINUTE: "1000000000" }
  const machine = yield* Effect.mapError(makeMachine({ name: "bench", temporal: false, env }), benchFailed)
  const tokens = yield* Effect.gen(function* () {
    const { orgId } = yield* makeTenant("Bench", 1, 1000)
    return yield* seedConnections(orgId, CONNECTIONS + OTHERS)
  }).pipe(Effect.provide(operatorOf(machine)), Effect.mapError(benchFailed))
  const peer = yield* startPeer(machine, "oidc.js", {}, "/.well-known/openid-configuration")
  const seeded = yield* Effect.tryPromise({
    try: async () =>
      (await (await fetch(`${peer.url}/seed/${CONNECTIONS + OTHERS}`, { method: "POST" })).json()) as {
        readonly client_id: string
        readonly tokens: ReadonlyArray<string>
      },
    catch: benchFailed
  })
  const used = (all: ReadonlyArray<string>) => all.slice(0, CONNECTIONS)
  return {
    ours: refresher(machine, {
      url: machine.baseUrl,
      path: "/oauth/token",
      clientId: CLIENT,
      tokens: used(tokens)
    }),
    peer: refresher(machine, {
      url: peer.url,
      path: "/token",
      clientId: seeded.client_id,
      tokens: used(seeded.tokens)
    })
  }
})

export const oauthRows: ReadonlyArray<Row> = [
  {
    name: "public-refresh",
    work: `POST /oauth/token, refresh token of a public client with rotation, ${CONNECTIONS} connections`,
    peer: "oidc-provider + pg",
    measure: "rate",
    unit: "refreshes/s",
    more: true,
    aim: 2,
    prepare: prepare as Row["prepare"]
  }
]
