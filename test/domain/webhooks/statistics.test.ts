// Statistics of executions by time: counts by outcome and percentiles of latency come from counts that are written with the results, by
// the minute and later by the hour; backlog and oldest waiting from what waits now.
import { assert, describe, layer, it as test } from "@effect/vitest"
import { Effect } from "effect"
import { housekeeping } from "../../../src/domain/webhooks/hookHousekeeping.ts"
import type { Result } from "../../../src/domain/webhooks/judgeResults.ts"
import { HookStatistics } from "../../../src/domain/webhooks/statistics/HookStatistics.ts"
import { bucketsOf, percentileOf } from "../../../src/domain/webhooks/statistics/latencies.ts"
import { bareActor, FAILURES_ALLOWED, layerBare, result } from "./support/bareActor.ts"

const HOUR = 3_600_000

const assertNear = (actual: number | null, expected: number) =>
  assert.isBelow(Math.abs((actual ?? Number.NaN) - expected), expected * 0.1, `${actual} for ${expected}`)

describe("latencies in buckets", () => {
  test("give percentiles within a tenth", () => {
    const latencies = Array.from({ length: 1_000 }, (_, index) => 3 * (index + 1))
    const buckets = bucketsOf(latencies)
    for (const quantile of [0.5, 0.95, 0.99]) assertNear(percentileOf(buckets, quantile), 3_000 * quantile)
    assert.isNull(percentileOf([], 0.5))
    assert.isAtMost(bucketsOf([0, 1e9]).length, 113)
  })
})

layer(layerBare(), { excludeTestServices: true })("statistics", (it) => {
  it.effect("count executions by outcome, in a batch settled at once and one settled one by one", () =>
    Effect.gen(function* () {
      const { activation, claim, fan, hookId, sql, updates, write } = yield* bareActor
      const statistics = yield* HookStatistics
      const range = { since: new Date(Date.now() - HOUR), before: new Date(Date.now() + HOUR), step: "minute" as const }
      const total = (kind: "hook" | "app", id: number) =>
        Effect.map(statistics.read({ kind, id }, range), (read) => read.total)
      const events = Array.from({ length: FAILURES_ALLOWED + 6 }, (_, record) => updates(record + 1, 1)).flat()
      yield* fan(events)
      const backlog = (yield* statistics.read({ kind: "hook", id: hookId }, range)).backlog
      assert.strictEqual(backlog.waiting, events.length)
      assert.isNotNull(backlog.oldest_waiting_on)
      const rows = yield* claim(1_000)
      const withLatency = (taken: Result, latencyMillis: number): Result => ({
        ...taken,
        outcome: { ...taken.outcome, latencyMillis }
      })
      yield* write(rows.slice(0, 3).map((row) => withLatency(result(row, true), 100)))
      yield* write(rows.slice(3, 5).map((row) => result(row, false)))
      const firstTotal = yield* total("hook", hookId)
      assert.deepInclude(firstTotal, { executions: 5, delivered: 3, retrying: 2, failed: 0, withheld: 0 })
      assertNear(firstTotal.latency_ms.p95, 100)
      // More than are allowed in a row: the last of them is withheld with its hook.
      yield* write(rows.slice(5).map((row) => result(row, false)))
      const second = yield* total("app", Number(activation.id))
      assert.strictEqual(second.executions, rows.length)
      assert.strictEqual(second.delivered, 3)
      assert.isAbove(second.withheld, 0)
      const minutes = yield* sql<{
        n: number
      }>`SELECT count(*)::int AS n FROM hook_statistics WHERE hook_id = ${hookId}`
      assert.isAtMost(minutes[0]!.n, 2)
    })
  )

  it.effect("are by the hour after two days, with the same sums, and go with the log", () =>
    Effect.gen(function* () {
      const { hookId, sql } = yield* bareActor
      const statistics = yield* HookStatistics
      yield* sql`
        INSERT INTO hook_statistics (hook_id, counted_on, delivered, retrying, failed, withheld, latency)
        SELECT ${hookId}, date_trunc('hour', now()) - interval '60 hours' + n * interval '1 minute', n, 1, 0, 0, ARRAY[0, n, 1]
        FROM generate_series(0, 119) n
        UNION ALL SELECT ${hookId}, now() - interval '31 days', 1, 0, 0, 0, ARRAY[1]`
      const range = {
        since: new Date(Date.now() - 40 * 24 * HOUR),
        before: new Date(Date.now() + HOUR),
        step: "hour" as const
      }
      const statsBefore = yield* statistics.read({ kind: "hook", id: hookId }, range)
      yield* housekeeping
      const statsAfter = yield* statistics.read({ kind: "hook", id: hookId }, range)
      assert.deepStrictEqual(statsAfter.points, statsBefore.points.slice(1))
      assert.deepStrictEqual(
        statsAfter.points.map(({ delivered, executions }) => [delivered, executions]),
        [
          [1_770, 1_830],
          [5_370, 5_430]
        ]
      )
      const rows = yield* sql`SELECT 1 FROM hook_statistics WHERE hook_id = ${hookId}`
      assert.strictEqual(rows.length, 2)
    })
  )

  it.effect("say what range and step they take", () =>
    Effect.gen(function* () {
      const statistics = yield* HookStatistics
      const nowMillis = Date.now()
      const read = (hours: number, step: "minute" | "hour", before = nowMillis) =>
        Effect.flip(
          statistics.read(
            { kind: "hook", id: 1 },
            { since: new Date(nowMillis - hours * HOUR), before: new Date(before), step }
          )
        )
      assert.include((yield* read(47, "minute")).message, "at most 1500")
      assert.include((yield* read(72, "minute", nowMillis - 71 * HOUR)).message, "48 hours")
      assert.include((yield* read(1, "hour", nowMillis - 2 * HOUR)).message, "since")
    })
  )
})
