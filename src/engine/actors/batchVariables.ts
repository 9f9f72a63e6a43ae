// Names the app and record ids of a batch in session variables, set by the statement that takes the batch (relayShards.ts). The kinds'
// look-ups follow that statement without waiting for its answer (ActorKind.look). Outside of such a transaction the variables are unset and
// the look-ups fail.
import type { Statement } from "effect/sql"
import type { Sql } from "../../platform/sql/Sql.ts"

const APPS = "millrace.apps"
const RECORDS = "millrace.records"

/** SQL of one row that sets the variables; `events`: a table of outbox rows. Commands are facts of no app. */
export const setBatchVariables = (sql: Sql, events: Statement.Fragment) => sql`
  SELECT set_config(${sql.literal(`'${APPS}'`)},
      coalesce(array_agg(DISTINCT app_id) FILTER (WHERE type NOT LIKE 'command.%' AND app_id IS NOT NULL), '{}')::text, true) AS apps,
    set_config(${sql.literal(`'${RECORDS}'`)},
      coalesce(array_agg(DISTINCT record_id) FILTER (WHERE record_id IS NOT NULL), '{}')::text, true) AS records
  FROM ${events}`

const apps = `current_setting('${APPS}')::bigint[]`

/** `app_id = ${batchApps(sql)}`: apps of the events, commands left out. */
export const batchApps = (sql: Sql) => sql.literal(`ANY(${apps})`)

/** Table of the same apps. */
export const eachBatchApp = (sql: Sql) => sql.literal(`unnest(${apps})`)

/** `record_id = ${batchRecords(sql)}`: records of all events. */
export const batchRecords = (sql: Sql) => sql.literal(`ANY(current_setting('${RECORDS}')::bigint[])`)
