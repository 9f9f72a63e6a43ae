// The second step of a sign-in (decisions, "The second step"): authenticator apps and passkeys of people, their recovery codes, sessions whose
// password was right and whose second step is open, and organizations that ask for it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE factors (
      factor_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      person_id bigint NOT NULL REFERENCES people,
      kind text NOT NULL CHECK (kind IN ('totp', 'passkey')),
      name text NOT NULL,
      secret bytea,
      last_step bigint,
      credential_id text UNIQUE,
      public_key bytea,
      counter bigint,
      transports text[],
      created_on timestamptz NOT NULL,
      last_used_on timestamptz,
      CHECK (CASE kind WHEN 'totp' THEN secret IS NOT NULL
        ELSE credential_id IS NOT NULL AND public_key IS NOT NULL AND counter IS NOT NULL END)
    )`
  yield* sql`CREATE INDEX factors_person ON factors (person_id)`
  yield* sql`
    CREATE TABLE recovery_codes (
      person_id bigint NOT NULL REFERENCES people,
      code_hash bytea NOT NULL,
      used_on timestamptz,
      PRIMARY KEY (person_id, code_hash)
    )`
  yield* sql`
    CREATE TABLE org_factor_policies (
      org_id bigint PRIMARY KEY REFERENCES organizations,
      required_from timestamptz NOT NULL
    )`
  // A session with a pending person has none yet: whoever asks for its person finds nobody.
  yield* sql`
    ALTER TABLE sessions
      ADD COLUMN pending_person_id bigint REFERENCES people,
      ADD COLUMN confirmed_on timestamptz,
      ADD COLUMN challenge text,
      ADD COLUMN challenge_expires_on timestamptz,
      ADD CONSTRAINT sessions_pending CHECK (person_id IS NULL OR pending_person_id IS NULL)`
  yield* sql`CREATE INDEX sessions_pending_person ON sessions (pending_person_id) WHERE pending_person_id IS NOT NULL`
})
