// What owners of automations are told by mail: broken, and runs that begin to fail. A round claims a notice before it mails it,
// those of webhooks too, so that several processes send none twice.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE webhook_notices ADD COLUMN claimed_until timestamptz`
  // Written with its cause; `run_id` is set where runs fail.
  yield* sql`
    CREATE TABLE automation_notices (
      notice_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      automation_id bigint NOT NULL,
      org_id bigint NOT NULL,
      kind text NOT NULL CHECK (kind IN ('broken', 'failing')),
      cause text NOT NULL,
      run_id bigint,
      claimed_until timestamptz,
      created_on timestamptz NOT NULL
    )`
  // Automations that have failed: `failing` since their last run that failed, until one succeeds. `told` counts the mails since
  // `told_since`.
  yield* sql`
    CREATE TABLE automation_failing (
      automation_id bigint PRIMARY KEY,
      failing boolean NOT NULL,
      told integer NOT NULL DEFAULT 0,
      told_since timestamptz
    ) WITH (fillfactor = 50)`
})
