// Who has made a link to a simulation, with what of their credential (decisions A24): what a click runs has no more than their rights.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE weblinks ADD COLUMN asked_by jsonb`
})
