// The role `all`: API and worker share a process but not their pools, and what belongs into one transaction is in one
// (developer-api.md 1.8, decisions A1).
import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { freshDatabaseUrl, layerOn } from "./support/database.ts"
import { BOUND } from "./support/eventually.ts"
import { operate, startService } from "./support/processes.ts"
import { freshNamespace, TestConnection, temporalAddress } from "./support/temporal.ts"

const demo = Effect.gen(function* () {
  const url = yield* freshDatabaseUrl
  const namespace = yield* freshNamespace
  const { origin } = yield* startService(url, {
    ROLE: "all",
    TEMPORAL_ADDRESS: temporalAddress(),
    TEMPORAL_NAMESPACE: namespace
  })
  const { token } = yield* operate(url, origin, "demo-seed")
  return { url, origin, token: token as string }
})

it.live(
  "1.8: a record and the answer under its Idempotency-Key commit together, in a process that works and serves",
  () =>
    Effect.gen(function* () {
      const { url, origin, token } = yield* demo
      const pool = layerOn(url, 2)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const count = sql<{ n: number }>`SELECT count(*)::int AS n FROM records`
        const create = Effect.promise(async () => {
          const response = await fetch(`${origin}/v1/record/app/1`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${token}`,
              "content-type": "application/json",
              "idempotency-key": "one-and-only"
            },
            body: JSON.stringify({ fields: { title: "Together" } })
          })
          return [response.status, await response.text()] as const
        })
        // A row of the same key, never committed: the answer of the call waits for its end to be kept.
        const callFiber = yield* Effect.gen(function* () {
          yield* sql`
            INSERT INTO idempotency_keys (user_id, method, path, key, body_hash, status, headers, body, created_on)
            SELECT user_id, 'POST', '/v1/record/app/1', 'one-and-only', '', 200, '{}', '', now() FROM users`
          const fiber = yield* Effect.forkDetach(create)
          yield* sql<{ n: number }>`
            SELECT count(*)::int AS n FROM pg_locks
            WHERE NOT granted AND locktype = 'transactionid' AND transactionid = pg_current_xact_id()::xid`.pipe(
            Effect.filterOrFail(([row]) => row?.n === 1),
            Effect.retry(Schedule.upTo(Schedule.spaced("50 millis"), { duration: BOUND }))
          )
          assert.deepStrictEqual(yield* count, [{ n: 0 }])
          return yield* Effect.fail({ _tag: "RolledBack", fiber } as const)
        }).pipe(
          sql.withTransaction,
          Effect.catchTag("RolledBack", ({ fiber }) => Effect.succeed(fiber))
        )
        const [status, body] = yield* Fiber.join(callFiber)
        assert.strictEqual(status, 200, body)
        assert.deepStrictEqual(yield* count, [{ n: 1 }])
      }).pipe(Effect.provide(pool))
    }).pipe(Effect.scoped, Effect.provide(Layer.fresh(TestConnection.layer)))
)

it.live(
  "told to stop, a process answers requests that only wait for a run as at their time-out, and ends (developer-api 7.9)",
  () =>
    Effect.gen(function* () {
      const url = yield* freshDatabaseUrl
      // Without a worker no run ever comes.
      const { child, origin } = yield* startService(url)
      const { token } = yield* operate(url, origin, "demo-seed")
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
      const post = (path: string, body: unknown) =>
        Effect.promise(async () => {
          const response = await fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
          const text = await response.text()
          assert.isTrue(response.ok, text)
          return JSON.parse(text)
        })
      const { automation } = yield* post("/v1/automation/app/1", {
        name: "Asked",
        trigger: { type: "webhook_received", config: { response_mode: "sync", response_timeout_seconds: 30 } },
        actions: [{ type: "exit", config: { exit_type: "success" } }]
      })
      yield* post(`/v1/automation/${automation.id}/activate`, {})
      const webhookReply = yield* Effect.promise(async () => {
        const response = await fetch(automation.trigger.config.webhook_url, { method: "POST", body: "{}" })
        return [response.status, await response.json()]
      }).pipe(Effect.forkChild)
      const pool = layerOn(url, 1)
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 FROM run_waits`).pipe(
        Effect.filterOrFail(({ length }) => length === 1),
        Effect.retry(Schedule.upTo(Schedule.spaced("50 millis"), { duration: BOUND })),
        Effect.provide(pool)
      )
      const childExit = new Promise((resolve) => child.once("exit", resolve))
      child.kill("SIGTERM")
      assert.deepStrictEqual(yield* Fiber.join(webhookReply), [202, {}])
      yield* Effect.promise(() => childExit)
      assert.isNotNull(child.exitCode, "by itself, not killed at the bound of a stop")
    }).pipe(Effect.scoped)
)
