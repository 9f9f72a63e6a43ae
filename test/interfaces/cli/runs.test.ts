// decisions P1, developer-api.md 7.11: the operator's commands for runs as processes of their own on the database.
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { seedOrgWithApp } from "../../domain/webhooks/support/harness.ts"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { plainEnvironment } from "../../support/environment.ts"
import { ENDS_MILLIS } from "../../support/eventually.ts"
import { program } from "../../support/programs.ts"
import { freshName, temporalAddress } from "../../support/temporal.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))

const cli = (env: Record<string, string>, ...args: ReadonlyArray<string>) =>
  Effect.callback<{ code: number; out: string; err: string }>((resume) => {
    const childEnv = { ...plainEnvironment(), SECRET_KEY: Buffer.alloc(32, 7).toString("base64"), ...env }
    execFile(
      process.execPath,
      [program("cli"), ...args],
      { cwd: root, env: childEnv, timeout: ENDS_MILLIS },
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
  const [failed, waiting] = runs.map(({ run_id }) => run_id)
  yield* sql`UPDATE runs SET record_id = 812, record_revision = 5 WHERE run_id = ${failed!}::bigint`
  yield* sql`UPDATE runs SET caused_by_run_id = ${failed!}::bigint, root_run_id = ${failed!}::bigint WHERE run_id = ${waiting!}::bigint`
  const author = JSON.stringify({
    record: { title: "R-7", last_modified_by: { type: "user", user_id: user!.user_id } }
  })
  yield* sql`INSERT INTO run_triggers (run_id, data) VALUES (${failed!}::bigint, ${author}::jsonb), (${waiting!}::bigint, '{}')`
  yield* sql`INSERT INTO run_ledger (run_id, path, iteration, action_id, state, attempts, started_on, done_on)
    VALUES (${failed!}::bigint, '0', '', gen_random_uuid(), 'done', 1, now(), now())`
  yield* sql`INSERT INTO run_logs (run_id, seq, type, status, label, messages, logged_on) VALUES
    (${failed!}::bigint, 0, 'trigger', 'success', 'Record updated', '[]', now()),
    (${waiting!}::bigint, 0, 'trigger', 'success', 'Automation called', '[]', now())`
  const everyThird = JSON.stringify({
    type: "periodic",
    config: {
      ...{ schedule_type: "interval", interval_amount: 3, interval_unit: "day", timezone: "Europe/Vienna" },
      ...{ starts_at: "2030-03-29 08:00:00", time_of_day: "00:00", week_days: [], month_days: [] }
    }
  })
  yield* sql`INSERT INTO automations (org_id, app_id, owner_id, name, timezone, revision_id, actions, field_ids, app_ids,
      automation_ids, created_on, updated_on, activated_on, trigger, paused)
    VALUES (${orgId}, ${appId}, ${user!.user_id}, 'Count', 'UTC', 1, '[]', '{}', '{}', '{}', now(), now(), now(),
      ${everyThird}::jsonb, false)`
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
      const pool = layerOn(databaseUrl, 1)
      const { automationId, failed, orgId, waiting } = yield* Effect.provide(seedRuns, pool)
      const runList = yield* run("run", "list", "--json")
      assert.deepStrictEqual(
        JSON.parse(runList.out).map((one: any) => [one.id, one.status]),
        [
          [waiting, "running"],
          [failed, "failed"]
        ],
        runList.err
      )
      const ofToday = ["--automation", String(automationId), "--status", "failed", "--since", "today"]
      const some = yield* run("run", "list", ...ofToday)
      assert.match(some.out, /actions_failed: No app with id 7\./, some.err)
      assert.notMatch(some.out, /running/)
      const idsOf = (...flags: ReadonlyArray<string>) =>
        Effect.map(run("run", "list", "--json", ...flags), ({ out }) => JSON.parse(out).map((one: any) => one.id))
      assert.deepStrictEqual(yield* idsOf("--before", waiting), [failed])
      assert.deepStrictEqual(yield* idsOf("--org", String(orgId), "--since", "2026-01-01 00:00:00"), [waiting, failed])
      assert.deepStrictEqual(yield* idsOf("--org", String(orgId + 1)), [])
      assert.deepStrictEqual(yield* idsOf("--until", "2026-01-01 00:00:00"), [])
      const stray = yield* run("run", "list", "--workspace", "999")
      assert.match(stray.err, /No workspace with id 999/)
      const failedRun = yield* run("run", "show", failed)
      assert.match(failedRun.out, /Create record +failure +- +- +No app with id 7\./, failedRun.err)
      // The ten questions of an operator, each with one call (docs/operations.md).
      assert.match(failedRun.out, /^status: failed at .+ \(actions_failed\); 1 finished step stayed$/m)
      assert.match(failedRun.out, /^failed_step: "Create record": No app with id 7\.$/m)
      assert.match(failedRun.out, /^started_by: Record updated, by user \d+ "Owner"$/m)
      assert.match(failedRun.out, /^record: 812 "R-7", revision 5$/m)
      assert.match(failedRun.out, /^cancel: it is over: nothing$/m)
      const waitingRun = yield* run("run", "show", waiting)
      assert.match(waitingRun.out, /^waits: delay until .+, since .+$/m, waitingRun.err)
      assert.match(waitingRun.out, /^cancel: it ends at once; 0 finished steps stay$/m)
      assert.match(waitingRun.out, /^terminate: safe: reconcile marks the run cancelled within 3 minutes/m)
      assert.match(waitingRun.out, new RegExp(`^started_by: Automation called, by run ${failed}$`, "m"))
      const links = JSON.parse((yield* run("run", "chain", waiting, "--json")).out)
      assert.deepStrictEqual(
        links.automation_runs.map((one: any) => [one.depth, one.id, one.status]),
        [
          [0, failed, "failed"],
          [1, waiting, "running"]
        ]
      )
      const schedules = JSON.parse((yield* run("schedule", "list", "--json")).out)
      assert.deepInclude(schedules[0], { name: "Count", zone: "Europe/Vienna" })
      assert.strictEqual(schedules.length, 1)
      assert.deepStrictEqual(schedules[0].next, ["2030-03-29 08:00:00", "2030-04-01 07:00:00", "2030-04-04 07:00:00"])
      const unselected = yield* run("run", "bulk", "delete")
      assert.strictEqual(unselected.code, 1)
      assert.match(unselected.err, /Select runs by a flag, or all of the installation by --all/)
      const jobAnswer = yield* run("run", "bulk", "retry", "--status", "failed", "--org", String(orgId), "--json")
      const job = JSON.parse(jobAnswer.out)
      assert.deepInclude(job, { kind: "run_retry", status: "pending", progress: { done: 0, total: 1 } }, jobAnswer.err)
      assert.match((yield* run("job", "list")).out, /run_retry +pending +0 of 1/)
      assert.match((yield* run("job", "cancel", String(job.job_id))).out, /^status: cancelled$/m)
      assert.strictEqual(JSON.parse((yield* run("job", "show", String(job.job_id), "--json")).out).status, "cancelled")
      // Runs that are named: of these the one that has failed.
      const named = yield* run("run", "bulk", "retry", "--run", failed, "--run", waiting, "--json")
      assert.deepInclude(JSON.parse(named.out), { progress: { done: 0, total: 1 } }, named.err)
      yield* run("job", "cancel", String(JSON.parse(named.out).job_id))
      const unnamed = yield* run("run", "bulk", "retry", "--run", "x")
      assert.deepStrictEqual([unnamed.code, /--run: expected a run_id/.test(unnamed.err)], [1, true])
      const retryResult = yield* run("run", "retry", failed, "--from", "failed_step", "--json")
      const { run_id, ...retried } = JSON.parse(retryResult.out)
      assert.match(run_id, /^\d+$/)
      assert.deepStrictEqual(retried, { retry_of_run_id: failed, accepted: true }, retryResult.err)
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
