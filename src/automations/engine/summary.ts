// What people call a run in Temporal's lists: its automation, trigger and record.
import type { SqlClient, Statement } from "effect/sql"

/** A column of `runs r JOIN automations a`. */
export const summaryColumn = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`concat_ws(' · ', a.name,
    (SELECT l.label FROM run_logs l WHERE l.run_id = r.run_id AND l.type = 'trigger' ORDER BY l.seq LIMIT 1),
    (SELECT t.data -> 'record' ->> 'title' FROM run_triggers t WHERE t.run_id = r.run_id)) AS summary`)
