// decisions P1, developer-api.md 2.2: the operator's way into a private workspace that nobody can enter any more.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { typed as cli } from "../../support/processes.ts"

const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ workspace_id: number; user_id: number; org_id: number }>`
    WITH o AS (INSERT INTO organizations (name, slug, created_on) VALUES ('Works', 'works', now()) RETURNING org_id),
    p AS (INSERT INTO people (email, name, created_on) VALUES ('a@example.com', 'A', now()) RETURNING person_id),
    u AS (INSERT INTO users (org_id, person_id, name, role, status, created_on)
      SELECT org_id, person_id, 'A', 'member', 'active', now() FROM o, p RETURNING user_id)
    INSERT INTO workspaces (org_id, name, slug, type, created_on)
    SELECT org_id, 'Vault', 'vault', 'private', now() FROM o RETURNING workspace_id, org_id, (SELECT user_id FROM u) AS user_id`
  return row!
})

describe("npm run cli -- workspace", () => {
  it.live("gives a workspace an admin, says so in the audit log, and says what is wrong", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const pool = layerOn(databaseUrl, 1)
      const { user_id, workspace_id } = yield* Effect.provide(seed, pool)
      const grant = yield* cli(databaseUrl, "workspace", "admin", String(workspace_id), String(user_id), "--json")
      assert.deepStrictEqual(JSON.parse(grant.out), { workspace_id, user_id, role: "admin" }, grant.err)
      const log = yield* cli(databaseUrl, "audit", "read", "--event", "workspace.admin_given", "--json")
      const [entry] = JSON.parse(log.out)
      assert.deepStrictEqual([entry.user_id, entry.details], [user_id, { workspace_id, by: "operator" }], log.err)
      const stray = yield* cli(databaseUrl, "workspace", "admin", "999", String(user_id))
      assert.strictEqual(stray.code, 1)
      assert.match(stray.err, /No workspace with id 999/)
    })
  )
})
