// Large payloads of inbound webhooks (developer-api.md 7.9) are kept once, apart from the events and runs that name them.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE webhook_payloads (
      payload_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      payload jsonb NOT NULL,
      kept_on timestamptz NOT NULL
    )`
  yield* sql`ALTER TABLE webhook_catches ADD COLUMN payload_id bigint`
  // Which runs still need one.
  yield* sql`
    CREATE INDEX run_triggers_payload ON run_triggers (((data ->> 'webhook_payload_id')::bigint))
    WHERE data ? 'webhook_payload_id'`
})
