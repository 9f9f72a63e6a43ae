// Readable summary of a run for Temporal's lists: its automation, trigger and record.
import type { Statement } from "effect/sql"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { TriggerData } from "../model/RunScope.ts"
import type { LogEntry } from "./RunRow.ts"

/** Summary of a run that has just been created, without a query. */
export const summaryOf = (
  name: string,
  { logs, trigger }: { readonly logs: ReadonlyArray<LogEntry>; readonly trigger: TriggerData }
): string => [name, logs[0]?.label, trigger.record?.title].filter((part) => part !== undefined).join(" · ")

/** Summary of a stored run: a column of `runs r JOIN automations a`. */
export const summaryColumn = (sql: Sql): Statement.Fragment =>
  sql.literal(`concat_ws(' · ', a.name,
    (SELECT l.label FROM run_logs l WHERE l.run_id = r.run_id AND l.type = 'trigger' ORDER BY l.seq LIMIT 1),
    (SELECT t.data -> 'record' ->> 'title' FROM run_triggers t WHERE t.run_id = r.run_id)) AS summary`)
