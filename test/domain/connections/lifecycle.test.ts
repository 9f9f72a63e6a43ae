// service.md 2.3, 3.2, 8; decisions O14 to O17, developer-api.md 1.7: what ends a connection, and what does not.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Organizations } from "../../../src/domain/accounts/Organizations.ts"
import { People } from "../../../src/domain/accounts/People.ts"
import { AppPolicies } from "../../../src/domain/connections/AppPolicies.ts"
import { Connections } from "../../../src/domain/connections/Connections.ts"
import { Clients } from "../../../src/domain/oauth/clients/Clients.ts"
import { App, appLayer, type Person, seedOrganization, seedUser } from "../../support/app.ts"
import { ddl } from "../../support/database.ts"
import {
  approve,
  authorize,
  basic,
  challengeOf,
  confidentialClient,
  connect,
  decide,
  REDIRECT,
  reasonOf,
  registerClient,
  signedIn,
  token
} from "../../support/oauth.ts"

const generous = { OAUTH_REGISTER_PER_HOUR: "1000", OAUTH_AUTHORIZE_PER_MINUTE: "10000" }

const works = Effect.fnUntraced(function* (accessToken: string) {
  const app = yield* App
  return (yield* app.call("GET", "/v1/user", { token: accessToken })).status === 200
})

const refreshReason = Effect.fnUntraced(function* (client_id: string, refresh_token: string) {
  return reasonOf(yield* token({ grant_type: "refresh_token", client_id, refresh_token }))
})

/** Asserts that a connection is over: API 401 at once, refresh TOKEN_REFRESH_GRANT_INACTIVE. */
const assertEnded = Effect.fnUntraced(function* (
  clientId: string,
  held: { access_token: string; refresh_token: string }
) {
  assert.isFalse(yield* works(held.access_token))
  assert.strictEqual(yield* refreshReason(clientId, held.refresh_token), "TOKEN_REFRESH_GRANT_INACTIVE")
})

