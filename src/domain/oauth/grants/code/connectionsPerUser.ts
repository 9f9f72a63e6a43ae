// Number of connections that a user keeps with a client (service.md 2.2, 8; decisions O17): ten, or exactly one if the operator registered
// the client so.
import { Effect } from "effect"
import type { AuditLog } from "../../../../platform/audit/AuditLog.ts"
import { rowsOf } from "../../../../platform/sql/rows.ts"
import type { Sql } from "../../../../platform/sql/Sql.ts"
import { activeIn, type EndedBy } from "../../../connections/Connection.ts"
import { limits } from "../../../connections/oauthLimits.ts"
import { ConnectionId, makeConnectionEnds } from "./connectionEnds.ts"
import type { Redemption } from "./Redemption.ts"

export const makeConnectionsPerUser = (sql: Sql, audit: AuditLog["Service"]) => {
  const endConnections = makeConnectionEnds(sql, audit)

  /** Ends the former connection of a one-per-user client, or those beyond the limit of ten, oldest approval first. */
  return Effect.fnUntraced(function* ({ client, code, now }: Redemption, connectionId: number) {
    const active = yield* rowsOf(ConnectionId)(sql`
      SELECT connection_id FROM connections c
      WHERE user_id = ${code.user_id} AND client_id = ${code.client_id} AND ${activeIn(sql, now)}
      ORDER BY approved_on, connection_id`)
    const otherIds = active.map((row) => row.connection_id).filter((id) => id !== connectionId)
    const excessIds = client.one_connection
      ? otherIds
      : active.map((row) => row.connection_id).slice(0, Math.max(0, active.length - limits.connectionsPerUserAndClient))
    if (excessIds.length === 0) return
    const by: EndedBy = client.one_connection ? "replaced" : "limit"
    yield* endConnections(excessIds, by, new Date(now))
  })
}
