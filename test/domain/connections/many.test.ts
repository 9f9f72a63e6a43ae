// service.md 3.2, decisions O15, O17: tens of thousands of connections end a thousand at a time, so that nobody who renews one of another
// organization waits for all of them; each is over as soon as its thousand is, and what a process leaves is ended by another.
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { AppPolicies } from "../../../src/domain/connections/AppPolicies.ts"
import { Connections } from "../../../src/domain/connections/Connections.ts"
import { Clients } from "../../../src/domain/oauth/clients/Clients.ts"
import { appLayer, seedOrganization, seedUser } from "../../support/app.ts"
import { eventually } from "../../support/eventually.ts"
import { waitingForMe } from "../../support/locks.ts"
import { registerClient } from "../../support/oauth.ts"

const MANY = 3_500

const many = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { orgId, owner } = yield* seedOrganization()
  const user = yield* seedUser(orgId, "member")
  const clientId = yield* registerClient()
  yield* sql`
    INSERT INTO connections (client_id, user_id, org_id, scopes, approved_on, created_on, last_token_on)
    SELECT ${clientId}, ${user.userId}, ${orgId}, '{records:read}', now(), now(), now() FROM generate_series(1, ${MANY}::int)`
  const openConnections = Effect.map(
    sql<{ n: number }>`SELECT count(*)::int AS n FROM connections WHERE client_id = ${clientId} AND ended_on IS NULL`,
    (rows) => rows[0]!.n
  )
  const audited = Effect.map(
    sql<{ n: number }>`
      SELECT count(*)::int AS n FROM audit_log
      WHERE client_id = ${clientId} AND event = 'connection.ended' AND user_id = ${user.userId} AND org_id = ${orgId}`,
    (rows) => rows[0]!.n
  )
  return { audited, clientId, open: openConnections, orgId, owner, user }
})

type Many = Effect.Success<typeof many>

/** Ends them while somebody holds the last one: those before it are over by then. */
const whileTheLastIsHeld = Effect.fnUntraced(function* <A, E, R>(
  { clientId, open }: Many,
  ending: Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const rowLocked = yield* Deferred.make<void>()
  const endingFiber = yield* Effect.forkChild(Effect.andThen(Deferred.await(rowLocked), ending))
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`
        SELECT 1 FROM connections WHERE client_id = ${clientId} ORDER BY connection_id DESC LIMIT 1 FOR NO KEY UPDATE`
      yield* Deferred.succeed(rowLocked, undefined)
      yield* eventually("it waits for the last one", waitingForMe, ({ length }) => length === 1)
      assert.isAtMost(yield* open, 1_000)
    })
  )
  return yield* Fiber.join(endingFiber)
})

layer(appLayer({ OAUTH_REGISTER_PER_HOUR: "1000" }), { excludeTestServices: true })("many connections", (it) => {
  it.effect("an admin ends those of an app", () =>
    Effect.gen(function* () {
      const setting = yield* many
      const { endAll } = yield* Connections
      const reach = { orgId: setting.orgId, adminUserId: setting.owner.userId }
      assert.strictEqual(yield* whileTheLastIsHeld(setting, endAll(setting.clientId, reach)), MANY)
      assert.deepStrictEqual([yield* setting.open, yield* setting.audited], [0, MANY])
    })
  )

  it.effect("an organization blocks the app", () =>
    Effect.gen(function* () {
      const setting = yield* many
      const { setAccess } = yield* AppPolicies
      const actor = { orgId: setting.orgId, userId: setting.owner.userId }
      assert.strictEqual(yield* whileTheLastIsHeld(setting, setAccess(actor, setting.clientId, "blocked")), MANY)
      assert.deepStrictEqual([yield* setting.open, yield* setting.audited], [0, MANY])
    })
  )

  it.effect("an operator disables the client", () =>
    Effect.gen(function* () {
      const setting = yield* many
      const { disable } = yield* Clients
      yield* whileTheLastIsHeld(setting, disable(setting.clientId))
      assert.deepStrictEqual([yield* setting.open, yield* setting.audited], [0, 0])
    })
  )

  it.effect("a process that ended in the middle: the next round of housekeeping goes on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [blocked, barred, disabled, other] = [yield* many, yield* many, yield* many, yield* many]
      yield* sql`INSERT INTO org_app_policies (org_id, client_id, access) VALUES (${blocked.orgId}, ${blocked.clientId}, 'blocked')`
      yield* sql`INSERT INTO org_app_user_blocks (user_id, client_id) VALUES (${barred.user.userId}, ${barred.clientId})`
      yield* sql`UPDATE oauth_clients SET disabled_on = now() WHERE client_id = ${disabled.clientId}`
      const { endLeftOver } = yield* Connections
      assert.strictEqual(yield* endLeftOver, 3 * MANY)
      assert.deepStrictEqual(yield* Effect.all([blocked.open, barred.open, disabled.open, other.open]), [0, 0, 0, MANY])
      assert.strictEqual(yield* endLeftOver, 0)
    })
  )
})
