// Organizations, people, users, workspaces, credentials (developer-api.md 1.7, 2; decisions O9, O12).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE organizations (
      org_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL,
      slug text NOT NULL UNIQUE,
      url text, description text, website text, location text,
      plan text NOT NULL DEFAULT 'standard',
      limits jsonb NOT NULL DEFAULT '{}',
      created_on timestamptz NOT NULL
    )`
  yield* sql`
    CREATE TABLE people (
      person_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      email text NOT NULL,
      name text NOT NULL,
      password_hash text,
      created_on timestamptz NOT NULL,
      last_sign_in_on timestamptz
    )`
  yield* sql`CREATE UNIQUE INDEX people_email ON people (lower(email))`
  yield* sql`
    CREATE TABLE users (
      user_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint NOT NULL REFERENCES organizations,
      person_id bigint NOT NULL REFERENCES people,
      name text NOT NULL,
      role text NOT NULL CHECK (role IN ('owner', 'admin', 'member', 'guest')),
      status text NOT NULL CHECK (status IN ('active', 'deactivated', 'invited', 'removed')),
      phone text, job_description text, image text,
      timezone text NOT NULL DEFAULT 'UTC',
      created_on timestamptz NOT NULL
    )`
  yield* sql`CREATE UNIQUE INDEX users_org_person ON users (org_id, person_id) WHERE status <> 'removed'`
  yield* sql`CREATE INDEX users_person ON users (person_id)`
  yield* sql`
    CREATE TABLE workspaces (
      workspace_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint NOT NULL REFERENCES organizations,
      name text NOT NULL, slug text NOT NULL,
      type text NOT NULL CHECK (type IN ('default', 'open', 'closed', 'private')),
      description text, icon jsonb,
      created_on timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX workspaces_org ON workspaces (org_id)`
  yield* sql`
    CREATE TABLE workspace_members (
      workspace_id bigint NOT NULL REFERENCES workspaces ON DELETE CASCADE,
      user_id bigint NOT NULL REFERENCES users,
      role text NOT NULL CHECK (role IN ('admin', 'member', 'guest')),
      PRIMARY KEY (workspace_id, user_id)
    )`
  yield* sql`CREATE INDEX workspace_members_user ON workspace_members (user_id)`
  // One row per API key and per personal access token; the value itself is never stored (decisions O9).
  yield* sql`
    CREATE TABLE api_credentials (
      credential_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      user_id bigint NOT NULL REFERENCES users,
      kind text NOT NULL CHECK (kind IN ('user_api_key', 'personal_access_token')),
      token_hash bytea NOT NULL UNIQUE,
      hint text NOT NULL,
      name text,
      scopes text[],
      content_selection text NOT NULL DEFAULT 'all' CHECK (content_selection IN ('all', 'selected')),
      workspace_ids bigint[] NOT NULL DEFAULT '{}',
      app_ids bigint[] NOT NULL DEFAULT '{}',
      created_on timestamptz NOT NULL,
      last_used_on timestamptz,
      revoked_on timestamptz
    )`
  yield* sql`CREATE INDEX api_credentials_user ON api_credentials (user_id)`
  yield* sql`CREATE UNIQUE INDEX api_credentials_one_key ON api_credentials (user_id) WHERE kind = 'user_api_key' AND revoked_on IS NULL`
  // developer-api.md 1.6: the shared part of the rate budget; processes lease blocks of it.
  yield* sql`
    CREATE UNLOGGED TABLE rate_windows (
      user_id bigint PRIMARY KEY,
      window_start timestamptz NOT NULL,
      leased integer NOT NULL,
      granted integer NOT NULL
    )`
  // developer-api.md 1.8: the stored answer commits with the change itself. `body` is encrypted (decisions O9), in base64.
  yield* sql`
    CREATE TABLE idempotency_keys (
      user_id bigint NOT NULL,
      method text NOT NULL,
      path text NOT NULL,
      key text NOT NULL,
      body_hash bytea NOT NULL,
      status integer,
      headers jsonb,
      body text,
      created_on timestamptz NOT NULL,
      PRIMARY KEY (user_id, method, path, key)
    )`
  yield* sql`CREATE INDEX idempotency_keys_age ON idempotency_keys (created_on)`
  // Facts of the installation: the check value of SECRET_KEY (decisions P4).
  yield* sql`CREATE TABLE installation (name text PRIMARY KEY, value text NOT NULL)`
})
