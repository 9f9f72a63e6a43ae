// What a run answers to who waits for it at its inbound address, beside the text (developer-api.md 7.9): status, headers, a file. Null in what
// the release before writes, which says the text alone.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE run_pages ADD COLUMN answer jsonb`
})
