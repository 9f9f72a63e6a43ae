// Determines for whom the operator's commands act on automations: the automation itself, and a user with all that they may do (decisions
// P1).
import { Effect, Schema } from "effect"
import { Access } from "../../domain/accounts/Access.ts"
import { type CallerShape, OrgRole } from "../../domain/accounts/Caller.ts"
import { automationColumns, readRow, StoredAutomation } from "../../domain/automations/definitions/StoredAutomation.ts"
import { NotFound } from "../../platform/primitives/errors.ts"
import { rowOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"

export const findAutomation = Effect.fnUntraced(function* (id: number) {
  const sql = yield* Sql
  const row = yield* rowOf(StoredAutomation)(sql`
    SELECT ${sql.literal(automationColumns)} FROM automations x JOIN apps a USING (app_id)
    WHERE x.automation_id = ${id} AND x.deleted_on IS NULL`)
  return row === undefined ? yield* new NotFound({ message: `No automation with id ${id}.` }) : readRow(row)
})

const ActingUser = Schema.Struct({ org_id: Schema.Int, person_id: Schema.Int, role: OrgRole })

/** The user as a caller with everything that user may do. */
export const callerOf = Effect.fnUntraced(function* (userId: number) {
  const sql = yield* Sql
  const user = yield* rowOf(ActingUser)(sql`
    SELECT org_id, person_id, role FROM users WHERE user_id = ${userId} AND status = 'active'`)
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

/** Access to an automation as its owner has it, or as the named user has it. */
export const grantOf = Effect.fnUntraced(function* (automationId: number, userId?: number) {
  const { owner_id } = yield* findAutomation(automationId)
  return yield* (yield* Access).check(yield* callerOf(userId ?? owner_id), "automation", automationId, 5)
})
