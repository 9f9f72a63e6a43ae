// Mail accounts that an organization makes itself are guarded: their servers pass the rules of what leaves the service (decisions W9, P3),
// those of the operator do not. What a person is to be told of their second step waits here until it is mailed.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE smtp_accounts ADD COLUMN guarded boolean NOT NULL DEFAULT false`
  yield* sql`
    CREATE TABLE factor_notices (
      notice_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      person_id bigint NOT NULL REFERENCES people ON DELETE CASCADE,
      news jsonb NOT NULL,
      created_on timestamptz NOT NULL,
      claimed_until timestamptz
    )`
  yield* sql`CREATE INDEX factor_notices_person ON factor_notices (person_id)`
})
