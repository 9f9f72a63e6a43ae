// Ends many connections, a thousand per transaction: concurrent renewals and uses wait only for these, and so do connections of other
// organizations in the same statement. The first thousand end in the transaction of the cause.
import { Clock, Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { AuditLog } from "../../platform/audit/AuditLog.ts"
import { rowsOf } from "../../platform/sql/rows.ts"
import type { Sql } from "../../platform/sql/Sql.ts"
import { transact } from "../../platform/sql/transact.ts"
import type { EndedBy } from "./Connection.ts"

const PIECE = 1_000

interface ToEnd {
  readonly connection_id: number
  readonly by: EndedBy
}

/**
 * Number of connections that have ended, and the effect that ends the others: run it after the caller's transaction, if any, has committed.
 */
export interface EndedSoFar {
  readonly ended: number
  readonly rest: Effect.Effect<number, SqlError>
}

const Ended = Schema.Struct({
  connection_id: Schema.Int,
  org_id: Schema.Int,
  user_id: Schema.Int,
  client_id: Schema.String,
  ended_by: Schema.String
})

export const nothingEnded: EndedSoFar = { ended: 0, rest: Effect.succeed(0) }

export const makeEndConnections = (sql: Sql, audit: AuditLog["Service"]) => {
  /** Ends those that are still active, and returns them. */
  const endSilently = Effect.fnUntraced(function* (these: ReadonlyArray<ToEnd>) {
    if (these.length === 0) return []
    const nowDate = new Date(yield* Clock.currentTimeMillis)
    return yield* rowsOf(Ended)(sql`
      WITH held AS MATERIALIZED (
        SELECT c.connection_id, g.by
        FROM jsonb_to_recordset(${JSON.stringify(these)}::jsonb) AS g (connection_id bigint, by text) JOIN connections c USING (connection_id)
        WHERE c.ended_on IS NULL ORDER BY c.connection_id FOR NO KEY UPDATE OF c
      )
      UPDATE connections c SET ended_on = ${nowDate}, ended_by = held.by FROM held WHERE c.connection_id = held.connection_id
      RETURNING c.connection_id, c.org_id, c.user_id, c.client_id, c.ended_by`)
  }, transact(sql))

  /**
   * In the audit log, too; how many.
   * @param admin who ends them, by user
   */
  const end = Effect.fnUntraced(function* (these: ReadonlyArray<ToEnd>, admin?: number) {
    const endedConnections = yield* endSilently(these)
    yield* audit.recordAll(
      endedConnections.map(({ client_id, connection_id, ended_by, org_id, user_id }) => ({
        event: "connection.ended",
        orgId: org_id,
        userId: user_id,
        clientId: client_id,
        connectionId: connection_id,
        details: { by: ended_by, ...(admin === undefined ? {} : { admin }) }
      }))
    )
    return endedConnections.length
  }, transact(sql))

  /** @param piece in a transaction: how many of these it has ended */
  const inPieces = Effect.fnUntraced(function* <A>(
    all: ReadonlyArray<A>,
    piece: (these: ReadonlyArray<A>) => Effect.Effect<number, SqlError>
  ) {
    const from = (at: number) => piece(all.slice(at, at + PIECE))
    const endRemaining = Effect.gen(function* () {
      let endedCount = 0
      for (let start = PIECE; start < all.length; start += PIECE) endedCount += yield* from(start)
      return endedCount
    })
    return { ended: yield* from(0), rest: endRemaining } satisfies EndedSoFar
  })

  return { end, endSilently, inPieces }
}

/** Ends all of them, each batch in its own transaction. */
export const toTheEnd = ({ ended, rest }: EndedSoFar) => Effect.map(rest, (more) => ended + more)
