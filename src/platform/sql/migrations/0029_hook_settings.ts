// What stands beside the record of a hook (decisions W11 to W15). Everything is null for a hook that uses none of it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `types`: the events of a hook that has more than its `type`. `sending` goes with each claimed delivery: headers, authentication,
  // retries, time-out, record; `sealed` holds the secret values of it, encrypted, in base64, by their names.
  yield* sql`
    ALTER TABLE hooks ADD COLUMN description text, ADD COLUMN paused_on timestamptz, ADD COLUMN types text[],
      ADD COLUMN filter jsonb, ADD COLUMN only_fields jsonb, ADD COLUMN per_minute integer, ADD COLUMN at_once integer,
      ADD COLUMN sending jsonb, ADD COLUMN sealed jsonb`
  // Why a hook was paused, where that is what admins are told.
  yield* sql`ALTER TABLE webhook_notices ADD COLUMN reason text`
  // Events that a filter left out: counted, not stored.
  yield* sql`
    CREATE TABLE hook_mismatches (
      hook_id bigint PRIMARY KEY REFERENCES hooks ON DELETE CASCADE,
      count bigint NOT NULL,
      last_on timestamptz NOT NULL
    ) WITH (fillfactor = 50)`
  // The window of a hook that has a limit of its own. No reference: a claim must not wait for whoever holds the hook.
  yield* sql`
    CREATE TABLE hook_windows (
      hook_id bigint PRIMARY KEY,
      window_start timestamptz NOT NULL,
      used integer NOT NULL
    ) WITH (fillfactor = 50)`
  // The last attempts to bring a code (W14), never the code itself.
  yield* sql`
    CREATE TABLE hook_verifications (
      attempt_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      hook_id bigint NOT NULL REFERENCES hooks ON DELETE CASCADE,
      attempted_on timestamptz NOT NULL,
      status_code integer,
      latency_ms integer NOT NULL,
      error text,
      response_body text
    )`
  yield* sql`CREATE INDEX hook_verifications_hook ON hook_verifications (hook_id, attempt_id)`
})
