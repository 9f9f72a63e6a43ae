// The end of a person's sessions and of their half-done sign-ins, but for one (decisions O12), in the transaction of what ends them. That holds the
// person's row: a session that begins meanwhile is waited for, and goes too.
import type { Sql } from "../../ground/sql/Sql.ts"

export const endSessions = (sql: Sql, personId: number, kept: number | null = null) => sql`
  DELETE FROM sessions WHERE (person_id = ${personId} OR pending_person_id = ${personId})
    AND session_id IS DISTINCT FROM ${kept}::bigint`
