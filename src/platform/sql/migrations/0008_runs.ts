// Runs of automations: mailbox, ledger, log, values, places and credits, due dates, weblinks, inbound webhooks
// (developer-api.md 7.5, 7.9 to 7.11; decisions A1, A3, A5). Hot tables carry no foreign keys; retention deletes by run.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // An event is kept once for all the automations that it concerns; it goes with its last mailbox row.
  yield* sql`
    CREATE TABLE automation_events (
      event_id bigint PRIMARY KEY,
      type text NOT NULL,
      org_id bigint NOT NULL,
      app_id bigint NOT NULL,
      record_id bigint,
      depth integer NOT NULL,
      cause jsonb,
      payload jsonb NOT NULL,
      created_on timestamptz NOT NULL
    )`
  // The mailbox of the actors `automations/app/<app_id>`. `lane` is the record whose runs start in event order (A17);
  // rows without a lane wait for nobody. Commands have no automation.
  yield* sql`
    CREATE TABLE automation_inbox (
      row_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      app_id bigint NOT NULL,
      org_id bigint NOT NULL,
      automation_id bigint NOT NULL,
      event_id bigint NOT NULL,
      lane bigint,
      run_id bigint,
      due_at timestamptz NOT NULL,
      fence bigint NOT NULL DEFAULT 0,
      claims integer NOT NULL DEFAULT 0,
      UNIQUE (event_id, automation_id)
    ) WITH (fillfactor = 70)`
  yield* sql`CREATE INDEX automation_inbox_line ON automation_inbox (app_id, automation_id, row_id)`
  yield* sql`CREATE INDEX automation_inbox_due ON automation_inbox (due_at)`
  // `cursor`: the next node and its iterations; null once the run is over. `fence` grows with whoever executes.
  yield* sql`
    CREATE TABLE runs (
      run_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint NOT NULL,
      app_id bigint NOT NULL,
      automation_id bigint NOT NULL,
      revision_id bigint NOT NULL,
      event_id bigint NOT NULL,
      type text NOT NULL CHECK (type IN ('regular', 'manual', 'simulation')),
      status text NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
      cursor jsonb,
      fence bigint NOT NULL DEFAULT 0,
      durable boolean NOT NULL,
      workflow_started_on timestamptz,
      wait_until timestamptz,
      place_wanted_on timestamptz,
      cancel_requested_on timestamptz,
      record_id bigint,
      record_revision integer,
      triggered_by_automation_id bigint,
      retry_of_run_id bigint,
      root_run_id bigint,
      depth integer NOT NULL,
      chain bigint[] NOT NULL,
      log_seq integer NOT NULL DEFAULT 0,
      credits integer NOT NULL DEFAULT 0,
      executed_ms bigint NOT NULL DEFAULT 0,
      most_recent_error text,
      failure_reason text,
      error_message text,
      created_on timestamptz NOT NULL,
      filtering_on timestamptz,
      started_on timestamptz,
      completed_on timestamptz,
      UNIQUE (automation_id, event_id)
    ) WITH (fillfactor = 50)`
  yield* sql`CREATE INDEX runs_of_automation ON runs (automation_id, run_id DESC)`
  yield* sql`CREATE INDEX runs_of_app ON runs (app_id, run_id DESC)`
  yield* sql`CREATE INDEX runs_of_org ON runs (org_id, run_id DESC)`
  yield* sql`CREATE INDEX runs_open ON runs (automation_id, run_id) WHERE completed_on IS NULL`
  yield* sql`CREATE INDEX runs_places_wanted ON runs (org_id, place_wanted_on, run_id) WHERE place_wanted_on IS NOT NULL`
  yield* sql`CREATE INDEX runs_completed ON runs (completed_on)`
  // What happened (decisions A7): apart from the run's row, which every step updates.
  yield* sql`CREATE TABLE run_triggers (run_id bigint PRIMARY KEY, data jsonb NOT NULL)`
  // One row per step and iteration, committed with the effect (A1). `result`: a delay's instant, a loop's size, how far
  // a step over a collection has come. `attempts` above 1: an outside step began again after a crash.
  yield* sql`
    CREATE TABLE run_ledger (
      run_id bigint NOT NULL,
      path text NOT NULL,
      iteration text NOT NULL,
      action_id text NOT NULL,
      state text NOT NULL CHECK (state IN ('started', 'done', 'failed')),
      attempts integer NOT NULL DEFAULT 1,
      result jsonb,
      started_on timestamptz NOT NULL,
      done_on timestamptz,
      PRIMARY KEY (run_id, path, iteration)
    ) WITH (fillfactor = 80)`
  // Items of a loop or targets of a step over a collection, read once at its start, a hundred a row.
  yield* sql`
    CREATE TABLE run_items (
      run_id bigint NOT NULL,
      path text NOT NULL,
      iteration text NOT NULL,
      chunk integer NOT NULL,
      items jsonb NOT NULL,
      PRIMARY KEY (run_id, path, iteration, chunk)
    )`
  yield* sql`
    CREATE TABLE run_variables (
      run_id bigint NOT NULL,
      custom_type text NOT NULL,
      label text NOT NULL,
      seq integer NOT NULL,
      value jsonb,
      PRIMARY KEY (run_id, custom_type, label)
    )`
  // The latest output of each kind and app; app 0 where it has none.
  yield* sql`
    CREATE TABLE run_outputs (
      run_id bigint NOT NULL,
      type text NOT NULL,
      app_id bigint NOT NULL,
      seq integer NOT NULL,
      output jsonb NOT NULL,
      PRIMARY KEY (run_id, type, app_id)
    )`
  // What the clicker of a weblink gets to see (7.10).
  yield* sql`
    CREATE TABLE run_pages (
      run_id bigint PRIMARY KEY,
      html text NOT NULL DEFAULT '',
      fullscreen boolean NOT NULL DEFAULT false,
      remove_branding boolean NOT NULL DEFAULT false,
      redirect text
    )`
  yield* sql`
    CREATE TABLE run_logs (
      run_id bigint NOT NULL,
      seq integer NOT NULL,
      type text NOT NULL CHECK (type IN ('trigger', 'filter', 'action', 'exception')),
      status text NOT NULL CHECK (status IN ('in_progress', 'success', 'failure', 'skipped', 'cancelled')),
      label text NOT NULL,
      messages jsonb NOT NULL,
      action_id text,
      record_id bigint,
      detail jsonb,
      logged_on timestamptz NOT NULL,
      PRIMARY KEY (run_id, seq)
    )`
  // At most 50 at once per organization (7.11 rule 7).
  yield* sql`CREATE TABLE run_places (run_id bigint PRIMARY KEY, org_id bigint NOT NULL, taken_on timestamptz NOT NULL)`
  yield* sql`CREATE INDEX run_places_org ON run_places (org_id)`
  yield* sql`
    CREATE TABLE run_credits (
      org_id bigint NOT NULL,
      hour timestamptz NOT NULL,
      used bigint NOT NULL,
      PRIMARY KEY (org_id, hour)
    ) WITH (fillfactor = 50)`
  // A request that waits for its run (sync webhook, weblink): outcome without a run, or the run.
  yield* sql`
    CREATE TABLE run_waits (
      wait_key text PRIMARY KEY,
      run_id bigint,
      refused text,
      created_on timestamptz NOT NULL
    )`
  // Instants of `date_field_arrived`, kept in step with the record in its own transaction (A5).
  yield* sql`
    CREATE TABLE calendar_due (
      automation_id bigint NOT NULL,
      record_id bigint NOT NULL,
      app_id bigint NOT NULL,
      org_id bigint NOT NULL,
      due_at timestamptz NOT NULL,
      fence bigint NOT NULL DEFAULT 0,
      claims integer NOT NULL DEFAULT 0,
      PRIMARY KEY (automation_id, record_id)
    ) WITH (fillfactor = 80)`
  yield* sql`CREATE INDEX calendar_due_at ON calendar_due (due_at)`
  yield* sql`CREATE INDEX calendar_due_record ON calendar_due (record_id)`
  // Of `periodic`: the latest instant that has been fired or skipped, since when instants count, and for which schedule.
  yield* sql`
    CREATE TABLE automation_schedules (
      automation_id bigint PRIMARY KEY,
      armed_on timestamptz NOT NULL,
      definition jsonb NOT NULL,
      last_instant timestamptz
    )`
  yield* sql`
    CREATE TABLE webhook_catches (
      automation_id bigint PRIMARY KEY,
      payload jsonb,
      files jsonb,
      received_on timestamptz,
      window_on timestamptz,
      window_count integer NOT NULL DEFAULT 0
    )`
  yield* sql`
    CREATE TABLE weblinks (
      weblink_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      token_hash bytea NOT NULL UNIQUE,
      automation_id bigint NOT NULL,
      record_id bigint NOT NULL,
      triggering_record_id bigint,
      arguments jsonb NOT NULL,
      run_type text NOT NULL,
      expires_on timestamptz,
      once boolean NOT NULL,
      clicks integer NOT NULL DEFAULT 0,
      window_on timestamptz,
      window_count integer NOT NULL DEFAULT 0,
      depth integer NOT NULL,
      cause jsonb,
      triggered_by_automation_id bigint,
      created_on timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX weblinks_automation ON weblinks (automation_id)`
})
