// decisions P1, W8: the operator's webhook commands as processes of their own on the database.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { deliveryId } from "../../../src/domain/webhooks/Delivery.ts"
import { seedHook, seedOrgWithApp } from "../../domain/webhooks/support/harness.ts"
import { freshDatabaseUrl, layerOn } from "../../support/database.ts"
import { typed as cli } from "../../support/processes.ts"

describe("npm run cli -- webhook", () => {
  it.live("lists hooks and deliveries, replays one and many, says what is wrong", () =>
    Effect.gen(function* () {
      const databaseUrl = yield* freshDatabaseUrl
      const run = (...args: ReadonlyArray<string>) => cli(databaseUrl, "webhook", ...args)
      const { appId, hookId, orgId } = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const app = yield* seedOrgWithApp()
        const { hookId } = yield* seedHook(app, "record.create", "https://hooks.example.com/in?token=abc")
        yield* sql`
          INSERT INTO webhook_deliveries (hook_id, event_id, type, status, payload, num_attempts, created_on)
          SELECT ${hookId}, n, 'record.create', 'failed', '{}', CASE WHEN n = 3 THEN 1 ELSE 0 END, now() FROM generate_series(1, 3) n`
        yield* sql`
          INSERT INTO hook_statistics (hook_id, counted_on, delivered, retrying, failed, withheld, latency)
          VALUES (${hookId}, date_trunc('minute', now() - interval '10 minutes'), 3, 0, 1, 0, ARRAY[0, 3, 1])`
        yield* sql`UPDATE hooks SET num_failed_executions = 3 WHERE hook_id = ${hookId}`
        yield* sql`
          INSERT INTO webhook_attempts (hook_id, event_id, attempt, attempted_on, status_code, latency_ms, error)
          VALUES (${hookId}, 3, 1, '2026-03-01T10:00:00Z', 503, 12, 'status')`
        return { ...app, hookId }
      }).pipe(Effect.provide(layerOn(databaseUrl, 1)))
      const hooks = JSON.parse((yield* run("list", String(appId), "--json")).out)
      assert.deepInclude(hooks[0], { hook_id: hookId, status: "active", host: "hooks.example.com", waiting: 0 })
      const hookText = yield* run("show", String(hookId))
      assert.match(hookText.out, /^why: 3 failures in a row; last at 2026-03-01 10:00:00: status 503/m, hookText.err)
      assert.match(hookText.out, /^failures_in_a_row: 3 of \d+ allowed$/m)
      assert.match(hookText.out, /^waiting: 0, of them 0 retries/m)
      assert.include(hookText.out, deliveryId(hookId, 3))
      const exported = yield* run("export", String(hookId), "--error", "status")
      assert.deepInclude(
        JSON.parse(exported.out),
        { delivery_id: deliveryId(hookId, 3), status: "failed" },
        exported.err
      )
      assert.strictEqual(JSON.parse(exported.out).attempts[0].status_code, 503)
      const laterExport = yield* run("export", String(hookId), "--after", deliveryId(hookId, 1))
      assert.lengthOf(laterExport.out.trim().split("\n"), 2)
      const statistics = JSON.parse((yield* run("statistics", "--app", String(appId), "--step", "day", "--json")).out)
      assert.deepInclude(statistics.total, { executions: 4, delivered: 3, failed: 1 })
      assert.match((yield* run("statistics", String(hookId))).out, /^executions: 4$/m)
      const id = deliveryId(hookId, 2)
      assert.deepStrictEqual(JSON.parse((yield* run("replay", id, "--json")).out), { replayed: 1 })
      const many = yield* run("replay-since", String(hookId), "2020-01-01 00:00", "--json")
      const { replay_id, ...replay } = JSON.parse(many.out)
      assert.deepInclude(replay, { hook_id: hookId, state: "running", replayed: 2, counted: true, waiting: 2 })
      assert.strictEqual(JSON.parse((yield* run("replays", String(hookId), "--json")).out)[0].replay_id, replay_id)
      const queuedDeliveries = JSON.parse(
        (yield* run("deliveries", String(hookId), "--status", "queued", "--json")).out
      )
      assert.lengthOf(queuedDeliveries, 3)
      // No actor is at work here: what it would take back stands.
      const cancelled = JSON.parse((yield* run("replay-cancel", String(replay_id), "--json")).out)
      assert.deepInclude(cancelled, { replay_id, state: "cancelled" })
      const wrong = yield* run("replay", "msg_zz_zz")
      assert.strictEqual(wrong.code, 1)
      assert.include(wrong.err, "No delivery with id msg_zz_zz.")
      // Each is a process of its own: side by side.
      const [early, noApp, noHook, both, limit] = yield* Effect.all(
        [
          run("deliveries", String(hookId), "--before", "2020-01-01", "--json"),
          run("list", "999999", "--failing"),
          run("deliveries", "999999"),
          run("statistics", String(hookId), "--org", String(orgId)),
          cli(databaseUrl, "organization", "limit", String(orgId), "webhook_per_minute", "2147483648")
        ],
        { concurrency: 2 }
      )
      assert.deepStrictEqual(JSON.parse(early.out), [])
      assert.include(noApp.err, "No app with id 999999.")
      assert.include(noHook.err, "No hook with id 999999.")
      assert.include(both.err, "Name one")
      assert.deepStrictEqual([limit.code, limit.out], [1, ""])
      assert.include(limit.err, "expected 0 to 2147483647")
    })
  )
})
