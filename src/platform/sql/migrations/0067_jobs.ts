// Jobs: work on many things that goes on in the background (developer-api.md 7.11). Automations that are paused after failures in a row.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `user_id`: whose rights act, within `reach`; null: the operator, who works for no organization. `position`: how far the work has come,
  // as the job's kind writes it. `looked_on`: the last sign of its workflow.
  yield* sql`
    CREATE TABLE jobs (
      job_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint,
      user_id bigint,
      reach jsonb,
      connection_id bigint,
      kind text NOT NULL,
      input jsonb NOT NULL,
      status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
      position text,
      done integer NOT NULL DEFAULT 0,
      total integer NOT NULL,
      counts jsonb NOT NULL DEFAULT '{}',
      report jsonb NOT NULL DEFAULT '[]',
      created_on timestamptz NOT NULL,
      looked_on timestamptz,
      completed_on timestamptz
    )`
  yield* sql`CREATE INDEX jobs_listed ON jobs (org_id, job_id DESC)`
  yield* sql`CREATE INDEX jobs_open ON jobs (job_id) WHERE completed_on IS NULL`
  yield* sql`CREATE INDEX jobs_completed ON jobs (completed_on) WHERE completed_on IS NOT NULL`
  // `paused_reason`: why the service paused the automation; null if a person did. `streak`: regular runs that have failed in a row, counted
  // while the automation has the setting.
  yield* sql`ALTER TABLE automations ADD COLUMN pause_after_failures integer, ADD COLUMN paused_reason jsonb`
  yield* sql`ALTER TABLE automation_failing ADD COLUMN streak integer NOT NULL DEFAULT 0`
  yield* sql`ALTER TABLE automation_notices DROP CONSTRAINT automation_notices_kind_check`
  yield* sql`
    ALTER TABLE automation_notices ADD CONSTRAINT automation_notices_kind_check
      CHECK (kind IN ('broken', 'failing', 'taken_over', 'paused'))`
})
