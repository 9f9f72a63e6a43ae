// Why a run waits, what caused it (developer-api.md 7.13), and what its list is searched by. Runs of the release before that wait
// are in a delay; what had caused a run was not kept.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // With `wait_until`: set by the statement that has the run wait, emptied by the one that goes on. The line for a place says so itself.
  yield* sql`
    ALTER TABLE runs ADD COLUMN wait_why text CHECK (wait_why IN ('delay', 'credits', 'retry', 'called_run')),
      ADD COLUMN wait_since timestamptz, ADD COLUMN caused_by_run_id bigint`
  yield* sql`
    UPDATE runs r SET wait_why = 'delay', wait_since = coalesce(
      (SELECT max(l.started_on) FROM run_ledger l WHERE l.run_id = r.run_id AND l.path = r.cursor ->> 'path' AND l.state = 'started'),
      r.created_on)
    WHERE wait_until IS NOT NULL AND completed_on IS NULL`
  yield* sql`CREATE INDEX runs_caused_by ON runs (caused_by_run_id, run_id) WHERE caused_by_run_id IS NOT NULL`
  yield* sql`CREATE INDEX runs_of_chain ON runs (root_run_id, run_id) WHERE root_run_id IS NOT NULL`
  yield* sql`CREATE INDEX runs_of_record ON runs (record_id, run_id DESC) WHERE record_id IS NOT NULL`
  yield* sql`CREATE INDEX runs_with_error ON runs (app_id, run_id DESC) WHERE error_message IS NOT NULL`
})
