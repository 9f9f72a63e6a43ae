// Operational events (issue "Webhooks"; docs/decisions.md): hooks of `hook.failing` and `hook.inactive` are told when the mails are sent, in
// the transaction of the results; never of themselves, and hooks that tell each other come to an end.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { OutboxEvent } from "../../../src/engine/outbox/Event.ts"
import { bareActor, FAILURES_ALLOWED, layerBare, result } from "./support/bareActor.ts"
import { seedHook } from "./support/harness.ts"

const TROUBLE = ["hook.failing", "hook.inactive"]

const troubled = Effect.gen(function* () {
  const actor = yield* bareActor
  const { app, hookId, sql } = actor
  yield* sql`UPDATE hooks SET types = ARRAY['record.update', ${TROUBLE[0]!}, ${TROUBLE[1]!}] WHERE hook_id = ${hookId}`
  const listener = yield* seedHook(app, "hook.failing", "https://93.184.215.14/listener")
  yield* sql`UPDATE hooks SET types = ARRAY[${TROUBLE[0]!}, ${TROUBLE[1]!}] WHERE hook_id = ${listener.hookId}`
  /** What the outbox holds of the app, as the relay takes it. */
  const takeEvents = Effect.map(
    sql<OutboxEvent & { hook: boolean }>`
      WITH gone AS (DELETE FROM outbox WHERE app_id = ${app.appId} RETURNING *) SELECT * FROM gone ORDER BY event_id`,
    (rows) =>
      rows.map((row) => ({ ...row, switches: { hook: row.hook, workflow: false, silent: true } }) as OutboxEvent)
  )
  const operationPayloads = (id: number) =>
    Effect.map(
      sql<{
        payload: string
      }>`SELECT payload FROM webhook_deliveries WHERE hook_id = ${id} AND type LIKE 'hook.%' ORDER BY event_id`,
      (rows) => rows.map(({ payload }) => JSON.parse(payload))
    )
  return { ...actor, listener: listener.hookId, sent: operationPayloads, taken: takeEvents }
})

layer(layerBare(), { excludeTestServices: true })("operational events of hooks", (it) => {
  it.effect("are those of which admins are told by mail, with hook, failures and class of error", () =>
    Effect.gen(function* () {
      const { app, claim, fan, hookId, listener, sent, sql, taken, updates, write } = yield* troubled
      yield* fan(Array.from({ length: FAILURES_ALLOWED + 1 }, (_, n) => updates(n + 1, 1)).flat())
      yield* write((yield* claim(100)).map((row) => result(row, false)))
      const events = yield* taken
      const notices = yield* sql`SELECT failures FROM webhook_notices WHERE hook_id = ${hookId} ORDER BY notice_id`
      assert.deepStrictEqual(
        events.map(({ payload, type }): ReadonlyArray<unknown> => [type, payload]),
        notices.map(({ failures }, n) => [
          n < notices.length - 1 ? "hook.failing" : "hook.inactive",
          { hook_id: hookId, failures, reason: "status" }
        ])
      )
      assert.deepStrictEqual(
        notices.map(({ failures }) => failures),
        [5, 7, 9, 11]
      )
      yield* fan(events)
      const [first, ...others] = yield* sent(listener)
      const { occurred_on, ...body } = first
      assert.match(occurred_on, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      assert.deepStrictEqual(body, {
        ...{ hook_id: listener, app_id: app.appId, other_hook_id: hookId, failures: 5, reason: "status" },
        type: "hook.failing"
      })
      assert.deepStrictEqual(
        others.map(({ type }) => type),
        ["hook.failing", "hook.failing", "hook.inactive"]
      )
      // It listens to its types, and is not told of itself.
      assert.deepStrictEqual(yield* sent(hookId), [])
    })
  )

  it.effect("are lost with the results that they belong to", () =>
    Effect.gen(function* () {
      const { claim, fan, sql, taken, updates, write } = yield* troubled
      yield* fan(Array.from({ length: 5 }, (_, n) => updates(n + 1, 1)).flat())
      const rows = yield* claim(100)
      yield* Effect.exit(
        sql.withTransaction(Effect.andThen(write(rows.map((row) => result(row, false))), Effect.fail("broken off")))
      )
      assert.deepStrictEqual(yield* taken, [])
      yield* write(rows.map((row) => result(row, false)))
      assert.lengthOf(yield* taken, 1)
    })
  )

  it.effect("of two hooks that both fail and listen to each other come to an end", () =>
    Effect.gen(function* () {
      const { claim, fan, hookId, listener, sent, sql, taken, updates, write } = yield* troubled
      yield* fan(Array.from({ length: FAILURES_ALLOWED + 1 }, (_, n) => updates(n + 1, 1)).flat())
      let rounds = 0
      for (; rounds < 100; rounds++) {
        // Retries are due at once.
        yield* sql`UPDATE webhook_queue SET due_at = now() - interval '1 second' WHERE hook_id IN (${hookId}, ${listener})`
        const rows = yield* claim(100)
        if (rows.length > 0) yield* write(rows.map((row) => result(row, false)))
        const events = yield* taken
        if (events.length > 0) yield* fan(events)
        if (rows.length + events.length === 0) break
      }
      assert.isBelow(rounds, 100)
      const states = yield* sql`SELECT status FROM hooks WHERE hook_id IN (${hookId}, ${listener})`
      assert.deepStrictEqual(
        states.map(({ status }) => status),
        ["inactive", "inactive"]
      )
      // Each row of failures tells of itself four times at most.
      assert.strictEqual((yield* sent(listener)).length, 4)
      assert.isAtMost((yield* sent(hookId)).length, 4)
    })
  )
})
