// Ends connections in the transaction of a redemption, each with its entry in the audit log (decisions O17).
import { Effect, Schema } from "effect"
import type { AuditLog } from "../../../../platform/audit/AuditLog.ts"
import { rowsOf } from "../../../../platform/sql/rows.ts"
import type { Sql } from "../../../../platform/sql/Sql.ts"
import type { EndedBy } from "../../../connections/Connection.ts"

export const ConnectionId = Schema.Struct({ connection_id: Schema.Int })

export const makeConnectionEnds = (sql: Sql, audit: AuditLog["Service"]) =>
  Effect.fnUntraced(function* (ids: ReadonlyArray<number>, by: EndedBy, now: Date) {
    const endedRows = yield* rowsOf(ConnectionId)(sql`
      UPDATE connections SET ended_on = ${now}, ended_by = ${by}
      WHERE connection_id = ANY(${ids.map(String)}::bigint[]) AND ended_on IS NULL RETURNING connection_id`)
    for (const { connection_id: connectionId } of endedRows) {
      yield* audit.record({ event: "connection.ended", connectionId, details: { by } })
    }
  })
