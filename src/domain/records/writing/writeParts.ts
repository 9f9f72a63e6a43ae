// Parts that the statements of record writes have in common.

import { idListOf } from "../../../platform/sql/idList.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { Traceparent } from "../../../platform/telemetry/traceContext.ts"
import type { Write, WriteEffects } from "../model/RecordRow.ts"

const json = JSON.stringify

/** The columns that each row has of its write. @param around of the span in which the statement is sent */
export const ofWrite = ({ author, cause, depth, switches, traceparent }: WriteEffects, around: Traceparent) => ({
  ...switches,
  author,
  depth,
  cause,
  traceparent: traceparent === undefined ? around : traceparent
})

export const makeWriteParts = (sql: Sql) => {
  const outboxColumns = sql.literal(
    "type, org_id, app_id, record_id, hook, workflow, silent, depth, cause, traceparent, payload, created_on"
  )
  /** The outbox columns that a write fixes for all its rows. @param around of the span in which the statement is sent */
  const effects = ({ switches, depth, cause, traceparent }: Write, around: Traceparent) =>
    sql`${switches.hook}, ${switches.workflow}, ${switches.silent}, ${depth}::int,
        ${cause === null ? null : json(cause)}::jsonb, ${traceparent ?? around}::text`
  const idList = idListOf(sql)

  return { outboxColumns, effects, idList }
}
