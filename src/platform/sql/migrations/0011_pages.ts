// Which of a person's users the pages act for (decisions O12: a person may be a user in several organizations).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE sessions ADD COLUMN user_id bigint REFERENCES users`
})
