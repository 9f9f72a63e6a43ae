// Replays of many deliveries as jobs (decisions W16): what each chose, how far it is, and the gate that its deliveries pass.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `position`: the last delivery of the log that was looked at; `counted`: all of them were. `begun` have passed the gate.
  yield* sql`
    CREATE TABLE webhook_replays (
      replay_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      hook_id bigint NOT NULL REFERENCES hooks ON DELETE CASCADE,
      app_id bigint NOT NULL,
      state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'done', 'cancelled', 'stopped')),
      since timestamptz NOT NULL,
      until timestamptz,
      statuses text[] NOT NULL,
      errors text[],
      types text[],
      per_minute integer,
      chosen integer NOT NULL DEFAULT 0,
      begun integer NOT NULL DEFAULT 0,
      position bigint NOT NULL DEFAULT 0,
      last_event bigint NOT NULL,
      counted boolean NOT NULL DEFAULT false,
      window_start timestamptz,
      window_used integer NOT NULL DEFAULT 0,
      created_on timestamptz NOT NULL,
      ended_on timestamptz
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX webhook_replays_hook ON webhook_replays (hook_id, replay_id)`
  yield* sql`CREATE INDEX webhook_replays_open ON webhook_replays (app_id) WHERE ended_on IS NULL`
  // A gated row is blocked until its replay lets it through. `former`: the status that its delivery goes back to when the replay is
  // cancelled before that.
  yield* sql`
    ALTER TABLE webhook_queue ADD COLUMN replay_id bigint, ADD COLUMN gated boolean NOT NULL DEFAULT false,
      ADD COLUMN former text`
  yield* sql`
    CREATE INDEX webhook_queue_replay ON webhook_queue (replay_id, gated, due_at, event_id) WHERE replay_id IS NOT NULL`
  // Executions of the window that were replays.
  yield* sql`ALTER TABLE webhook_windows ADD COLUMN replays integer NOT NULL DEFAULT 0`
})
