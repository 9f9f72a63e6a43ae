// decisions W17: hooks of the release before belong to who changed them last, as the audit log has it, within the connection of the app by which
// that was done; where it has ended they are paused, and their admins told.
import * as NodeServices from "@effect/platform-node/NodeServices"
import { PgMigrator } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { migrations } from "../../../src/platform/sql/migrations/index.ts"
import { layerPool } from "../../../src/platform/sql/Pool.ts"
import { emptyDatabaseUrl } from "../../support/database.ts"

const NAME = Object.keys(migrations).find((name) => name.endsWith("_hook_reach"))!
const earlierMigrations = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < NAME))
const through = Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= NAME))

it.live("hooks of the release before", () =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* emptyDatabaseUrl)
    const pool = layerPool({ url, maxConnections: 2, applicationName: "reach", statementsAtOnce: 1 })
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* PgMigrator.run({ loader: PgMigrator.fromRecord(earlierMigrations) })
      yield* sql`INSERT INTO organizations (name, slug, created_on) VALUES ('Docks', 'docks', now())`
      yield* sql`INSERT INTO people (email, name, created_on) VALUES ('a@example.com', 'A', now())`
      yield* sql`
        INSERT INTO users (org_id, person_id, name, role, status, created_on) VALUES (1, 1, 'A', 'owner', 'active', now())`
      yield* sql`
        INSERT INTO workspaces (org_id, name, slug, type, created_on) VALUES (1, 'Docks', 'docks', 'closed', now())`
      yield* sql`
        INSERT INTO apps (org_id, workspace_id, slug, name, item_name, position, created_on) VALUES (1, 1, 'a', 'A', 'A', 0, now())`
      yield* sql`
        INSERT INTO oauth_clients (client_id, kind, redirect_uris, created_on)
        SELECT c, 'public', '{}', now() FROM unnest(ARRAY['living', 'ended']) c`
      yield* sql`
        INSERT INTO connections (client_id, user_id, org_id, scopes, approved_on, created_on, last_token_on, ended_on, ended_by)
        VALUES ('living', 1, 1, '{webhooks:manage}', now() - interval '2 days', now(), now(), NULL, NULL),
          ('ended', 1, 1, '{webhooks:manage,records:read}', now() - interval '2 days', now(), now(), now() - interval '1 hour', 'user')`
      yield* sql`
        INSERT INTO hooks (org_id, app_id, type, url, host, secret, created_by, created_on, status)
        SELECT 1, 1, 'record.create', 'https://example.com/', 'example.com', '', 1, now(), 'active' FROM generate_series(1, 5)`
      const saved = (hookId: number, event: string, clientId: string | null) => sql`
        INSERT INTO audit_log (happened_on, event, org_id, user_id, client_id, details)
        VALUES (now(), ${event}, 1, 1, ${clientId}, jsonb_build_object('hook_id', ${hookId}::int, 'app_id', 1))`
      // The first was made by an app and changed by its owner, the fifth by nobody that the log knows.
      yield* saved(1, "hook.created", "ended")
      yield* saved(1, "hook.settings_changed", null)
      yield* saved(2, "hook.created", "living")
      yield* saved(2, "hook.paused", null)
      yield* saved(3, "hook.created", "ended")
      yield* saved(4, "hook.created", "long-gone")
      yield* PgMigrator.run({ loader: PgMigrator.fromRecord(through) })
      assert.deepStrictEqual(
        yield* sql`
          SELECT hook_id::int, author_id::int, reach, connection_id::int, paused_on IS NOT NULL AS paused,
            connection_ended_on IS NOT NULL AS ended FROM hooks ORDER BY hook_id`,
        [
          { hook_id: 1, author_id: 1, reach: null, connection_id: null, paused: false, ended: false },
          {
            ...{ hook_id: 2, author_id: 1, reach: { scopes: ["webhooks:manage"] }, connection_id: 1 },
            ...{ paused: false, ended: false }
          },
          {
            ...{ hook_id: 3, author_id: 1, reach: { scopes: ["webhooks:manage", "records:read"] }, connection_id: 2 },
            ...{ paused: true, ended: true }
          },
          { hook_id: 4, author_id: 1, reach: { scopes: [] }, connection_id: null, paused: true, ended: true },
          { hook_id: 5, author_id: null, reach: null, connection_id: null, paused: false, ended: false }
        ]
      )
      const notices = yield* sql<{ hook_id: number; kind: string }>`
        SELECT hook_id::int, kind FROM webhook_notices ORDER BY hook_id`
      assert.deepStrictEqual(notices, [
        { hook_id: 3, kind: "connection_ended" },
        { hook_id: 4, kind: "connection_ended" }
      ])
      yield* sql`UPDATE connections SET ended_on = now(), ended_by = 'operator' WHERE connection_id = 1`
      assert.lengthOf(yield* sql`SELECT 1 FROM hooks WHERE hook_id = 2 AND paused_on IS NOT NULL`, 1)
    }).pipe(Effect.provide([pool, NodeServices.layer]))
  }).pipe(Effect.scoped)
)
