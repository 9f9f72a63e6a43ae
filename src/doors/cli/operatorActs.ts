// For whom the operator's commands act on automations: the automation itself, and a user with all that they may do (decisions P1).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { CallerShape, OrgRole } from "../../domain/accounts/Caller.ts"
import {
  automationColumns,
  readRow,
  type StoredAutomation
} from "../../domain/automations/definitions/StoredAutomation.ts"
import { NotFound } from "../../ground/primitives/errors.ts"

export const findAutomation = Effect.fnUntraced(function* (id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<StoredAutomation>`
    SELECT ${sql.literal(automationColumns)} FROM automations x JOIN apps a USING (app_id)
    WHERE x.automation_id = ${id} AND x.deleted_on IS NULL`
  return row === undefined ? yield* new NotFound({ message: `No automation with id ${id}.` }) : readRow(row)
})

/** The user as a caller with everything that user may do. */
export const callerOf = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* SqlClient.SqlClient
  const [user] = yield* sql<{ org_id: number; person_id: number; role: OrgRole }>`
    SELECT org_id, person_id, role FROM users WHERE user_id = ${userId} AND status = 'active'`
  if (user === undefined) return yield* new NotFound({ message: `No active user with id ${userId}.` })
  return {
    userId,
    orgId: user.org_id,
    personId: user.person_id,
    role: user.role,
    author: { type: "user", user_id: userId },
    credential: { type: "session", id: 0, clientId: null, expiresOn: null },
    scopes: "all",
    selection: "all"
  } satisfies CallerShape
})
