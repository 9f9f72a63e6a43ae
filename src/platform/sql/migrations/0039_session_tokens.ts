// Tokens of signed-in pages (decisions, "The console"): minutes long, of one session and one of its person's users. They go with the session.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE session_tokens (
      token_hash bytea PRIMARY KEY,
      session_id bigint NOT NULL REFERENCES sessions ON DELETE CASCADE,
      user_id bigint NOT NULL REFERENCES users,
      expires_on timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX session_tokens_session ON session_tokens (session_id, expires_on)`
  yield* sql`CREATE INDEX session_tokens_expiry ON session_tokens (expires_on)`
})
