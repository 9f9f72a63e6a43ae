// Automations and their revisions (developer-api.md 7.1 to 7.3). A run keeps the revision that it started with (decisions A2).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `activated_on` is null for a draft. `field_ids`, `app_ids`, `automation_ids`: what the definition names, so that what
  // depends on a removed thing is found by index. `inbound_*`: the token of webhook_received, hashed to find it, sealed to show it.
  yield* sql`
    CREATE TABLE automations (
      automation_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint NOT NULL,
      app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
      owner_id bigint NOT NULL REFERENCES users,
      name text NOT NULL,
      description text,
      timezone text NOT NULL,
      paused boolean NOT NULL DEFAULT true,
      broken boolean NOT NULL DEFAULT false,
      broken_reason jsonb,
      activated_on timestamptz,
      version integer NOT NULL DEFAULT 1,
      revision_id bigint NOT NULL,
      trigger jsonb,
      trigger_type text GENERATED ALWAYS AS (trigger ->> 'type') STORED,
      filter jsonb,
      actions jsonb NOT NULL,
      field_ids bigint[] NOT NULL,
      app_ids bigint[] NOT NULL,
      automation_ids bigint[] NOT NULL,
      inbound_hash bytea,
      inbound_sealed bytea,
      created_on timestamptz NOT NULL,
      updated_on timestamptz NOT NULL,
      deleted_on timestamptz
    )`
  yield* sql`CREATE INDEX automations_app ON automations (app_id, automation_id) WHERE deleted_on IS NULL`
  yield* sql`CREATE INDEX automations_org ON automations (org_id, automation_id) WHERE deleted_on IS NULL`
  yield* sql`CREATE INDEX automations_owner ON automations (owner_id) WHERE deleted_on IS NULL`
  // What an event fires: the active automations of an app by trigger.
  yield* sql`
    CREATE INDEX automations_active ON automations (app_id, trigger_type)
    WHERE NOT paused AND NOT broken AND deleted_on IS NULL`
  yield* sql`CREATE UNIQUE INDEX automations_inbound ON automations (inbound_hash) WHERE inbound_hash IS NOT NULL`
  yield* sql`CREATE INDEX automations_field_ids ON automations USING gin (field_ids)`
  yield* sql`CREATE INDEX automations_app_ids ON automations USING gin (app_ids)`
  yield* sql`CREATE INDEX automations_automation_ids ON automations USING gin (automation_ids)`
  // `version` is null for the snapshots of simulations, which no listing shows.
  yield* sql`
    CREATE TABLE automation_revisions (
      revision_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      automation_id bigint NOT NULL REFERENCES automations ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      version integer,
      author_id bigint,
      name text NOT NULL,
      timezone text NOT NULL,
      paused boolean NOT NULL,
      broken boolean NOT NULL,
      trigger jsonb,
      filter jsonb,
      actions jsonb NOT NULL,
      created_on timestamptz NOT NULL,
      UNIQUE (automation_id, version)
    )`
})
