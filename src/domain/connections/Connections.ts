// Connections: who has which, and everything that ends one (service.md 3.2; decisions O15, O17). Whoever locks several does so in the order of
// their ids, as rotations and times of last use do.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { AuditLog } from "../../ground/audit/AuditLog.ts"
import { rowsOf } from "../../ground/sql/rows.ts"
import { Sql } from "../../ground/sql/Sql.ts"
import { orSqlDefect } from "../../ground/sql/sqlDefect.ts"
import { transact } from "../../ground/sql/transact.ts"
import { ConnectionView, type EndedBy } from "./Connection.ts"
import { limits } from "./oauthLimits.ts"
import { type KeptOut, shutsOut, standingsOf, type UserStanding } from "./standing.ts"

export interface ConnectionQuery {
  readonly personId?: number | undefined
  readonly userId?: number | undefined
  readonly orgId?: number | undefined
  readonly clientId?: string | undefined
  readonly connectionId?: number | undefined
  /** Of a page; all of them without it. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** Ended and lapsed ones too. */
  readonly all?: boolean | undefined
}

/** Which connections somebody may end: a person their own, an admin those of the organization, the operator any. */
export type EndingReach =
  | { readonly personId: number }
  | { readonly orgId: number; readonly adminUserId: number }
  | "operator"

const endedByOf = (keptOut: KeptOut, standing: UserStanding): EndedBy => {
  switch (keptOut) {
    case "inactive":
      return standing.status === "removed" ? "user_removed" : "user_deactivated"
    case "guest":
      return "user_guest"
    case "user_blocked":
      return "user_blocked"
    case "admins_only":
      return "role_lost"
    default:
      return "app_blocked"
  }
}

/** All connections of a client that somebody may end at once. */
export type EndingAll = { readonly userId: number } | { readonly orgId: number; readonly adminUserId: number }

const Count = Schema.Struct({ count: Schema.Int })

const OfClient = Schema.Struct({
  client_id: Schema.String,
  client_name: Schema.NullOr(Schema.String),
  connections: Schema.Int,
  last_used_on: Schema.NullOr(Schema.Date)
})
/** Of an organization, with what is connected. */
export type OfClient = typeof OfClient.Type

const EndedConnection = Schema.Struct({
  connection_id: Schema.Int,
  org_id: Schema.Int,
  user_id: Schema.Int,
  client_id: Schema.String
})

const Gone = Schema.Struct({ connection_id: Schema.Int, org_id: Schema.Int })

const OpenConnection = Schema.Struct({
  connection_id: Schema.Int,
  user_id: Schema.Int,
  org_id: Schema.Int,
  client_id: Schema.String
})

export class Connections extends Context.Service<
  Connections,
  {
    /** Newest first. */
    readonly list: (query: ConnectionQuery) => Effect.Effect<ReadonlyArray<ConnectionView>>
    readonly count: (query: ConnectionQuery) => Effect.Effect<number>
    /** The active ones of an organization, counted by client. */
    readonly byClient: (orgId: number) => Effect.Effect<ReadonlyArray<OfClient>>
    /** False when there is no such active connection within reach. */
    readonly end: (connectionId: number, reach: EndingReach) => Effect.Effect<boolean>
    /** How many ended. */
    readonly endAll: (clientId: string, reach: EndingAll) => Effect.Effect<number>
    /** To be called in the transaction that changes a user's status or role, after the change. Returns how many ended. */
    readonly userChanged: (userId: number) => Effect.Effect<number>
    /** To be called in the transaction that changes an organization's policy for a client, after the change. */
    readonly policyChanged: (orgId: number, clientId: string) => Effect.Effect<number>
  }
