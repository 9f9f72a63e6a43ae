// Whose authority a run has (decisions A20): a revision keeps its author and the reach of the credential that saved it. What was
// there before belongs to the automation's owner and reaches everything.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Null: everything that the author may do (src/domain/accounts/Authority.ts).
  yield* sql`ALTER TABLE automation_revisions ADD COLUMN reach jsonb`
  yield* sql`
    UPDATE automation_revisions r SET author_id = a.owner_id FROM automations a
    WHERE a.automation_id = r.automation_id AND r.author_id IS DISTINCT FROM a.owner_id`
  // `user_id`: who is told, where that is not the owner.
  yield* sql`ALTER TABLE automation_notices ADD COLUMN user_id bigint`
  yield* sql`ALTER TABLE automation_notices DROP CONSTRAINT automation_notices_kind_check`
  yield* sql`
    ALTER TABLE automation_notices ADD CONSTRAINT automation_notices_kind_check
      CHECK (kind IN ('broken', 'failing', 'taken_over'))`
})
