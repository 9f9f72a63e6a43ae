// Connections: lists them, and ends them for every cause (service.md 3.2; decisions O15, O17). Whoever locks several does so in the order
// of their ids, as rotations and times of last use do.
import { Clock, Context, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { AuditLog } from "../../platform/audit/AuditLog.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"
import { orSqlDefect } from "../../platform/sql/sqlDefect.ts"
import { transact } from "../../platform/sql/transact.ts"
import { activeIn, ConnectionView, type EndedBy } from "./Connection.ts"
import { type KeptOut, shutsOut, standingsOf, type UserStanding } from "./connectPermission.ts"
import { type EndedSoFar, makeEndConnections, toTheEnd } from "./endConnections.ts"

export interface ConnectionQuery {
  readonly personId?: number | undefined
  readonly userId?: number | undefined
  readonly orgId?: number | undefined
  readonly clientId?: string | undefined
  readonly connectionId?: number | undefined
  /** Size of a page; without it all are returned. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  /** Ended and lapsed ones too. */
  readonly all?: boolean | undefined
}

/** Connections that the caller may end: a person their own, an admin those of the organization, the operator any. */
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

/** Reach of a caller who ends all connections of a client at once. */
export type EndingAll = { readonly userId: number } | { readonly orgId: number; readonly adminUserId: number }

const Count = Schema.Struct({ count: Schema.Int })

const OfClient = Schema.Struct({
  client_id: Schema.String,
  client_name: Schema.NullOr(Schema.String),
  connections: Schema.Int,
  last_used_on: Schema.NullOr(Schema.Date)
})
/** Client of an organization with its number of connections. */
export type OfClient = typeof OfClient.Type

const ConnectionId = Schema.Struct({ connection_id: Schema.Int })

const as = (by: EndedBy) => (rows: ReadonlyArray<typeof ConnectionId.Type>) => rows.map((row) => ({ ...row, by }))

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
    /** Ends connections, a thousand at a time. Returns how many ended. */
    readonly endAll: (clientId: string, reach: EndingAll) => Effect.Effect<number>
    /** Call it in the transaction that changes a user's status or role, after the change. Returns how many connections ended. */
    readonly userChanged: (userId: number) => Effect.Effect<number>
    /** Call it in the transaction that changes an organization's policy for a client, after the change. */
    readonly policyChanged: (orgId: number, clientId: string) => Effect.Effect<EndedSoFar>
    /** Call it in the transaction that disables a client, after the change. The audit log names the client, not its connections. */
    readonly clientDisabled: (clientId: string) => Effect.Effect<EndedSoFar>
    /** Ends connections that a rule or a disabled client forbids but an interrupted process has left active. Returns how many. */
    readonly endLeftOver: Effect.Effect<number>
  }
