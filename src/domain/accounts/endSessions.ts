// Ends a person's sessions and half-done sign-ins except one (decisions O12), in the transaction of the cause. That transaction locks the
// person's row: it waits for a session that is being created, and ends that one too.
import type { Sql } from "../../platform/sql/Sql.ts"

export const endSessions = (sql: Sql, personId: number, kept: number | null = null) => sql`
  DELETE FROM sessions WHERE (person_id = ${personId} OR pending_person_id = ${personId})
    AND session_id IS DISTINCT FROM ${kept}::bigint`
