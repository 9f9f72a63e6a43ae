// One row per actor: its state, when it wants to wake, and the fence that decides who may commit (design: actors).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE actors (
      actor_key text PRIMARY KEY,
      kind text NOT NULL,
      id text NOT NULL,
      org_id bigint,
      state text NOT NULL CHECK (state IN ('asleep', 'called', 'awake')),
      fence bigint NOT NULL DEFAULT 0,
      wake_at timestamptz,
      called_at timestamptz,
      seen_at timestamptz,
      UNIQUE (kind, id)
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX actors_called ON actors (called_at) WHERE state = 'called'`
  yield* sql`CREATE INDEX actors_wake ON actors (wake_at) WHERE state = 'asleep' AND wake_at IS NOT NULL`
  yield* sql`CREATE INDEX actors_awake ON actors (seen_at) WHERE state = 'awake'`
  // Batches begun by the relay and not committed: survives a process, not a database crash, and costs no disk flush.
  yield* sql`CREATE UNLOGGED TABLE relay_attempts (name text PRIMARY KEY, tries integer NOT NULL)`
})
