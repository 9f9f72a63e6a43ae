// Automations that a portable file has made, found again by the file's key (`automation apply`).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE automations ADD COLUMN apply_key text`
  yield* sql`
    CREATE UNIQUE INDEX automations_apply_key ON automations (org_id, apply_key)
    WHERE apply_key IS NOT NULL AND deleted_on IS NULL`
})