layer(appLayer(generous), { excludeTestServices: true })("service.md 3.2: connections", (it) => {
  const member = Effect.gen(function* () {
    const { owner, orgId } = yield* seedOrganization()
    const user = yield* seedUser(orgId, "member")
    const clientId = yield* registerClient()
    return { owner, orgId, user, clientId, held: yield* connect(user, clientId) }
  })

  for (const [what, body] of [
    ["deactivated", { status: "deactivated" }],
    ["made a guest", { role: "guest" }]
  ] as const) {
    it.effect(`active → ended: user ${what}; being let back in revives nothing`, () =>
      Effect.gen(function* () {
        const app = yield* App
        const { owner, user, clientId, held } = yield* member
        const putUser = (change: object) =>
          app.call("PUT", `/v1/org/user/${user.userId}`, { token: owner.key, body: change })
        assert.strictEqual((yield* putUser(body)).status, 200)
        yield* assertEnded(clientId, held)
        assert.strictEqual((yield* putUser({ status: "active", role: "member" })).status, 200)
        yield* assertEnded(clientId, held)
      })
    )
  }

  it.effect("active → ended: user removed from the organization", () =>
    Effect.gen(function* () {
      const app = yield* App
      const { owner, user, clientId, held } = yield* member
      assert.strictEqual((yield* app.call("DELETE", `/v1/org/user/${user.userId}`, { token: owner.key })).status, 200)
      yield* assertEnded(clientId, held)
    })
  )

  it.effect("active → ended: the user or an organization admin disconnects; nobody beyond their reach", () =>
    Effect.gen(function* () {
      const connections = yield* Connections
      const { owner, orgId, user, clientId, held } = yield* member
      const [row] = yield* connections.list({ orgId })
      assert.strictEqual(row!.client_name, "Test client")
      assert.deepStrictEqual([...row!.scopes], ["apps:read", "records:read"])
      assert.isFalse(yield* connections.end(row!.connection_id, { personId: owner.personId }))
      assert.isFalse(yield* connections.end(row!.connection_id, { orgId: orgId + 1_000_000, adminUserId: 1 }))
      assert.isTrue(yield* works(held.access_token))
      assert.isTrue(yield* connections.end(row!.connection_id, { orgId, adminUserId: owner.userId }))
      yield* assertEnded(clientId, held)
      assert.isFalse(yield* connections.end(row!.connection_id, { orgId, adminUserId: owner.userId }))
      const ownTokens = yield* connect(user, clientId)
      const [own] = yield* connections.list({ personId: user.personId })
      assert.isTrue(yield* connections.end(own!.connection_id, { personId: user.personId }))
      yield* assertEnded(clientId, ownTokens)
    })
  )

  it.effect("active → active: password change", () =>
    Effect.gen(function* () {
      const { user, held } = yield* member
      yield* People.use((people) => people.setPassword(user.personId, "a-new-long-password"))
      assert.isTrue(yield* works(held.access_token))
    })
  )

  it.effect("8: an eleventh connection for the same user and client ends the one approved longest ago", () =>
    Effect.gen(function* () {
      const { user, clientId, held } = yield* member
      const nine = yield* Effect.forEach(Array.from({ length: 9 }), () => connect(user, clientId))
      assert.isTrue(yield* works(held.access_token))
      // O17: an approval that is not redeemed ends nothing.
      const eleventh = yield* approve(user, clientId)
      assert.isTrue(yield* works(held.access_token))
      const reply = yield* token({
        grant_type: "authorization_code",
        client_id: clientId,
        code: eleventh.code,
        code_verifier: eleventh.verifier
      })
      assert.strictEqual(reply.status, 200)
      yield* assertEnded(clientId, held)
      for (const connected of nine) assert.isTrue(yield* works(connected.access_token))
    })
  )

  it.effect("8: parallel redemptions never leave more than ten", () =>
    Effect.gen(function* () {
      const { user, clientId, orgId } = yield* member
      const approvals = yield* Effect.forEach(Array.from({ length: 14 }), () => approve(user, clientId))
      const replies = yield* Effect.forEach(
        approvals,
        ({ code, verifier }) =>
          token({ grant_type: "authorization_code", client_id: clientId, code, code_verifier: verifier }),
        { concurrency: 14 }
      )
      assert.isTrue(replies.every((reply) => reply.status === 200))
      const listedConnections = yield* Connections.use((c) => c.list({ orgId, clientId }))
      assert.strictEqual(listedConnections.length, 10)
    })
  )

  it.effect("2.2: a one-per-user client keeps exactly one connection; a new one ends the former", () =>
    Effect.gen(function* () {
      const { user, owner } = yield* member
      const { clientId, secret } = yield* confidentialClient({ oneConnection: true })
      const auth = { authorization: basic(clientId, secret) }
      const make = Effect.fnUntraced(function* (person: Person) {
        const { code, verifier } = yield* approve(person, clientId)
        return (yield* token({ grant_type: "authorization_code", code, code_verifier: verifier }, auth)).json
      })
      const otherTokens = yield* make(owner)
      const former = yield* make(user)
      const next = yield* make(user)
      assert.isFalse(yield* works(former.access_token))
      assert.isTrue(yield* works(next.access_token))
      assert.isTrue(yield* works(otherTokens.access_token))
    })
  )

  it.effect("O16: disabling a client ends its connections; elsewhere it answers CLIENT_AUTH_FAILED", () =>
    Effect.gen(function* () {
      const { clientId, held } = yield* member
      yield* Clients.use((clients) => clients.disable(clientId))
      assert.isFalse(yield* works(held.access_token))
      assert.strictEqual(yield* refreshReason(clientId, held.refresh_token), "CLIENT_AUTH_FAILED")
      yield* Clients.use((clients) => clients.enable(clientId))
      yield* assertEnded(clientId, held)
    })
  )

  it.effect("O15: blocking an app ends everyone's connections at once; lifting it revives nothing", () =>
    Effect.gen(function* () {
      const policies = yield* AppPolicies
      const { owner, orgId, user, clientId, held } = yield* member
      const owners = yield* connect(owner, clientId)
      const actor = { orgId, userId: owner.userId }
      assert.strictEqual(yield* policies.setAccess(actor, clientId, "blocked"), 2)
      yield* assertEnded(clientId, held)
      yield* assertEnded(clientId, owners)
      yield* policies.setAccess(actor, clientId, null)
      yield* assertEnded(clientId, held)
      assert.isTrue(yield* works((yield* connect(user, clientId)).access_token))
    })
  )

  it.effect(
    "O15: limiting an app to admins and owners ends members' connections, and losing the role ends one too",
    () =>
      Effect.gen(function* () {
        const app = yield* App
        const policies = yield* AppPolicies
        const { owner, orgId, clientId, held } = yield* member
        const admin = yield* seedUser(orgId, "admin")
        const admins = yield* connect(admin, clientId)
        const owners = yield* connect(owner, clientId)
        yield* policies.setAccess({ orgId, userId: owner.userId }, clientId, "admins")
        yield* assertEnded(clientId, held)
        assert.isTrue(yield* works(admins.access_token))
        const reply = yield* app.call("PUT", `/v1/org/user/${admin.userId}`, {
          token: owner.key,
          body: { role: "member" }
        })
        assert.strictEqual(reply.status, 200)
        yield* assertEnded(clientId, admins)
        assert.isTrue(yield* works(owners.access_token))
      })
  )

  it.effect("active → ended: admin blocks the app for the user, and for nobody else", () =>
    Effect.gen(function* () {
      const policies = yield* AppPolicies
      const { owner, orgId, user, clientId, held } = yield* member
      const owners = yield* connect(owner, clientId)
      const actor = { orgId, userId: owner.userId }
      assert.strictEqual(yield* policies.setUserBlock(actor, clientId, user.userId, true), 1)
      yield* assertEnded(clientId, held)
      assert.isTrue(yield* works(owners.access_token))
      const [entry] = yield* policies.list(orgId)
      assert.deepStrictEqual([...entry!.blocked_user_ids], [user.userId])
      assert.strictEqual(yield* policies.setUserBlock(actor, clientId, user.userId, false), 0)
    })
  )

  it.effect("O15: who is removed and added again is blocked as before, until it is lifted for good", () =>
    Effect.gen(function* () {
      const app = yield* App
      const policies = yield* AppPolicies
      const organizations = yield* Organizations
      const sql = yield* SqlClient.SqlClient
      const { owner, orgId, user, clientId } = yield* member
      const actor = { orgId, userId: owner.userId }
      const [{ email } = { email: "" }] = yield* sql<{ email: string }>`
        SELECT email FROM people JOIN users USING (person_id) WHERE user_id = ${user.userId}`
      const remove = (userId: number) =>
        Effect.map(app.call("DELETE", `/v1/org/user/${userId}`, { token: owner.key }), (reply) =>
          assert.strictEqual(reply.status, 200, reply.text)
        )
      const createAgain = Effect.map(
        app.call("POST", "/v1/org/user", { token: owner.key, body: { name: "Back", email, role: "member" } }),
        (reply) => {
          assert.strictEqual(reply.status, 200, reply.text)
          return reply.json.user_id as number
        }
      )
      const blocked = Effect.fnUntraced(function* (userId: number) {
        return (yield* policies.standings([userId], clientId)).get(userId)?.user_blocked
      })
      yield* policies.setUserBlock(actor, clientId, user.userId, true)
      yield* remove(user.userId)
      const second = yield* createAgain
      assert.notStrictEqual(second, user.userId)
      assert.isTrue(yield* blocked(second))
      assert.deepStrictEqual(
        (yield* policies.list(orgId)).map((entry) => [...entry.blocked_user_ids]),
        [[second]]
      )
      yield* remove(second)
      const { user_id: third } = yield* organizations.addUser(orgId, email, "member")
      assert.isTrue(yield* blocked(third))
      yield* policies.setUserBlock(actor, clientId, third, false)
      yield* remove(third)
      assert.isFalse(yield* blocked(yield* createAgain))
    })
  )

  it.effect("O15: the approved-only mode holds for new approvals; earlier connections go on", () =>
    Effect.gen(function* () {
      const policies = yield* AppPolicies
      const { owner, orgId, user, clientId, held } = yield* member
      const actor = { orgId, userId: owner.userId }
      const pending = yield* approve(user, clientId)
      yield* policies.setMode(actor, "approved")
      assert.isTrue(yield* works(held.access_token))
      assert.isUndefined(yield* refreshReason(clientId, held.refresh_token))
      const lateReply = yield* token({
        grant_type: "authorization_code",
        client_id: clientId,
        code: pending.code,
        code_verifier: pending.verifier
      })
      assert.strictEqual(reasonOf(lateReply), "TOKEN_CODE_REDEMPTION_REFUSED")
      yield* policies.setAccess(actor, clientId, "everyone")
      assert.isTrue(yield* works((yield* connect(user, clientId)).access_token))
    })
  )

  for (const [what, prepare, words] of [
    [
      "a guest",
      (sql: SqlClient.SqlClient, p: Person) => sql`UPDATE users SET role = 'guest' WHERE user_id = ${p.userId}`,
      "Guests"
    ],
    [
      "a member kept out",
      (sql: SqlClient.SqlClient, p: Person) => sql`INSERT INTO org_app_modes VALUES (${p.orgId}, 'approved')`,
      "only apps that its admins have approved"
    ]
  ] as const) {
    it.effect(
      `O19: ${what} sees why on the consent screen; Return to app carries access_denied (AUTHORIZE_USER_REFUSED)`,
      () =>
        Effect.gen(function* () {
          const app = yield* App
          const sql = yield* SqlClient.SqlClient
          const { user, clientId } = yield* member
          yield* prepare(sql, user)
          const cookie = yield* signedIn(user.personId)
          const ask = authorize(
            {
              response_type: "code",
              client_id: clientId,
              redirect_uri: REDIRECT,
              code_challenge: challengeOf("x"),
              state: "s"
            },
            { cookie }
          )
          const page = (yield* ask).headers.get("location")!
          const consentPage = yield* app.call("GET", page, { headers: { cookie } })
          assert.include(consentPage.text, words)
          assert.include(consentPage.text, "Return to app")
          assert.notInclude(consentPage.text, ">Allow<")
          const forced = yield* decide(page, cookie, { decision: "approve", user_id: String(user.userId) })
          assert.strictEqual(forced.status, 403)
          assert.include(forced.text, words)
          const answer = yield* decide(page, cookie, { decision: "return" })
          const { searchParams } = new URL(answer.headers.get("location")!)
          assert.strictEqual(searchParams.get("error"), "access_denied")
          assert.match(searchParams.get("error_description") ?? "", /\[AUTHORIZE_USER_REFUSED\]$/)
        })
    )
  }

  it.effect("O12, O19: a person in two organizations chooses; the one that keeps them out cannot be chosen", () =>
    Effect.gen(function* () {
      const app = yield* App
      const sql = yield* SqlClient.SqlClient
      const { user, clientId } = yield* member
      const second = yield* seedOrganization("Second Harbor")
      const [other] = yield* sql<{ user_id: number }>`
        INSERT INTO users (org_id, person_id, name, role, status, created_on)
        VALUES (${second.orgId}, ${user.personId}, 'Same person', 'guest', 'active', now()) RETURNING user_id`
      const cookie = yield* signedIn(user.personId)
      const started = yield* authorize(
        { response_type: "code", client_id: clientId, redirect_uri: REDIRECT, code_challenge: challengeOf("x") },
        { cookie }
      )
      const consentPage = yield* app.call("GET", started.headers.get("location")!, { headers: { cookie } })
      assert.include(consentPage.text, "Second Harbor")
      // The person chooses, even where there is one to choose (O24).
      assert.match(consentPage.text, new RegExp(`value="${user.userId}" required>`))
      assert.notMatch(consentPage.text, /\bchecked\b/)
      assert.match(consentPage.text, new RegExp(`value="${other!.user_id}" disabled`))
    })
  )

  it.effect("the audit log is append-only and holds grants, refusals with reason id, replays and ends", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{
        event: string
        reason_id: string | null
      }>`SELECT DISTINCT event, reason_id FROM audit_log`
      const eventNames = new Set(rows.map((row) => `${row.event} ${row.reason_id ?? ""}`.trim()))
      for (const event of [
        "client.registered",
        "authorize.approved",
        "connection.created",
        "connection.ended",
        "app_policy.access_set",
        "token.refused TOKEN_REFRESH_GRANT_INACTIVE",
        "token.refused TOKEN_CODE_REDEMPTION_REFUSED"
      ]) {
        assert.isTrue(eventNames.has(event), `${event} in ${[...eventNames].join(", ")}`)
      }
      for (const change of ["UPDATE audit_log SET event = 'x'", "DELETE FROM audit_log", "TRUNCATE audit_log"]) {
        assert.isTrue(yield* Effect.isFailure(sql.unsafe(change)), change)
        assert.isTrue(yield* Effect.isFailure(ddl(change)), `${change}, as the owner`)
      }
    })
  )
})
