// Rules of an organization for apps: which may connect, for whom (decisions O15). A stricter rule ends the connections that it forbids.
import { Context, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { ValidationError } from "../../platform/primitives/errors.ts"
import { countOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { transact } from "../../platform/sql/transact.ts"
import { Connections } from "./Connections.ts"
import { AppAccess, PolicyMode, standingsOf, type UserStanding } from "./connectPermission.ts"
import { nothingEnded, toTheEnd } from "./endConnections.ts"

export const AppPolicy = Schema.Struct({
  client_id: Schema.String,
  client_name: Schema.NullOr(Schema.String),
  /** Null when only a user is blocked or connected, without an entry for the app. */
  access: Schema.NullOr(AppAccess),
  blocked_user_ids: Schema.Array(Schema.Int)
})
export type AppPolicy = typeof AppPolicy.Type

export interface Actor {
  readonly orgId: number
  readonly userId: number
}

/** Apps for which an organization may have a rule, or a block of a user. */
const ruledApps = 500

const Mode = Schema.Struct({ mode: PolicyMode })

export class AppPolicies extends Context.Service<
  AppPolicies,
  {
    readonly mode: (orgId: number) => Effect.Effect<PolicyMode>
    readonly setMode: (actor: Actor, mode: PolicyMode) => Effect.Effect<void>
    /** The entries of the organization, apps with blocked users included. */
    readonly list: (orgId: number) => Effect.Effect<ReadonlyArray<AppPolicy>>
    /** `null` removes the entry. Returns how many connections ended. */
    readonly setAccess: (
      actor: Actor,
      clientId: string,
      access: AppAccess | null
    ) => Effect.Effect<number, ValidationError>
    readonly setUserBlock: (
      actor: Actor,
      clientId: string,
      userId: number,
      blocked: boolean
    ) => Effect.Effect<number, ValidationError>
    /** Standings of users towards a client, by user id. */
    readonly standings: (
      userIds: ReadonlyArray<number>,
      clientId: string
    ) => Effect.Effect<ReadonlyMap<number, UserStanding>>
  }
>()("millrace/connections/AppPolicies") {
  static readonly layer = Layer.effect(
    AppPolicies,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog
      const connections = yield* Connections

      // Redemptions hold this row in share mode: a rule and a redemption never miss each other.
      const lock = (orgId: number) => sql`SELECT 1 FROM organizations WHERE org_id = ${orgId} FOR NO KEY UPDATE`

      const ruled = (orgId: number) => sql`
        SELECT client_id FROM org_app_policies WHERE org_id = ${orgId}
        UNION SELECT client_id FROM org_app_user_blocks JOIN users USING (user_id) WHERE org_id = ${orgId}`

      /** Under the lock. */
      const checkRoom = Effect.fnUntraced(function* (orgId: number, clientId: string) {
        const otherAppCount = yield* countOf(
          sql`SELECT count(*)::int AS n FROM (${ruled(orgId)}) x WHERE client_id <> ${clientId}`
        )
        if (otherAppCount >= ruledApps)
          return yield* new ValidationError({
            message: `There are rules for ${ruledApps} apps, the most there can be. Take one away first.`
          })
      })

      const mode = Effect.fn("AppPolicies.mode")(function* (orgId: number) {
        const rows = yield* rowsOf(Mode)(sql`SELECT mode FROM org_app_modes WHERE org_id = ${orgId}`)
        return rows[0]?.mode ?? "all"
      }, orSqlDefect)

      const setMode = Effect.fn("AppPolicies.setMode")(
        function* (actor: Actor, to: PolicyMode) {
          yield* lock(actor.orgId)
          yield* sql`
            INSERT INTO org_app_modes (org_id, mode) VALUES (${actor.orgId}, ${to})
            ON CONFLICT (org_id) DO UPDATE SET mode = excluded.mode`
          yield* audit.record({
            event: "app_policy.mode_set",
            orgId: actor.orgId,
            userId: actor.userId,
            details: { mode: to }
          })
        },
        transact(sql),
        orSqlDefect
      )

      const list = Effect.fn("AppPolicies.list")(function* (orgId: number) {
        return yield* rowsOf(AppPolicy)(sql`
            SELECT x.client_id, k.name AS client_name, p.access, COALESCE(b.ids, '{}') AS blocked_user_ids
            FROM (${ruled(orgId)}) x
            LEFT JOIN oauth_clients k USING (client_id)
            LEFT JOIN org_app_policies p ON p.org_id = ${orgId} AND p.client_id = x.client_id
            LEFT JOIN LATERAL (
              SELECT array_agg(user_id ORDER BY user_id) AS ids FROM org_app_user_blocks JOIN users USING (user_id)
              WHERE org_id = ${orgId} AND client_id = x.client_id
            ) b ON true
            ORDER BY k.name NULLS LAST, x.client_id`)
      }, orSqlDefect)

      const setAccess = Effect.fn("AppPolicies.setAccess")(
        function* (actor: Actor, clientId: string, access: AppAccess | null) {
          yield* lock(actor.orgId)
          if (access === null) {
            yield* sql`DELETE FROM org_app_policies WHERE org_id = ${actor.orgId} AND client_id = ${clientId}`
          } else {
            yield* checkRoom(actor.orgId, clientId)
            yield* sql`
              INSERT INTO org_app_policies (org_id, client_id, access) VALUES (${actor.orgId}, ${clientId}, ${access})
              ON CONFLICT (org_id, client_id) DO UPDATE SET access = excluded.access`
          }
          yield* audit.record({
            event: "app_policy.access_set",
            orgId: actor.orgId,
            userId: actor.userId,
            clientId,
            details: { access }
          })
          return yield* connections.policyChanged(actor.orgId, clientId)
        },
        transact(sql),
        Effect.flatMap(toTheEnd),
        orSqlDefect
      )

      const setUserBlock = Effect.fn("AppPolicies.setUserBlock")(
        function* (actor: Actor, clientId: string, userId: number, blocked: boolean) {
          yield* lock(actor.orgId)
          const users = yield* sql`SELECT 1 FROM users WHERE user_id = ${userId} AND org_id = ${actor.orgId}`
          if (users.length === 0) return nothingEnded
          if (blocked) {
            yield* checkRoom(actor.orgId, clientId)
            yield* sql`
              INSERT INTO org_app_user_blocks (user_id, client_id) VALUES (${userId}, ${clientId}) ON CONFLICT DO NOTHING`
          } else {
            yield* sql`DELETE FROM org_app_user_blocks WHERE user_id = ${userId} AND client_id = ${clientId}`
          }
          yield* audit.record({
            event: blocked ? "app_policy.user_blocked" : "app_policy.user_unblocked",
            orgId: actor.orgId,
            userId: actor.userId,
            clientId,
            details: { blocked_user_id: userId }
          })
          return yield* connections.policyChanged(actor.orgId, clientId)
        },
        transact(sql),
        Effect.flatMap(toTheEnd),
        orSqlDefect
      )

      const standings = Effect.fn("AppPolicies.standings")(function* (
        userIds: ReadonlyArray<number>,
        clientId: string
      ) {
        const rows = yield* standingsOf(sql, userIds, clientId)
        return new Map(rows.map((row) => [row.user_id, row] as const))
      }, orSqlDefect)
      return AppPolicies.of({ mode, setMode, list, setAccess, setUserBlock, standings })
    })
  )
}
