// Secrets that automations use by name (developer-api.md 7.13): each belongs to an organization, a workspace or an app, and ends with it.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE secrets (
      secret_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      org_id bigint NOT NULL REFERENCES organizations,
      workspace_id bigint REFERENCES workspaces ON DELETE CASCADE,
      app_id bigint REFERENCES apps ON DELETE CASCADE,
      name text NOT NULL,
      description text,
      value bytea NOT NULL,
      created_by bigint REFERENCES users,
      created_on timestamptz NOT NULL,
      updated_by bigint REFERENCES users,
      updated_on timestamptz NOT NULL,
      CHECK (num_nonnulls(workspace_id, app_id) <= 1)
    )`
  // One of a name in each place; a step asks for a few names in an app, its workspace and its organization.
  yield* sql`CREATE UNIQUE INDEX secrets_app ON secrets (app_id, name) WHERE app_id IS NOT NULL`
  yield* sql`CREATE UNIQUE INDEX secrets_workspace ON secrets (workspace_id, name) WHERE workspace_id IS NOT NULL`
  yield* sql`
    CREATE UNIQUE INDEX secrets_organization ON secrets (org_id, name) WHERE workspace_id IS NULL AND app_id IS NULL`
})