>()("millrace/connections/Connections") {
  static readonly layer = Layer.effect(
    Connections,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog

      const active = (now: number) => sql`c.ended_on IS NULL AND c.last_token_on > ${new Date(now - limits.idleMillis)}
        AND (c.expires_on IS NULL OR c.expires_on > ${new Date(now)})`

      const within = (query: ConnectionQuery, now: number) =>
        sql.and([
          sql`true`,
          ...(query.personId === undefined ? [] : [sql`u.person_id = ${query.personId}`]),
          ...(query.userId === undefined ? [] : [sql`c.user_id = ${query.userId}`]),
          ...(query.orgId === undefined ? [] : [sql`c.org_id = ${query.orgId}`]),
          ...(query.clientId === undefined ? [] : [sql`c.client_id = ${query.clientId}`]),
          ...(query.connectionId === undefined ? [] : [sql`c.connection_id = ${query.connectionId}`]),
          ...(query.all === true ? [] : [active(now)])
        ])

      const list = Effect.fn("Connections.list")(function* (query: ConnectionQuery) {
        const now = yield* Clock.currentTimeMillis
        return yield* rowsOf(ConnectionView)(sql`
            SELECT c.connection_id, c.client_id, k.name AS client_name, c.user_id, u.name AS user_name, c.org_id,
              o.name AS org_name, u.role, c.scopes, c.approved_on, c.last_token_on, c.last_used_on, c.expires_on, c.ended_on,
              c.ended_by
            FROM connections c
            JOIN oauth_clients k USING (client_id)
            JOIN users u ON u.user_id = c.user_id
            JOIN organizations o ON o.org_id = c.org_id
            WHERE ${within(query, now)}
            ORDER BY c.approved_on DESC, c.connection_id DESC
            LIMIT ${query.limit ?? null}::int OFFSET ${query.offset ?? 0}::int`)
      }, orSqlDefect)

      const count = Effect.fn("Connections.count")(function* (query: ConnectionQuery) {
        const rows = yield* rowsOf(Count)(sql`
          SELECT count(*)::int AS count FROM connections c JOIN users u ON u.user_id = c.user_id
          WHERE ${within(query, yield* Clock.currentTimeMillis)}`)
        return rows[0]!.count
      }, orSqlDefect)

      const byClient = Effect.fn("Connections.byClient")(function* (orgId: number) {
        return yield* rowsOf(OfClient)(sql`
          SELECT c.client_id, k.name AS client_name, count(*)::int AS connections, max(c.last_used_on) AS last_used_on
          FROM connections c JOIN oauth_clients k USING (client_id)
          WHERE c.org_id = ${orgId} AND ${active(yield* Clock.currentTimeMillis)}
          GROUP BY c.client_id, k.name ORDER BY k.name NULLS LAST, c.client_id`)
      }, orSqlDefect)

      const audited = Effect.fnUntraced(function* (
        { client_id, connection_id, org_id, user_id }: typeof EndedConnection.Type,
        by: EndedBy,
        admin?: number
      ) {
        yield* audit.record({
          event: "connection.ended",
          orgId: org_id,
          userId: user_id,
          clientId: client_id,
          connectionId: connection_id,
          details: { by, ...(admin === undefined ? {} : { admin }) }
        })
      })

      const end = Effect.fn("Connections.end")(
        function* (connectionId: number, reach: EndingReach) {
          const now = new Date(yield* Clock.currentTimeMillis)
          const endedBy: EndedBy = reach === "operator" ? "operator" : "orgId" in reach ? "organization" : "user"
          const theirs =
            reach === "operator"
              ? sql`true`
              : "orgId" in reach
                ? sql`org_id = ${reach.orgId}`
                : sql`user_id IN (SELECT user_id FROM users WHERE person_id = ${reach.personId})`
          const [row] = yield* rowsOf(EndedConnection)(sql`
            UPDATE connections SET ended_on = ${now}, ended_by = ${endedBy}
            WHERE connection_id = ${connectionId} AND ended_on IS NULL AND ${theirs}
            RETURNING connection_id, org_id, user_id, client_id`)
          if (row === undefined) return false
          const admin = typeof reach === "object" && "orgId" in reach ? reach.adminUserId : undefined
          yield* audited(row, endedBy, admin)
          return true
        },
        transact(sql),
        orSqlDefect
      )

      const endAll = Effect.fn("Connections.endAll")(
        function* (clientId: string, reach: EndingAll) {
          const now = yield* Clock.currentTimeMillis
          const organization = "orgId" in reach
          const endedBy: EndedBy = organization ? "organization" : "user"
          const theirs = organization ? sql`c.org_id = ${reach.orgId}` : sql`c.user_id = ${reach.userId}`
          const rows = yield* rowsOf(EndedConnection)(sql`
            UPDATE connections c SET ended_on = ${new Date(now)}, ended_by = ${endedBy}
            WHERE c.connection_id IN (
              SELECT c.connection_id FROM connections c WHERE c.client_id = ${clientId} AND ${theirs} AND ${active(now)}
              ORDER BY c.connection_id FOR NO KEY UPDATE)
            RETURNING connection_id, org_id, user_id, client_id`)
          for (const row of rows) yield* audited(row, endedBy, organization ? reach.adminUserId : undefined)
          return rows.length
        },
        transact(sql),
        orSqlDefect
      )

      /** Ends, of the given active connections, those whose user's standing shuts them out. */
      const endShutOut = Effect.fnUntraced(
        function* (rows: ReadonlyArray<{ connection_id: number; user_id: number; org_id: number; client_id: string }>) {
          const now = new Date(yield* Clock.currentTimeMillis)
          let ended = 0
          for (const clientId of new Set(rows.map((row) => row.client_id))) {
            const ofClient = rows.filter((row) => row.client_id === clientId)
            const standings = yield* standingsOf(sql, [...new Set(ofClient.map((row) => row.user_id))], clientId)
            for (const standing of standings) {
              const keptOut = shutsOut(standing)
              if (keptOut === undefined) continue
              const by = endedByOf(keptOut, standing)
              const gone = yield* rowsOf(Gone)(sql`
                UPDATE connections SET ended_on = ${now}, ended_by = ${by}
                WHERE user_id = ${standing.user_id} AND client_id = ${clientId} AND ended_on IS NULL
                RETURNING connection_id, org_id`)
              for (const { connection_id, org_id } of gone) {
                yield* audited({ connection_id, org_id, user_id: standing.user_id, client_id: clientId }, by)
              }
              ended += gone.length
            }
          }
          return ended
        },
        transact(sql),
        orSqlDefect
      )

      const userChanged = Effect.fn("Connections.userChanged")(function* (userId: number) {
        return yield* endShutOut(
          yield* rowsOf(OpenConnection)(sql`
              SELECT connection_id, user_id, org_id, client_id FROM connections WHERE user_id = ${userId} AND ended_on IS NULL
              ORDER BY connection_id FOR NO KEY UPDATE`)
        )
      }, orSqlDefect)

      const policyChanged = Effect.fn("Connections.policyChanged")(function* (orgId: number, clientId: string) {
        return yield* endShutOut(
          yield* rowsOf(OpenConnection)(sql`
              SELECT connection_id, user_id, org_id, client_id FROM connections
              WHERE org_id = ${orgId} AND client_id = ${clientId} AND ended_on IS NULL
              ORDER BY connection_id FOR NO KEY UPDATE`)
        )
      }, orSqlDefect)

      return Connections.of({ list, count, byClient, end, endAll, userChanged, policyChanged })
    })
  )
}
