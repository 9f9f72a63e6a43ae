// service.md 3.2, 4.1, 7.1, 8; decisions O2, O15, O19: every check of a refresh holds whichever way the token comes, and the list is all
// that judges it (src/domain/oauth/grants/refresh/index.ts).
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { refreshToken } from "../../../src/domain/oauth/grants/refresh/index.ts"
import { refuse } from "../../../src/domain/oauth/reasons.ts"
import { Sql, type Undecoded } from "../../../src/platform/sql/Sql.ts"
import { appLayer, seedOrganization } from "../../support/app.ts"
import { approve, basic, confidentialClient, reasonOf, registerClient, token } from "../../support/oauth.ts"

type Kind = "public" | "confidential"

/** A client of a kind, and how it proves itself. */
const clientOf = Effect.fnUntraced(function* (kind: Kind) {
  if (kind === "public") {
    const clientId = yield* registerClient()
    return { clientId, ask: (members: Record<string, string>) => token({ client_id: clientId, ...members }) }
  }
  const { clientId, secret } = yield* confidentialClient()
  const authorization = basic(clientId, secret)
  return { clientId, ask: (members: Record<string, string>) => token(members, { authorization }) }
})

const connected = Effect.fnUntraced(function* (kind: Kind) {
  const { orgId, owner } = yield* seedOrganization()
  const client = yield* clientOf(kind)
  const { code, verifier } = yield* approve(owner, client.clientId)
  const firstReply = yield* client.ask({ grant_type: "authorization_code", code, code_verifier: verifier })
  assert.strictEqual(firstReply.status, 200, firstReply.text)
  const members = { grant_type: "refresh_token", refresh_token: firstReply.json.refresh_token as string }
  return {
    orgId,
    userId: owner.userId,
    clientId: client.clientId,
    send: (more: Record<string, string> = {}, by = client) => by.ask({ ...members, ...more })
  }
})
type Connected = Effect.Success<ReturnType<typeof connected>>

interface Way {
  readonly kind: Kind
  /** Of the token, before it is judged. */
  readonly resent?: boolean
  readonly more?: Record<string, string>
}
const ways: Record<string, Way> = {
  "a public client": { kind: "public" },
  "a public client that sends its token again": { kind: "public", resent: true },
  "a public client that asks for less": { kind: "public", more: { scope: "apps:read" } },
  "a confidential client": { kind: "confidential" },
  "a confidential client that asks for less": { kind: "confidential", more: { scope: "apps:read" } }
}

const connectedOnce = Effect.fnUntraced(function* ({ kind, resent = false }: Way) {
  const connection = yield* connected(kind)
  if (resent) assert.strictEqual((yield* connection.send()).status, 200)
  return connection
})

const issued = Effect.fnUntraced(function* ({ userId }: Connected) {
  const sql = yield* Sql
  return yield* sql`
    SELECT c.last_token_on, (SELECT count(*) FROM access_tokens a WHERE a.connection_id = c.connection_id) AS access,
      (SELECT count(*) FROM refresh_tokens r WHERE r.connection_id = c.connection_id) AS refresh,
      (SELECT sum(uses) FROM refresh_tokens r WHERE r.connection_id = c.connection_id) AS uses
    FROM connections c WHERE c.user_id = ${userId}`
})

interface Case {
  readonly check: string
  readonly why: string
  readonly bring?: (sql: Sql, of: Connected) => Undecoded
  readonly more?: Record<string, string>
  readonly byAnother?: boolean
  /** Such a client is renewed all the same. */
  readonly renews?: Kind
  readonly reason: string
}

const ofUser = (sql: Sql, { userId }: Connected) => sql`SELECT connection_id FROM connections WHERE user_id = ${userId}`
/** As the service would have written it: its clock has no microseconds, and a look within the same millisecond is not before it. */
const thisMillisecond = (sql: Sql) => sql`date_trunc('milliseconds', now())`
const inactive = { check: "grantActive", reason: "TOKEN_REFRESH_GRANT_INACTIVE" }
const replayed = { check: "notReplayed", reason: "TOKEN_REFRESH_REPLAYED", renews: "confidential" } as const

const cases: ReadonlyArray<Case> = [
  {
    check: "issuedToClient",
    why: "another client of its kind sends it",
    byAnother: true,
    reason: "TOKEN_REFRESH_TOKEN_UNKNOWN"
  },
  {
    ...inactive,
    why: "the connection has ended",
    bring: (sql, of) => sql`UPDATE connections SET ended_on = now(), ended_by = 'user' WHERE user_id = ${of.userId}`
  },
  {
    ...inactive,
    why: "there was no token for 90 days",
    bring: (sql, of) =>
      sql`UPDATE connections SET last_token_on = ${thisMillisecond(sql)} - interval '90 days' WHERE user_id = ${of.userId}`
  },
  {
    ...inactive,
    why: "its 365 days are over",
    bring: (sql, of) => sql`UPDATE connections SET expires_on = ${thisMillisecond(sql)} WHERE user_id = ${of.userId}`
  },
  {
    ...inactive,
    why: "the user is deactivated",
    bring: (sql, of) => sql`UPDATE users SET status = 'deactivated' WHERE user_id = ${of.userId}`
  },
  {
    ...inactive,
    why: "the user is a guest",
    bring: (sql, of) => sql`UPDATE users SET role = 'guest' WHERE user_id = ${of.userId}`
  },
  {
    ...inactive,
    why: "the organization has blocked the app",
    bring: (sql, of) =>
      sql`INSERT INTO org_app_policies (org_id, client_id, access) VALUES (${of.orgId}, ${of.clientId}, 'blocked')`
  },
  {
    ...inactive,
    why: "the app is for admins, the user none",
    bring: (sql, of) => sql`
      WITH u AS (UPDATE users SET role = 'member' WHERE user_id = ${of.userId})
      INSERT INTO org_app_policies (org_id, client_id, access) VALUES (${of.orgId}, ${of.clientId}, 'admins')`
  },
  {
    ...inactive,
    why: "the app is blocked for the user",
    bring: (sql, of) => sql`INSERT INTO org_app_user_blocks (user_id, client_id) VALUES (${of.userId}, ${of.clientId})`
  },
  {
    check: "scopeHeld",
    why: "it asks for more than the connection holds",
    more: { scope: "apps:read records:edit" },
    reason: "TOKEN_REFRESH_SCOPE_INVALID"
  },
  {
    ...replayed,
    why: "it was used four times",
    bring: (sql, of) =>
      sql`UPDATE refresh_tokens SET uses = 4, first_used_on = now() WHERE connection_id IN (${ofUser(sql, of)})`
  },
  {
    ...replayed,
    why: "it was used 31 seconds ago",
    bring: (sql, of) => sql`
      UPDATE refresh_tokens SET uses = 1, first_used_on = now() - interval '31 seconds' WHERE connection_id IN (${ofUser(sql, of)})`
  }
]