>()("millrace/connections/Connections") {
  static readonly layer = Layer.effect(
    Connections,
    Effect.gen(function* () {
      const sql = yield* Sql
      const audit = yield* AuditLog

      const whereOf = (query: ConnectionQuery, now: number) =>
        sql.and([
          sql`true`,
          ...(query.personId === undefined ? [] : [sql`u.person_id = ${query.personId}`]),
          ...(query.userId === undefined ? [] : [sql`c.user_id = ${query.userId}`]),
          ...(query.orgId === undefined ? [] : [sql`c.org_id = ${query.orgId}`]),
          ...(query.clientId === undefined ? [] : [sql`c.client_id = ${query.clientId}`]),
          ...(query.connectionId === undefined ? [] : [sql`c.connection_id = ${query.connectionId}`]),
          ...(query.all === true ? [] : [activeIn(sql, now)])
        ])

      const list = Effect.fn("Connections.list")(function* (query: ConnectionQuery) {
        const nowMillis = yield* Clock.currentTimeMillis
        return yield* rowsOf(ConnectionView)(sql`
            SELECT c.connection_id, c.client_id, k.name AS client_name, c.user_id, u.name AS user_name, c.org_id,
              o.name AS org_name, u.role, c.scopes, c.approved_on, c.last_token_on, c.last_used_on, c.expires_on, c.ended_on,
              c.ended_by
            FROM connections c
            JOIN oauth_clients k USING (client_id)
            JOIN users u ON u.user_id = c.user_id
            JOIN organizations o ON o.org_id = c.org_id
            WHERE ${whereOf(query, nowMillis)}
            ORDER BY c.approved_on DESC, c.connection_id DESC
            LIMIT ${query.limit ?? null}::int OFFSET ${query.offset ?? 0}::int`)
      }, orSqlDefect)

      const count = Effect.fn("Connections.count")(function* (query: ConnectionQuery) {
        const rows = yield* rowsOf(Count)(sql`
          SELECT count(*)::int AS count FROM connections c JOIN users u ON u.user_id = c.user_id
          WHERE ${whereOf(query, yield* Clock.currentTimeMillis)}`)
        return rows[0]!.count
      }, orSqlDefect)

      const byClient = Effect.fn("Connections.byClient")(function* (orgId: number) {
        return yield* rowsOf(OfClient)(sql`
          SELECT c.client_id, k.name AS client_name, count(*)::int AS connections, max(c.last_used_on) AS last_used_on
          FROM connections c JOIN oauth_clients k USING (client_id)
          WHERE c.org_id = ${orgId} AND ${activeIn(sql, yield* Clock.currentTimeMillis)}
          GROUP BY c.client_id, k.name ORDER BY k.name NULLS LAST, c.client_id`)
      }, orSqlDefect)

      const { end: endThese, endSilently, inPieces } = makeEndConnections(sql, audit)

      const end = Effect.fn("Connections.end")(function* (connectionId: number, reach: EndingReach) {
        const by: EndedBy = reach === "operator" ? "operator" : "orgId" in reach ? "organization" : "user"
        const theirs =
          reach === "operator"
            ? sql`true`
            : "orgId" in reach
              ? sql`org_id = ${reach.orgId}`
              : sql`user_id IN (SELECT user_id FROM users WHERE person_id = ${reach.personId})`
        const matchingRows = yield* rowsOf(ConnectionId)(sql`
          SELECT connection_id FROM connections WHERE connection_id = ${connectionId} AND ${theirs}`)
        const admin = typeof reach === "object" && "orgId" in reach ? reach.adminUserId : undefined
        const endedCount = yield* endThese(as(by)(matchingRows), admin)
        return endedCount > 0
      }, orSqlDefect)

      const endAll = Effect.fn("Connections.endAll")(function* (clientId: string, reach: EndingAll) {
        const organization = "orgId" in reach
        const by: EndedBy = organization ? "organization" : "user"
        const admin = organization ? reach.adminUserId : undefined
        const theirs = organization ? sql`c.org_id = ${reach.orgId}` : sql`c.user_id = ${reach.userId}`
        const activeRows = yield* rowsOf(ConnectionId)(sql`
          SELECT c.connection_id FROM connections c
          WHERE c.client_id = ${clientId} AND ${theirs} AND ${activeIn(sql, yield* Clock.currentTimeMillis)} ORDER BY c.connection_id`)
        return yield* toTheEnd(yield* inPieces(as(by)(activeRows), (these) => endThese(these, admin)))
      }, orSqlDefect)

      type Open = typeof OpenConnection.Type

      /** Ends, of the given connections, those whose user's standing shuts them out. */
      const endShutOut = Effect.fnUntraced(function* (rows: ReadonlyArray<Open>) {
        const out: Array<{ readonly connection_id: number; readonly by: EndedBy }> = []
        for (const [clientId, ofClient] of Map.groupBy(rows, (row) => row.client_id)) {
          const standingRows = yield* standingsOf(sql, [...new Set(ofClient.map((row) => row.user_id))], clientId)
          const standings = new Map(standingRows.map((standing) => [standing.user_id, standing]))
          for (const { connection_id, user_id } of ofClient) {
            const userStanding = standings.get(user_id)!
            const keptOut = shutsOut(userStanding)
            if (keptOut !== undefined) out.push({ connection_id, by: endedByOf(keptOut, userStanding) })
          }
        }
        return yield* endThese(out)
      }, transact(sql))

      const openConnections = (where: Statement.Fragment) =>
        rowsOf(OpenConnection)(sql`
          SELECT c.connection_id, c.user_id, c.org_id, c.client_id FROM connections c
          WHERE c.ended_on IS NULL AND ${where} ORDER BY c.connection_id`)

      const userChanged = Effect.fn("Connections.userChanged")(function* (userId: number) {
        return yield* endShutOut(yield* openConnections(sql`c.user_id = ${userId}`))
      }, orSqlDefect)

      const policyChanged = Effect.fn("Connections.policyChanged")(function* (orgId: number, clientId: string) {
        return yield* inPieces(
          yield* openConnections(sql`c.org_id = ${orgId} AND c.client_id = ${clientId}`),
          endShutOut
        )
      }, orSqlDefect)
      const ofDisabled = (where: Statement.Fragment) =>
        Effect.flatMap(
          rowsOf(ConnectionId)(sql`
            SELECT c.connection_id FROM connections c JOIN oauth_clients k USING (client_id)
            WHERE c.ended_on IS NULL AND k.disabled_on IS NOT NULL AND ${where} ORDER BY c.connection_id`),
          (rows) =>
            inPieces(as("client_disabled")(rows), (these) => Effect.map(endSilently(these), (ended) => ended.length))
        )

      const clientDisabled = Effect.fn("Connections.clientDisabled")(
        (clientId: string) => ofDisabled(sql`c.client_id = ${clientId}`),
        orSqlDefect
      )

      const endLeftOver = Effect.gen(function* () {
        const ruled = yield* openConnections(sql`(
          EXISTS (SELECT 1 FROM org_app_policies p
            WHERE p.org_id = c.org_id AND p.client_id = c.client_id AND p.access <> 'everyone')
          OR EXISTS (SELECT 1 FROM org_app_user_blocks b WHERE b.user_id = c.user_id AND b.client_id = c.client_id))`)
        const shutOut = yield* toTheEnd(yield* inPieces(ruled, endShutOut))
        return shutOut + (yield* toTheEnd(yield* ofDisabled(sql`true`)))
      }).pipe(orSqlDefect, Effect.withSpan("Connections.endLeftOver"))

      return Connections.of({
        list,
        count,
        byClient,
        end,
        endAll,
        userChanged,
        policyChanged,
        clientDisabled,
        endLeftOver
      })
    })
  )
}
