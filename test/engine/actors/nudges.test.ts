// A nudge goes ahead of the commit of the rows that it is for (docs/architecture/flow.md, "One flow"): what it sets off takes longer than that.
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { behaviour } from "./support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "./support/harness.ts"
import { count, historyOf } from "./support/histories.ts"
import { freshSetting } from "./support/setting.ts"
import { append, endingWith, makeTestKind } from "./support/testKind.ts"

const KEY = "webhooks/app/1"
const countDone = countWhere("test_done", "true")
const asleep = countWhere("actors", "state = 'asleep'")
const countActivations = Effect.map(historyOf(KEY), (names) => count(names, "activityTaskScheduled"))

const ending = (last: Effect.Effect<unknown>) => endingWith(makeTestKind(behaviour), 2, last)

/** An actor that sleeps, with nothing left and its workflow ended. */
const slept = Effect.gen(function* () {
  yield* append([{ app: 1, record: 1 }])
  yield* eventually("done", countDone, (n) => n === 1)
  yield* eventually("asleep", asleep, (n) => n === 1)
  yield* eventually("ended", historyOf(KEY), (names) => count(names, "workflowExecutionCompleted") === 1)
})

describe("a sleeping actor", () => {
  it.live("is nudged while its rows are being committed, once", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({
        lingerMillis: 3_000,
        idleInTransactionMillis: 60_000,
        sweepCalledAfterMillis: 60_000
      })
      const gate = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        yield* slept
        yield* append([{ app: 1, record: 2 }])
        yield* eventually("a second activation", countActivations, (n) => n === 2)
        assert.strictEqual(yield* countWhere("outbox", "true"), 1)
        yield* Deferred.succeed(gate, undefined)
        yield* eventually("done", countDone, (n) => n === 2)
        const names = yield* eventually(
          "ended",
          historyOf(KEY),
          (all) => count(all, "workflowExecutionCompleted") === 2
        )
        assert.deepStrictEqual(
          [count(names, "workflowExecutionSignaled"), count(names, "activityTaskScheduled")],
          [0, 2]
        )
      }).pipe(Effect.provide(layerWorker(setting, ending(Deferred.await(gate)))))
    }).pipe(Effect.scoped)
  )

  it.live("has its rows done once where that commit fails behind the nudge", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({ lingerMillis: 1, sweepCalledAfterMillis: 60_000 })
      let refusalCount = 0
      const failing = Effect.suspend(() => (refusalCount++ < 1 ? Effect.die("refused") : Effect.void))
      yield* Effect.gen(function* () {
        yield* slept
        yield* append([{ app: 1, record: 2 }])
        yield* eventually("done", countDone, (n) => n === 2)
        assert.isAbove(refusalCount, 1)
        yield* eventually("asleep", asleep, (n) => n === 1)
        assert.strictEqual(yield* countWhere("test_rows", "state <> 'done'"), 0)
      }).pipe(Effect.provide(layerWorker(setting, ending(failing))))
    }).pipe(Effect.scoped)
  )
})
