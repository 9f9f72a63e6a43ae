// Mail accounts, the mails themselves and authentication providers (developer-api.md 6; decisions P3, O9).
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE smtp_accounts (
      smtp_account_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint NOT NULL REFERENCES organizations,
      name text NOT NULL,
      host text NOT NULL,
      port integer NOT NULL CHECK (port BETWEEN 1 AND 65535),
      security text NOT NULL CHECK (security IN ('tls', 'starttls', 'none')),
      username text,
      password bytea,
      from_address text NOT NULL,
      from_name text,
      is_default boolean NOT NULL,
      version integer NOT NULL DEFAULT 1,
      created_on timestamptz NOT NULL
    )`
  yield* sql`CREATE UNIQUE INDEX smtp_accounts_default ON smtp_accounts (org_id) WHERE is_default`
  yield* sql`CREATE INDEX smtp_accounts_org ON smtp_accounts (org_id)`
  // `org_id` is null for mail of the installation itself; `raw` is set where no SMTP server is configured (RFC 5322).
  yield* sql`
    CREATE TABLE mails (
      mail_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint REFERENCES organizations,
      message_id text NOT NULL,
      status text NOT NULL CHECK (status IN ('sending', 'sent', 'kept', 'failed')),
      counted boolean NOT NULL,
      sender text NOT NULL,
      recipients text[] NOT NULL,
      rejected text[] NOT NULL DEFAULT '{}',
      subject text NOT NULL,
      error text,
      raw bytea,
      created_on timestamptz NOT NULL,
      done_on timestamptz
    )`
  yield* sql`CREATE UNIQUE INDEX mails_message ON mails (message_id)`
  yield* sql`CREATE INDEX mails_quota ON mails (org_id, created_on) WHERE counted AND status <> 'failed'`
  yield* sql`CREATE INDEX mails_age ON mails (created_on)`
  yield* sql`
    CREATE TABLE authentication_providers (
      authentication_provider_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint NOT NULL REFERENCES organizations,
      name text NOT NULL,
      grant_type text NOT NULL CHECK (grant_type IN ('client_credentials', 'refresh_token')),
      token_url text NOT NULL,
      client_id text NOT NULL,
      client_secret bytea,
      client_auth text NOT NULL CHECK (client_auth IN ('basic', 'post')),
      scope text,
      refresh_token bytea,
      access_token bytea,
      token_type text,
      expires_on timestamptz,
      created_on timestamptz NOT NULL
    )`
  yield* sql`CREATE INDEX authentication_providers_org ON authentication_providers (org_id)`
})
