// The file that a job leaves (developer-api.md 7.11): of an import, the rows that were not imported. `file_holds` keeps it as long as the job.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE jobs ADD COLUMN file_id bigint`
})
