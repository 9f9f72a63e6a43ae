// How many runs of an automation are under way at once, and changes that are gathered before they fire (developer-api.md 7.13).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE automations ADD COLUMN concurrency jsonb, ADD COLUMN debounce_ms integer`
  // `turn_wanted_on`: in the line of its automation. `debounced_until`: has not fired, a later change of the record moves it on.
  yield* sql`
    ALTER TABLE runs ADD COLUMN turn_wanted_on timestamptz, ADD COLUMN debounced_until timestamptz, ADD COLUMN cancel_reason text`
  yield* sql`CREATE INDEX runs_turns_wanted ON runs (automation_id, run_id) WHERE turn_wanted_on IS NOT NULL`
  yield* sql`
    CREATE UNIQUE INDEX runs_debounced ON runs (automation_id, record_id)
    WHERE debounced_until IS NOT NULL AND completed_on IS NULL`
  // A parked row holds up nobody: it waits for its instant, or (at infinity) to be called. There may be many, so that the line of
  // the others is an index of its own.
  yield* sql`ALTER TABLE automation_inbox ADD COLUMN parked boolean NOT NULL DEFAULT false`
  yield* sql`DROP INDEX automation_inbox_line`
  yield* sql`CREATE INDEX automation_inbox_line ON automation_inbox (app_id, automation_id, row_id) WHERE NOT parked`
  yield* sql`CREATE INDEX automation_inbox_parked ON automation_inbox (app_id, due_at) WHERE parked`
  yield* sql`CREATE INDEX automation_inbox_parked_run ON automation_inbox (run_id) WHERE parked`
})
