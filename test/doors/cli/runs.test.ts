// decisions P1, developer-api.md 7.11: the operator's commands for runs as processes of their own on the database.
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerPool } from "../../../src/ground/sql/Pool.ts"
import { seedOrgWithApp } from "../../domain/webhooks/support/harness.ts"
import { freshDatabaseUrl } from "../../support/database.ts"
import { plainEnvironment } from "../../support/environment.ts"
import { freshName, temporalAddress } from "../../support/temporal.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

const cli = (env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.callback<{ code: number; out: string; err: string }>((resume) => {
    const whole = { ...plainEnvironment(), SECRET_KEY: Buffer.alloc(32, 7).toString("base64"), ...env }
    execFile(
      process.execPath,
      ["src/cli.ts", ...args],
      { cwd: root, env: whole, timeout: 120_000 },
      (error, out, err) => resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? 1), out, err }))
    )
  })

/** An automation with a failed run and one that waits. */
const seedRuns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { appId, orgId } = yield* seedOrgWithApp()
  const [person] = yield* sql<{ person_id: number }>`
    INSERT INTO people (email, name, created_on) VALUES ('owner@example.com', 'Owner', now()) RETURNING person_id`
  const [user] = yield* sql<{ user_id: number }>`
    INSERT INTO users (org_id, person_id, name, role, status, created_on)
    VALUES (${orgId}, ${person!.person_id}, 'Owner', 'owner', 'active', now()) RETURNING user_id`
  const [automation] = yield* sql<{ id: number }>`
    INSERT INTO automations (org_id, app_id, owner_id, name, timezone, revision_id, actions, field_ids, app_ids,
      automation_ids, created_on, updated_on)
    VALUES (${orgId}, ${appId}, ${user!.user_id}, 'Close', 'UTC', 1, '[]', '{}', '{}', '{}', now(), now())
    RETURNING automation_id AS id`
  const runs = yield* sql<{ run_id: string }>`
    INSERT INTO runs (org_id, app_id, automation_id, revision_id, event_id, type, status, durable, depth, chain,
      wait_until, failure_reason, error_message, created_on, started_on, completed_on)
    SELECT ${orgId}, ${appId}, ${automation!.id}, 1, n, 'regular', CASE n WHEN 1 THEN 'failed' ELSE 'running' END, true, 1,
      '{}', CASE n WHEN 2 THEN now() + interval '1 day' END, CASE n WHEN 1 THEN 'actions_failed' END,
      CASE n WHEN 1 THEN 'No app with id 7.' END, now(), now(), CASE n WHEN 1 THEN now() END
    FROM generate_series(1, 2) AS n RETURNING run_id::text`
  for (const { run_id } of runs) yield* sql`INSERT INTO run_triggers (run_id, data) VALUES (${run_id}::bigint, '{}')`
  yield* sql`INSERT INTO run_logs (run_id, seq, type, status, label, messages, logged_on)
    VALUES (${runs[0]!.run_id}::bigint, 1, 'action', 'failure', 'Create record',
      '[{"message":"No app with id 7.","level":"error"}]', now())`
  return { orgId, failed: runs[0]!.run_id, waiting: runs[1]!.run_id, automationId: automation!.id }
})

describe("npm run cli -- run, reconcile", () => {
  it.live("lists, shows, cancels and retries runs, reconciles with Temporal, says what is wrong", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const env = {
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: temporalAddress(),
        TEMPORAL_NAMESPACE: freshName("cli")
      }
      const run = (...args: ReadonlyArray<string>) => cli(env, ...args)
      const pool = layerPool({ url: Redacted.make(databaseUrl), maxConnections: 1, applicationName: "test" })
      const { automationId, failed, orgId, waiting } = yield* Effect.provide(seedRuns, pool)
      const all = yield* run("run", "list", "--json")
      assert.deepStrictEqual(
        JSON.parse(all.out).map((one: any) => [one.id, one.status]),
        [
          [waiting, "running"],
          [failed, "failed"]
        ],
        all.err
      )
      const some = yield* run("run", "list", "--automation", String(automationId), "--status", "failed")
      assert.match(some.out, /actions_failed/)
      assert.notMatch(some.out, /running/)
      const idsOf = (...flags: ReadonlyArray<string>) =>
        Effect.map(run("run", "list", "--json", ...flags), ({ out }) => JSON.parse(out).map((one: any) => one.id))
      assert.deepStrictEqual(yield* idsOf("--before", waiting), [failed])
      assert.deepStrictEqual(yield* idsOf("--org", String(orgId), "--since", "2026-01-01 00:00:00"), [waiting, failed])
      assert.deepStrictEqual(yield* idsOf("--org", String(orgId + 1)), [])
      assert.deepStrictEqual(yield* idsOf("--until", "2026-01-01 00:00:00"), [])
      const stray = yield* run("run", "list", "--workspace", "999")
      assert.match(stray.err, /No workspace with id 999/)
      const shown = yield* run("run", "show", failed)
      assert.match(shown.out, /Create record +failure +- +- +No app with id 7\./, shown.err)
      const again = yield* run("run", "retry", failed, "--from", "failed_step", "--json")
      assert.deepStrictEqual(JSON.parse(again.out), { retry_of_run_id: failed, accepted: true }, again.err)
      const cancelled = yield* run("run", "cancel", waiting, "--json")
      assert.deepStrictEqual(JSON.parse(cancelled.out), { id: waiting, status: "cancelled" }, cancelled.err)
      const twice = yield* run("run", "cancel", waiting)
      assert.strictEqual(twice.code, 1)
      assert.match(twice.err, /The run is cancelled already/)
      const missing = yield* run("run", "show", "999")
      assert.match(missing.err, /No automation run with id 999/)
      const reconciled = yield* run("reconcile", "--json")
      assert.strictEqual(JSON.parse(reconciled.out).runs_started, 0, reconciled.err)
    })
  )
})
