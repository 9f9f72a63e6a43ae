// Names the app and record ids of a batch in session variables, set by the statement that takes the batch (relayShards.ts). The kinds'
// look-ups follow that statement without waiting for its answer (ActorKind.look). Outside of such a transaction the variables are unset and
// the look-ups fail.
import type { Statement } from "effect/sql"
import type { Sql } from "../../ground/sql/Sql.ts"

const APPS = "millrace.apps"
const RECORDS = "millrace.records"

/** A row; `events`: a table of outbox rows. Commands are facts of no app. */
export const said = (sql: Sql, events: Statement.Fragment) => sql`
  SELECT set_config(${sql.literal(`'${APPS}'`)},
      coalesce(array_agg(DISTINCT app_id) FILTER (WHERE type NOT LIKE 'command.%' AND app_id IS NOT NULL), '{}')::text, true) AS apps,
    set_config(${sql.literal(`'${RECORDS}'`)},
      coalesce(array_agg(DISTINCT record_id) FILTER (WHERE record_id IS NOT NULL), '{}')::text, true) AS records
  FROM ${events}`

const apps = `current_setting('${APPS}')::bigint[]`

/** `app_id = ${appsAtHand(sql)}`: those of the events that are no commands. */
export const appsAtHand = (sql: Sql) => sql.literal(`ANY(${apps})`)

/** The same as a table. */
export const eachAppAtHand = (sql: Sql) => sql.literal(`unnest(${apps})`)

/** `record_id = ${recordsAtHand(sql)}`: of all events. */
export const recordsAtHand = (sql: Sql) => sql.literal(`ANY(current_setting('${RECORDS}')::bigint[])`)
