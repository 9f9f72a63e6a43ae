// Hooks, their deliveries with every attempt, and the open work of their actors (service.md 2.6; decisions W1 to W10).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `secret`, `former_secrets` and `code` are encrypted (decisions O9); `former_secrets` lists `{ secret, until }`, the secret in
  // base64, the latest first. `alerted`: the share of the failure threshold that
  // the admins were last told of. `verified_on` is null until the first verification, before which nothing is recorded.
  yield* sql`
    CREATE TABLE hooks (
      hook_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint NOT NULL,
      app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
      type text NOT NULL,
      url text NOT NULL,
      host text NOT NULL,
      status text NOT NULL DEFAULT 'inactive' CHECK (status IN ('inactive', 'active')),
      num_failed_executions integer NOT NULL DEFAULT 0,
      alerted integer NOT NULL DEFAULT 0,
      secret bytea NOT NULL,
      former_secrets jsonb NOT NULL DEFAULT '[]',
      verification integer NOT NULL DEFAULT 0,
      code bytea,
      code_expires_on timestamptz,
      code_guesses integer NOT NULL DEFAULT 0,
      verified_on timestamptz,
      lost_on timestamptz,
      created_by bigint NOT NULL,
      created_on timestamptz NOT NULL
    ) WITH (fillfactor = 70)`
  yield* sql`CREATE INDEX hooks_app ON hooks (app_id, hook_id)`
  // The delivery log. No index but the key holds a column that attempts change, so that their updates stay in the page.
  yield* sql`
    CREATE TABLE webhook_deliveries (
      hook_id bigint NOT NULL,
      event_id bigint NOT NULL,
      record_id bigint,
      type text NOT NULL,
      status text NOT NULL CHECK (status IN ('queued', 'retrying', 'delivered', 'failed', 'withheld', 'expired')),
      payload text NOT NULL,
      num_attempts integer NOT NULL DEFAULT 0,
      next_attempt_on timestamptz,
      withheld_on timestamptz,
      created_on timestamptz NOT NULL,
      PRIMARY KEY (hook_id, event_id)
    ) WITH (fillfactor = 80)`
  yield* sql`CREATE INDEX webhook_deliveries_age ON webhook_deliveries USING brin (created_on)`
  yield* sql`
    CREATE TABLE webhook_attempts (
      hook_id bigint NOT NULL,
      event_id bigint NOT NULL,
      attempt integer NOT NULL,
      attempted_on timestamptz NOT NULL,
      status_code integer,
      latency_ms integer NOT NULL,
      error text,
      response_body text,
      next_attempt_on timestamptz,
      PRIMARY KEY (hook_id, event_id, attempt)
    )`
  yield* sql`CREATE INDEX webhook_attempts_age ON webhook_attempts USING brin (attempted_on)`
  // Open deliveries. `ordered`: a first attempt, of which one per hook and record is in the air; those behind it are
  // `blocked` until it has its answer (W3). Retries and replays are neither.
  yield* sql`
    CREATE TABLE webhook_queue (
      hook_id bigint NOT NULL,
      event_id bigint NOT NULL,
      app_id bigint NOT NULL,
      record_id bigint,
      ordered boolean NOT NULL,
      blocked boolean NOT NULL,
      tries integer NOT NULL DEFAULT 0,
      due_at timestamptz NOT NULL,
      fence bigint NOT NULL DEFAULT 0,
      claims integer NOT NULL DEFAULT 0,
      PRIMARY KEY (hook_id, event_id)
    ) WITH (fillfactor = 70)`
  yield* sql`CREATE INDEX webhook_queue_due ON webhook_queue (app_id, hook_id, (tries > 0), due_at, event_id) WHERE NOT blocked`
  yield* sql`CREATE INDEX webhook_queue_order ON webhook_queue (hook_id, record_id, event_id) WHERE ordered`
  // Starts and ends of verifications, carried out by the app's actor (W6).
  yield* sql`
    CREATE TABLE webhook_commands (
      event_id bigint PRIMARY KEY,
      app_id bigint NOT NULL,
      hook_id bigint NOT NULL,
      verification integer NOT NULL,
      step text NOT NULL CHECK (step IN ('requested', 'validated', 'deleted')),
      due_at timestamptz NOT NULL,
      fence bigint NOT NULL DEFAULT 0,
      claims integer NOT NULL DEFAULT 0
    )`
  yield* sql`CREATE INDEX webhook_commands_app ON webhook_commands (app_id, event_id)`
  // The fixed window of W4, counted at the claim. `cap` is what the window began with, for operators and the sweep.
  yield* sql`
    CREATE TABLE webhook_windows (
      app_id bigint PRIMARY KEY,
      window_start timestamptz NOT NULL,
      used integer NOT NULL,
      cap integer NOT NULL
    ) WITH (fillfactor = 50)`
  // What admins are still to be told by mail (W1); written with the executions, gone once the mail is on its way.
  yield* sql`
    CREATE TABLE webhook_notices (
      notice_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      hook_id bigint NOT NULL,
      app_id bigint NOT NULL,
      org_id bigint NOT NULL,
      host text NOT NULL,
      type text NOT NULL,
      failures integer NOT NULL,
      allowed integer NOT NULL,
      share integer,
      created_on timestamptz NOT NULL
    )`
})
