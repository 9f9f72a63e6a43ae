// OAuth clients, requests, codes, connections, tokens, organizations' app policy, sessions, audit log (service.md 2, 3.2, 8;
// decisions O2, O7 to O9, O12, O15 to O17). Credentials are SHA-256 hashes; nothing here can be presented by a thief.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // `document` clients have their URL as id and are cached here until document_fresh_until (O7).
  yield* sql`
    CREATE TABLE oauth_clients (
      client_id text PRIMARY KEY,
      kind text NOT NULL CHECK (kind IN ('public', 'confidential', 'dynamic', 'document')),
      name text,
      redirect_uris text[] NOT NULL,
      metadata jsonb NOT NULL DEFAULT '{}',
      secret_hash bytea,
      pkce_waived boolean NOT NULL DEFAULT false,
      own_service boolean NOT NULL DEFAULT false,
      one_connection boolean NOT NULL DEFAULT false,
      created_on timestamptz NOT NULL,
      first_approved_on timestamptz,
      document_fresh_until timestamptz,
      disabled_on timestamptz,
      CHECK ((kind = 'confidential') = (secret_hash IS NOT NULL)),
      CHECK (kind = 'confidential' OR NOT (pkce_waived OR own_service))
    )`
  yield* sql`
    CREATE INDEX oauth_clients_unconnected ON oauth_clients (created_on) WHERE kind = 'dynamic' AND first_approved_on IS NULL`
  // Browser sessions; person_id is null until the sign-in (O12).
  yield* sql`
    CREATE TABLE sessions (
      session_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      token_hash bytea NOT NULL UNIQUE,
      person_id bigint REFERENCES people,
      created_on timestamptz NOT NULL,
      last_seen_on timestamptz NOT NULL,
      expires_on timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX sessions_person ON sessions (person_id) WHERE person_id IS NOT NULL`
  yield* sql`CREATE INDEX sessions_expiry ON sessions (expires_on)`
  yield* sql`
    CREATE TABLE one_time_links (
      link_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      token_hash bytea NOT NULL UNIQUE,
      person_id bigint NOT NULL REFERENCES people,
      purpose text NOT NULL,
      created_on timestamptz NOT NULL,
      expires_on timestamptz NOT NULL,
      used_on timestamptz
    )`
  yield* sql`CREATE INDEX one_time_links_expiry ON one_time_links (expires_on)`
  // `fault` is the reason id of a request that can only end in an error page (4.1).
  yield* sql`
    CREATE TABLE authorization_requests (
      request_id text PRIMARY KEY,
      session_id bigint NOT NULL REFERENCES sessions ON DELETE CASCADE,
      client_id text NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
      redirect_uri text NOT NULL,
      state text,
      scopes text[] NOT NULL,
      code_challenge text,
      fault text,
      fault_detail text,
      created_on timestamptz NOT NULL,
      expires_on timestamptz NOT NULL,
      decided_on timestamptz
    )`
  yield* sql`CREATE INDEX authorization_requests_session ON authorization_requests (session_id)`
  yield* sql`CREATE INDEX authorization_requests_client ON authorization_requests (client_id)`
  yield* sql`CREATE INDEX authorization_requests_expiry ON authorization_requests (expires_on)`
  yield* sql`
    CREATE TABLE connections (
      connection_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      client_id text NOT NULL REFERENCES oauth_clients,
      user_id bigint NOT NULL REFERENCES users,
      org_id bigint NOT NULL REFERENCES organizations,
      scopes text[] NOT NULL,
      approved_on timestamptz NOT NULL,
      created_on timestamptz NOT NULL,
      last_token_on timestamptz NOT NULL,
      last_used_on timestamptz,
      expires_on timestamptz,
      ended_on timestamptz,
      ended_by text,
      CHECK ((ended_on IS NULL) = (ended_by IS NULL))
    ) WITH (fillfactor = 80)`
  yield* sql`CREATE INDEX connections_user ON connections (user_id, client_id) WHERE ended_on IS NULL`
  yield* sql`CREATE INDEX connections_org ON connections (org_id, client_id) WHERE ended_on IS NULL`
  yield* sql`CREATE INDEX connections_client ON connections (client_id)`
  yield* sql`CREATE INDEX connections_ended ON connections (ended_on) WHERE ended_on IS NOT NULL`
  // A used code stays as long as its connection (O1).
  yield* sql`
    CREATE TABLE authorization_codes (
      code_hash bytea PRIMARY KEY,
      client_id text NOT NULL,
      user_id bigint NOT NULL REFERENCES users,
      redirect_uri text NOT NULL,
      scopes text[] NOT NULL,
      code_challenge text,
      issued_on timestamptz NOT NULL,
      connection_id bigint REFERENCES connections ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX authorization_codes_connection ON authorization_codes (connection_id)`
  yield* sql`CREATE INDEX authorization_codes_unused ON authorization_codes (issued_on) WHERE connection_id IS NULL`
  // Tokens name their connection without a foreign key: the check would lock its row once more on the hottest write,
  // and a token without a connection is refused by the lookup anyway.
  yield* sql`
    CREATE TABLE access_tokens (
      token_hash bytea PRIMARY KEY,
      connection_id bigint NOT NULL,
      scopes text[] NOT NULL,
      issued_on timestamptz NOT NULL,
      expires_on timestamptz NOT NULL,
      revoked_on timestamptz
    )`
  yield* sql`CREATE INDEX access_tokens_expiry ON access_tokens (expires_on)`
  yield* sql`
    CREATE TABLE refresh_tokens (
      token_hash bytea PRIMARY KEY,
      connection_id bigint NOT NULL,
      issued_on timestamptz NOT NULL,
      first_used_on timestamptz,
      uses integer NOT NULL DEFAULT 0
    ) WITH (fillfactor = 80)`
  yield* sql`CREATE INDEX refresh_tokens_connection ON refresh_tokens (connection_id)`
  // O15; an organization or app without a row follows the default (all apps, everyone).
  yield* sql`
    CREATE TABLE org_app_modes (
      org_id bigint PRIMARY KEY REFERENCES organizations,
      mode text NOT NULL CHECK (mode IN ('all', 'approved'))
    )`
  yield* sql`
    CREATE TABLE org_app_policies (
      org_id bigint NOT NULL REFERENCES organizations,
      client_id text NOT NULL,
      access text NOT NULL CHECK (access IN ('everyone', 'admins', 'blocked')),
      PRIMARY KEY (org_id, client_id)
    )`
  yield* sql`
    CREATE TABLE org_app_user_blocks (
      user_id bigint NOT NULL REFERENCES users,
      client_id text NOT NULL,
      PRIMARY KEY (user_id, client_id)
    )`
  yield* sql`
    CREATE TABLE audit_log (
      audit_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      happened_on timestamptz NOT NULL,
      event text NOT NULL,
      reason_id text,
      org_id bigint,
      person_id bigint,
      user_id bigint,
      client_id text,
      connection_id bigint,
      source_address text,
      details jsonb NOT NULL DEFAULT '{}'
    )`
  yield* sql`CREATE INDEX audit_log_org ON audit_log (org_id, audit_id)`
  yield* sql`
    CREATE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN RAISE EXCEPTION ''audit_log is append-only''; END'`
  yield* sql`
    CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only()`
  // O21: processes lease blocks of each window.
  yield* sql`
    CREATE UNLOGGED TABLE oauth_rate_windows (
      key text PRIMARY KEY,
      window_start timestamptz NOT NULL,
      leased integer NOT NULL
    )`
  yield* sql`CREATE INDEX oauth_rate_windows_age ON oauth_rate_windows (window_start)`
})
