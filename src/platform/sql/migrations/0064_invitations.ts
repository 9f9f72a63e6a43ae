// Invitations (developer-api.md 11.5): one for each user who has not accepted yet. Only the hash of its token is kept, and none before its
// mail goes out. What waits to be mailed is a row of its own, which goes with the invitation.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `invited_by` is null for the operator and has no foreign key: an invitation by somebody who is gone is worth nothing.
  yield* sql`
    CREATE TABLE invitations (
      user_id bigint PRIMARY KEY REFERENCES users ON DELETE CASCADE,
      token_hash bytea UNIQUE,
      status text NOT NULL CHECK (status IN ('queued', 'sent', 'failed', 'shown', 'withdrawn')),
      invited_by bigint,
      created_on timestamptz NOT NULL,
      expires_on timestamptz NOT NULL
    )`
  yield* sql`
    CREATE TABLE invitation_notices (
      notice_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id bigint NOT NULL UNIQUE REFERENCES invitations ON DELETE CASCADE,
      created_on timestamptz NOT NULL,
      claimed_until timestamptz
    )`
})