/** A check that refuses everybody stands in the list meanwhile. */
const refusingAt = <A, E, R>(place: number, instead: number, use: Effect.Effect<A, E, R>) => {
  const list = refreshToken.checks as unknown as Array<() => ReturnType<typeof refuse>>
  return Effect.acquireUseRelease(
    Effect.sync(() => list.splice(place, instead, () => refuse("AUTHORIZE_USER_REFUSED"))),
    () => use,
    (taken) => Effect.sync(() => list.splice(place, 1, ...taken))
  )
}

const generous = { OAUTH_REGISTER_PER_HOUR: "1000", OAUTH_AUTHORIZE_PER_MINUTE: "10000" }

layer(appLayer(generous), { excludeTestServices: true })("the checks of a refresh", (it) => {
  it.effect("each have a case here", () =>
    Effect.sync(() =>
      assert.deepStrictEqual(
        new Set(cases.map(({ check }) => check)),
        new Set(refreshToken.checks.map(({ name }) => name))
      )
    )
  )

  for (const [who, way] of Object.entries(ways)) {
    it.effect(`let ${who} through where none refuses, of an app that is approved for everyone too`, () =>
      Effect.gen(function* () {
        const sql = yield* Sql
        const connection = yield* connectedOnce(way)
        yield* sql`INSERT INTO org_app_policies (org_id, client_id, access) VALUES (${connection.orgId}, ${connection.clientId}, 'everyone')`
        const reply = yield* connection.send(way.more)
        assert.strictEqual(reply.status, 200, reply.text)
        assert.strictEqual(reply.json.scope, way.more?.["scope"] ?? "apps:read records:read")
        assert.strictEqual(reply.json.refresh_token === undefined, way.kind === "confidential")
      })
    )

    it.effect(`refuse ${who} whichever of them refuses everybody, and first of all one before them`, () =>
      Effect.gen(function* () {
        const connection = yield* connectedOnce(way)
        const issuedBefore = yield* issued(connection)
        const everyCheck = refreshToken.checks.map((_, place) => ({ place, instead: 1 }))
        for (const { instead, place } of [{ place: 0, instead: 0 }, ...everyCheck]) {
          const reply = yield* refusingAt(place, instead, connection.send(way.more))
          assert.strictEqual(reasonOf(reply), "AUTHORIZE_USER_REFUSED", `${place}: ${reply.text}`)
        }
        assert.deepStrictEqual(yield* issued(connection), issuedBefore)
        assert.strictEqual((yield* connection.send(way.more)).status, 200)
      })
    )

    for (const { bring, byAnother = false, check, more, reason, renews, why } of cases) {
      if (renews === way.kind) continue
      it.effect(`refuse ${who} where ${why} (${check})`, () =>
        Effect.gen(function* () {
          const connection = yield* connectedOnce(way)
          if (bring !== undefined) yield* bring(yield* Sql, connection)
          const issuedBefore = yield* issued(connection)
          const other = byAnother ? yield* clientOf(way.kind) : undefined
          const reply = yield* connection.send({ ...way.more, ...more }, other)
          assert.strictEqual(reasonOf(reply), reason, reply.text)
          assert.strictEqual(reply.status, 400)
          assert.deepStrictEqual(yield* issued(connection), issuedBefore)
        })
      )
    }
  }

  for (const { bring, renews, why } of cases) {
    if (renews === undefined || bring === undefined) continue
    it.effect(`let a ${renews} client through where ${why}`, () =>
      Effect.gen(function* () {
        const connection = yield* connected(renews)
        yield* bring(yield* Sql, connection)
        assert.strictEqual((yield* connection.send()).status, 200)
      })
    )
  }

  it.effect("judge each by itself where several come at once", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const connections = yield* Effect.forEach(Array.from({ length: 8 }), () => connected("public"))
      for (const [i, of] of connections.entries())
        if (i % 2 === 0) yield* sql`UPDATE users SET status = 'deactivated' WHERE user_id = ${of.userId}`
      const replies = yield* Effect.all(
        connections.map((of) => of.send()),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        replies.map((reply) => reasonOf(reply) ?? reply.status),
        connections.map((_, i) => (i % 2 === 0 ? "TOKEN_REFRESH_GRANT_INACTIVE" : 200))
      )
    })
  )
})
