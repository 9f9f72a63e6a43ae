// docs/architecture/actors.md, "Poison": a delivery that ended its process ten times fails for good, and lets the next one of its record go.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeSetAsideDelivery } from "../../../src/domain/webhooks/setAsideDelivery.ts"
import { bareActor, layerBare } from "./support/bareActor.ts"

layer(layerBare(), { excludeTestServices: true })("a delivery that is set aside", (it) => {
  it.effect("fails with its cause though its hook asks for retries, and the next one of its record is released", () =>
    Effect.gen(function* () {
      const { claim, fan, hookId, queue, sql, updates } = yield* bareActor
      const events = updates(1, 2)
      const [first, next] = events.map(({ event_id }) => event_id) as [number, number]
      yield* sql`UPDATE hooks SET sending = '{"retry_seconds":[10]}' WHERE hook_id = ${hookId}`
      yield* fan(events)
      const [row, ...others] = yield* claim(10)
      assert.deepStrictEqual(others, [])
      assert.strictEqual(row!.event_id, first)
      yield* (yield* makeSetAsideDelivery)(row!, "Given up")
      assert.deepStrictEqual(yield* queue, [{ event_id: next, blocked: false }])
      assert.deepStrictEqual(
        yield* sql`
          SELECT d.status, d.num_attempts, d.next_attempt_on, a.attempt, a.error, a.status_code
          FROM webhook_deliveries d JOIN webhook_attempts a USING (hook_id, event_id)
          WHERE hook_id = ${hookId} AND event_id = ${first}`,
        [{ status: "failed", num_attempts: 1, next_attempt_on: null, attempt: 1, error: "Given up", status_code: null }]
      )
    })
  )
})
