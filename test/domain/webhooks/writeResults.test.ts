// decisions W1, W3, W5, W10: results are committed in one statement or, where somebody is told, with care; both must say what
// the rules for one execution after the other say. Fan-outs and results of one record may meet at any instant.
import { assert, describe, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import {
  afterExecution,
  type FailureNotice,
  type HookHealth,
  nextNoticeAt
} from "../../../src/domain/webhooks/failureStreak.ts"
import { HookReplays } from "../../../src/domain/webhooks/replays/HookReplays.ts"
import { makeWithheldDeliveries } from "../../../src/domain/webhooks/withheldDeliveries.ts"
import { Fenced } from "../../../src/engine/actors/ActorKind.ts"
import { seriesOf } from "../../../src/platform/metrics/instruments.ts"
import { eventually } from "../../support/eventually.ts"
import { bareActor, FAILURES_ALLOWED, layerBare, result } from "./support/bareActor.ts"
import { seedHook } from "./support/harness.ts"
import { waiting } from "./support/waiting.ts"

layer(layerBare(), { excludeTestServices: true })("results of executions", (it) => {
  describe("order of a record (W3)", () => {
    it.effect("a result that comes while a fan-out adds a successor waits for it, and lets the successor go", () =>
      Effect.gen(function* () {
        const { claim, fan, queue, sql, updates, write } = yield* bareActor
        const blocked = yield* waiting(sql)
        yield* fan(updates(1, 1))
        const [first] = yield* claim(10)
        const added = yield* Deferred.make<void>()
        const goOn = yield* Deferred.make<void>()
        const adding = yield* Effect.forkChild(
          sql.withTransaction(
            Effect.gen(function* () {
              yield* fan(updates(1, 1))
              yield* Deferred.succeed(added, undefined)
              yield* Deferred.await(goOn)
            })
          )
        )
        yield* Deferred.await(added)
        const writing = yield* Effect.forkChild(write([result(first!, true)]))
        yield* eventually("the result waits for the fan-out", blocked, (n) => n === 1)
        yield* Deferred.succeed(goOn, undefined)
        yield* Fiber.join(adding)
        const { nextAt } = yield* Fiber.join(writing)
        assert.deepStrictEqual(
          (yield* queue).map(({ blocked }) => blocked),
          [false]
        )
        // The activation is told to look at once.
        assert.strictEqual(nextAt, 0)
      })
    )

    it.effect("a replay of what was never tried goes behind what waits before it and ahead of what is new", () =>
      Effect.gen(function* () {
        const { claim, fan, hookId, queue, round, sql, updates, write } = yield* bareActor
        const replays = yield* HookReplays
        const events = updates(1, 4)
        yield* fan(events)
        const [one, two, three, four] = events.map(({ event_id }) => event_id) as [number, number, number, number]
        // The first two were withheld before they were tried; the others came after the next verification.
        yield* sql`DELETE FROM webhook_queue WHERE hook_id = ${hookId} AND event_id <= ${two}`
        yield* sql`UPDATE webhook_deliveries SET status = 'withheld' WHERE hook_id = ${hookId} AND event_id <= ${two}`
        yield* sql`UPDATE webhook_queue SET blocked = false WHERE hook_id = ${hookId} AND event_id = ${three}`
        assert.strictEqual(
          (yield* replays.start(hookId, { since: new Date(0), statuses: ["withheld"] }, "operator")).replayed,
          2
        )
        yield* round
        assert.deepStrictEqual(
          yield* queue,
          [one, two, three, four].map((event_id) => ({ event_id, blocked: event_id !== one }))
        )
        const sentEventIds: Array<number> = []
        for (let round = 0; round < 4; round++) {
          const [row, ...more] = yield* claim(10)
          assert.deepStrictEqual(more, [])
          sentEventIds.push(row!.event_id)
          yield* write([result(row!, true)])
        }
        assert.deepStrictEqual(sentEventIds, [one, two, three, four])
      })
    )

    it.effect("one that is in the air while earlier ones are replayed holds up nobody when it fails", () =>
      Effect.gen(function* () {
        const { claim, fan, hookId, queue, round, sql, updates, write } = yield* bareActor
        const replays = yield* HookReplays
        const events = updates(1, 2)
        yield* fan(events)
        const [one, two] = events.map(({ event_id }) => event_id) as [number, number]
        yield* sql`DELETE FROM webhook_queue WHERE hook_id = ${hookId} AND event_id = ${one}`
        yield* sql`UPDATE webhook_deliveries SET status = 'withheld' WHERE hook_id = ${hookId} AND event_id = ${one}`
        yield* sql`UPDATE webhook_queue SET blocked = false WHERE hook_id = ${hookId} AND event_id = ${two}`
        const [flying] = yield* claim(10)
        yield* replays.start(hookId, { since: new Date(0), statuses: ["withheld"] }, "operator")
        yield* round
        yield* write([result(flying!, false)])
        assert.deepStrictEqual(yield* queue, [
          { event_id: one, blocked: false },
          { event_id: two, blocked: false }
        ])
      })
    )

    it.effect(
      "a fan-out that comes while a result is being written waits for it, and adds a successor that may go",
      () =>
        Effect.gen(function* () {
          const { claim, fan, queue, sql, updates, write } = yield* bareActor
          yield* fan(updates(1, 1))
          const [first] = yield* claim(10)
          const blocked = yield* waiting(sql)
          const resultsWritten = yield* Deferred.make<void>()
          const goOn = yield* Deferred.make<void>()
          const writing = yield* Effect.forkChild(
            sql.withTransaction(
              Effect.gen(function* () {
                yield* write([result(first!, true)])
                yield* Deferred.succeed(resultsWritten, undefined)
                yield* Deferred.await(goOn)
              })
            )
          )
          yield* Deferred.await(resultsWritten)
          const adding = yield* Effect.forkChild(fan(updates(1, 1)))
          yield* eventually("the fan-out waits for the result", blocked, (n) => n === 1)
          yield* Deferred.succeed(goOn, undefined)
          yield* Fiber.join(writing)
          yield* Fiber.join(adding)
          assert.deepStrictEqual(
            (yield* queue).map(({ blocked }) => blocked),
            [false]
          )
        })
    )

    it.effect(
      "the next ones are let go in the order of records, as a fan-out holds them: neither ends as a deadlock's victim",
      () =>
        Effect.gen(function* () {
          const { claim, fan, hookId, queue, sql, updates, write } = yield* bareActor
          const records = Array.from({ length: 30 }, (_, n) => n + 1)
          // The order in which they came, and lie in the table, is another one.
          for (const record of records.toReversed()) yield* fan(updates(record, 2))
          const firsts = yield* claim(100)
          const blocked = yield* waiting(sql)
          const hold = (record: number) => sql`
          SELECT 1 FROM webhook_queue WHERE hook_id = ${hookId} AND record_id = ${record} AND ordered
          ORDER BY event_id DESC LIMIT 1 FOR SHARE NOWAIT`
          const rowLocked = yield* Deferred.make<void>()
          const goOn = yield* Deferred.make<void>()
          const holding = yield* Effect.forkChild(
            sql.withTransaction(
              Effect.gen(function* () {
                yield* hold(1)
                yield* Deferred.succeed(rowLocked, undefined)
                yield* Deferred.await(goOn)
                for (const record of records) yield* hold(record)
              })
            )
          )
          yield* Deferred.await(rowLocked)
          const writing = yield* Effect.forkChild(write(firsts.map((row) => result(row, true))))
          yield* eventually("it waits for the first record", blocked, (n) => n === 1)
          yield* Deferred.succeed(goOn, undefined)
          yield* Fiber.join(holding)
          yield* Fiber.join(writing)
          assert.isTrue((yield* queue).every((row) => !row.blocked))
        })
    )

    it.effect("of several that wait only the next one goes", () =>
      Effect.gen(function* () {
        const { claim, fan, queue, updates, write } = yield* bareActor
        yield* fan(updates(1, 3))
        const rows = yield* claim(10)
        assert.lengthOf(rows, 1)
        yield* write([result(rows[0]!, false)])
        // The failed one is a retry now and holds nobody back.
        assert.deepStrictEqual(
          (yield* queue).map(({ blocked }) => blocked),
          [false, false, true]
        )
      })
    )
  })

  it.effect("what was withheld while it was in the air and fails then stays withheld, with the attempt (W5, W11)", () =>
    Effect.gen(function* () {
      const { claim, fan, hookId, queue, sql, updates, write } = yield* bareActor
      const withhold = yield* makeWithheldDeliveries
      const replays = yield* HookReplays
      yield* fan(updates(1, 1))
      const [flying] = yield* claim(10)
      yield* sql.withTransaction(withhold(hookId, new Date()))
      yield* write([result(flying!, false)])
      assert.deepStrictEqual(yield* queue, [])
      const [delivery] = yield* sql`
        SELECT status, num_attempts, next_attempt_on, withheld_on IS NOT NULL AS dated FROM webhook_deliveries WHERE hook_id = ${hookId}`
      assert.deepStrictEqual(delivery, { status: "withheld", num_attempts: 1, next_attempt_on: null, dated: true })
      const attempts = yield* sql`SELECT attempt, next_attempt_on FROM webhook_attempts WHERE hook_id = ${hookId}`
      assert.deepStrictEqual(attempts, [{ attempt: 1, next_attempt_on: null }])
      const { replayed } = yield* replays.start(
        hookId,
        { since: new Date(0), statuses: ["failed", "withheld"] },
        "operator"
      )
      assert.strictEqual(replayed, 1)
    })
  )

  it.effect("nothing is committed once another activation has begun (W10)", () =>
    Effect.gen(function* () {
      const { activation, claim, fan, queue, sql, updates, write } = yield* bareActor
      yield* fan(updates(1, 1))
      const [row] = yield* claim(10)
      yield* sql`UPDATE actors SET fence = 2 WHERE actor_key = ${activation.key}`
      assert.instanceOf(yield* Effect.flip(write([result(row!, true)])), Fenced)
      assert.instanceOf(yield* Effect.flip(claim(10)), Fenced)
      assert.lengthOf(yield* queue, 1)
      assert.lengthOf(yield* sql`SELECT 1 FROM webhook_attempts WHERE hook_id = ${row!.hook_id}`, 0)
    })
  )

  it.effect(
    "failures in a row, notices and the loss of the verification are those of one execution after the other (W1)",
    () =>
      Effect.gen(function* () {
        // A generator with a seed: the same cases in every run.
        let state = 20_261_121
        const random = () => {
          state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
          return state / 2_147_483_648
        }
        let lost = 0
        for (let round = 0; round < 12; round++) {
          const { claim, fan, hook, hookId, sql, updates, write } = yield* bareActor
          let health: HookHealth = { status: "active", failures: 0, alerted: 0 }
          const failureNotices: Array<FailureNotice> = []
          for (let batch = 0; batch < 8 && health.status === "active"; batch++) {
            const size = 1 + Math.floor(random() * 6)
            for (let i = 0; i < size; i++) yield* fan(updates(100 * batch + i, 1))
            const rows = (yield* claim(50)).filter(({ tries }) => tries === 0)
            const outcomes = rows.map((row) => result(row, random() < 0.25))
            for (const { outcome } of outcomes) {
              const nextHealth = afterExecution(health, outcome.ok, FAILURES_ALLOWED)
              health = nextHealth.health
              if (nextHealth.notice !== null) failureNotices.push(nextHealth.notice)
            }
            const { health: reported } = yield* write(outcomes)
            assert.strictEqual(reported.get(hookId)!.failures, health.failures)
            assert.deepStrictEqual(yield* hook, {
              status: health.status,
              num_failed_executions: health.failures,
              alerted: health.alerted
            })
          }
          const notices = yield* sql<{ share: number | null }>`
          SELECT share FROM webhook_notices WHERE hook_id = ${hookId} ORDER BY notice_id`
          assert.deepStrictEqual(
            notices.map(({ share }) => share),
            failureNotices.map((notice) => (notice.kind === "failing" ? notice.share : null))
          )
          if (health.status === "active") continue
          lost++
          // What is undelivered is withheld (W5).
          assert.lengthOf(yield* sql`SELECT 1 FROM webhook_queue WHERE hook_id = ${hookId}`, 0)
          const openDeliveries = yield* sql`
          SELECT 1 FROM webhook_deliveries WHERE hook_id = ${hookId} AND status NOT IN ('delivered', 'withheld', 'failed')`
          assert.lengthOf(openDeliveries, 0)
        }
        assert.isAbove(lost, 0)
      })
  )

  it.effect("those of a hook that is gone are not measured, and those beside them by their own times", () =>
    Effect.gen(function* () {
      const { app, claim, fan, hookId, sql, updates, write } = yield* bareActor
      const { hookId: gone } = yield* seedHook(app, "record.update", "https://93.184.215.14/gone")
      yield* fan(updates(1, 1))
      const rows = yield* claim(10)
      const rowOfHook = (id: number) => rows.find(({ hook_id }) => hook_id === id)!
      const long = { ...rowOfHook(gone), created_on: new Date(Date.now() - 3_600_000) }
      yield* sql`DELETE FROM hooks WHERE hook_id = ${gone}`
      const measured = () =>
        [...seriesOf("millrace.webhook.delivery.latency")].reduce(
          (sum, { state }) => sum + (state() as { sum: number }).sum,
          0
        )
      const latencyBefore = measured()
      yield* write([result(long, true), result(rowOfHook(hookId), true)])
      assert.isBelow(measured() - latencyBefore, 3_000)
    })
  )

  it.effect("the next notice comes at the failure that `afterExecution` tells of", () =>
    Effect.sync(() => {
      for (let allowed = 0; allowed <= 60; allowed++) {
        let health: HookHealth = { status: "active", failures: 0, alerted: 0 }
        while (health.status === "active") {
          const next = nextNoticeAt(health.alerted, allowed)
          const nextHealth = afterExecution(health, false, allowed)
          assert.strictEqual(
            nextHealth.notice !== null,
            nextHealth.health.failures >= next,
            `${allowed}: ${nextHealth.health.failures}`
          )
          health = nextHealth.health
        }
      }
    })
  )
})
