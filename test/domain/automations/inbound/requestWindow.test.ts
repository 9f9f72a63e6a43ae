// developer-api.md 7.9: requests a minute to an inbound address; shortly before the minute ends a burst waits instead of failing.
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { TestClock } from "effect/testing"
import { countColumns, makeRequestWindow } from "../../../../src/domain/automations/inbound/requestWindow.ts"
import { rowOf } from "../../../../src/platform/sql/rows.ts"
import { Sql } from "../../../../src/platform/sql/Sql.ts"
import { appLayer } from "../../../support/app.ts"

const LIMIT = 2
const refusal = (self: Effect.Effect<unknown, unknown>) => Effect.flip(self) as Effect.Effect<any>

layer(appLayer(), { excludeTestServices: true })("requests a minute to an inbound address", (it) => {
  const setting = Effect.gen(function* () {
    const sql = yield* Sql
    const countRequest = makeRequestWindow(sql)
    const request = (automationId: number) =>
      countRequest(
        (count) =>
          Effect.map(
            rowOf(Schema.Struct(countColumns))(sql`
              WITH target AS (SELECT ${automationId}::bigint AS automation_id), request_count AS (${count}) SELECT * FROM request_count`),
            (row) => row!
          ),
        () => LIMIT
      )
    /** Lets the clock go on until the fiber ends: it may not have begun to wait yet. */
    const passes = <A, E>(fiber: Fiber.Fiber<A, E>) =>
      Effect.raceFirst(Fiber.join(fiber), Effect.forever(Effect.andThen(sql`SELECT 1`, TestClock.adjust("100 millis"))))
    return { request, passes }
  })

  it.effect("beyond the limit they fail and say when the minute is over; the next minute takes them", () =>
    Effect.gen(function* () {
      const { request } = yield* setting
      yield* request(1)
      yield* request(1)
      const tooMany = yield* refusal(request(1))
      assert.deepStrictEqual([tooMany._tag, tooMany.retryAfterSeconds], ["TooManyRequests", 60])
      yield* request(2)
      yield* TestClock.adjust("50 seconds")
      assert.strictEqual((yield* refusal(request(1))).retryAfterSeconds, 10)
      yield* TestClock.adjust("10 seconds")
      yield* request(1)
    }).pipe(Effect.provide(TestClock.layer()))
  )

  it.effect("five seconds before the minute ends they wait, and are taken in the next one as far as it goes", () =>
    Effect.gen(function* () {
      const { passes, request } = yield* setting
      yield* request(3)
      yield* request(3)
      yield* TestClock.adjust("55 seconds")
      const waitingRequests = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(Effect.exit(request(3))))
      const outcomes = yield* Effect.forEach(waitingRequests, passes)
      assert.deepStrictEqual(outcomes.map(({ _tag }) => _tag).sort(), ["Failure", "Success", "Success"])
    }).pipe(Effect.provide(TestClock.layer()))
  )
})
