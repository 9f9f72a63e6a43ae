// Executions of hooks counted by the minute, later by the hour, with a histogram of their latencies: statistics cost the same however
// long the log of deliveries is.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE hook_statistics (
      hook_id bigint NOT NULL REFERENCES hooks ON DELETE CASCADE,
      counted_on timestamptz NOT NULL,
      delivered integer NOT NULL,
      retrying integer NOT NULL,
      failed integer NOT NULL,
      withheld integer NOT NULL,
      latency integer[] NOT NULL,
      PRIMARY KEY (hook_id, counted_on)
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX hook_statistics_age ON hook_statistics USING brin (counted_on)`
  yield* sql`
    CREATE INDEX hook_statistics_fine ON hook_statistics (counted_on)
    WHERE extract(minute FROM counted_on AT TIME ZONE 'UTC') <> 0`
})
