// A sign of life that arrives after its activation has fallen asleep (design: actors, 3 and 5): it was under way, or a last look at the
// operator's table took its time.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Random } from "effect"
import type { ActorKind } from "../../../src/engine/actors/ActorKind.ts"
import { Actors } from "../../../src/engine/actors/Actors.ts"
import { behaviour } from "./support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "./support/harness.ts"
import { freshSetting, layerTestPool } from "./support/setting.ts"
import { append, makeTestKind } from "./support/testKind.ts"

const kind = makeTestKind(behaviour)
/** Its table for operators takes its time. */
const slow = Effect.map(
  kind,
  (one): ActorKind => ({
    ...one,
    activate: (activation) =>
      Effect.map(one.activate(activation), (work) => ({ ...work, refresh: Effect.sleep("30 millis") }))
  })
)
const countDone = countWhere("test_done", "true")
const awake = countWhere("actors", "state = 'awake'")

describe("a late sign of life", () => {
  it.live("leaves an actor asleep, so that its next row calls it; it takes back what a sweep took for dead", () =>
    Effect.gen(function* () {
      const { databaseUrl } = yield* freshSetting()
      yield* Effect.gen(function* () {
        const actors = yield* Actors
        const rows = yield* kind
        const call = actors.call([[rows.name, { id: "1", org_id: 1, due_at: null }]])
        yield* call
        const { fence } = yield* actors.begin(rows.name, "1")
        yield* actors.leaveCalled("webhooks/app/1", fence)
        assert.isTrue(yield* actors.seen("webhooks/app/1", fence))
        assert.strictEqual(yield* awake, 1)
        assert.isTrue((yield* actors.sleep(rows, "1", fence)).asleep)
        assert.isTrue(yield* actors.seen("webhooks/app/1", fence))
        assert.strictEqual(yield* awake, 0)
        assert.lengthOf(yield* call, 1)
      }).pipe(Effect.provide(Actors.layer.pipe(Layer.provideMerge(layerTestPool(databaseUrl)))))
    }).pipe(Effect.scoped)
  )

  it.live("costs no row its call, however often actors fall asleep and give signs of life", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting({
        lingerMillis: 1,
        seenEveryMillis: 1,
        heartbeatEveryMillis: 1,
        heartbeatCrowdMillis: 1,
        sweepUnseenAfterMillis: 3_600_000
      })
      yield* Effect.gen(function* () {
        for (let record = 1; record <= 25; record++) {
          yield* append([{ app: 1, record: record }])
          yield* eventually("done", countDone, (n) => n === record)
          yield* Effect.sleep(yield* Random.nextIntBetween(0, 100))
        }
      }).pipe(Effect.provide(layerWorker(setting, slow)))
    }).pipe(Effect.scoped)
  )
})
