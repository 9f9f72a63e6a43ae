// Senders that an inbound address has refused lately (developer-api.md 7.9), beside the count of its requests.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE catch_windows
      ADD COLUMN refused_count integer NOT NULL DEFAULT 0,
      ADD COLUMN refused_since timestamptz,
      ADD COLUMN refused_on timestamptz`
})
