// The outbox: every event and command, written in the transaction of its change (design: one flow; decisions W10).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE outbox (
      event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      type text NOT NULL,
      org_id bigint NOT NULL,
      app_id bigint,
      record_id bigint,
      hook boolean NOT NULL DEFAULT true,
      workflow boolean NOT NULL DEFAULT true,
      silent boolean NOT NULL DEFAULT false,
      depth integer NOT NULL DEFAULT 0,
      cause jsonb,
      payload jsonb NOT NULL,
      attempts integer NOT NULL DEFAULT 0,
      set_aside text,
      created_on timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX outbox_open ON outbox (event_id) WHERE set_aside IS NULL`
})
