// How long results wait for others behind a commit of many (docs/architecture/database.md; `Activation.batched`).
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Activation from "../../../src/engine/actors/Activation.ts"
import type { ActorKind, Activation as OfKind } from "../../../src/engine/actors/ActorKind.ts"
import { Actors } from "../../../src/engine/actors/Actors.ts"
import { defaultTuning } from "../../../src/platform/config/Tuning.ts"
import { makeFairPlaces } from "../../../src/platform/fairness/FairPlaces.ts"
import { submitted } from "../../../src/platform/sql/batching.ts"

/** Neither is asked: results are written by the test. */
const services = Layer.mergeAll(Layer.mock(Actors)({}), Layer.succeed(SqlClient.SqlClient, {} as SqlClient.SqlClient))

/** Sizes of the commits, if a result comes behind one of `first` results, and the milliseconds for which it waited. */
const commits = Effect.fnUntraced(function* (first: number, limits?: Parameters<OfKind["batched"]>[1]) {
  const { activation } = yield* Activation.make({
    kind: { name: "tests" } as ActorKind,
    id: "1",
    begun: { fence: 1, org_id: 1, orderly: true, onDisk: Effect.void },
    commits: makeFairPlaces({ places: 1, reserve: 0 }),
    beside: 1,
    draining: Effect.succeed(false),
    latch: Latch.makeUnsafe(false),
    nextLook: { at: 0, told: Number.POSITIVE_INFINITY }
  })
  const sizes: Array<number> = []
  const submit = submitted(
    yield* activation.batched(
      (results: ReadonlyArray<number>) => Effect.sync(() => void sizes.push(results.length)),
      limits
    )
  )
  yield* Effect.forEach(Array.from({ length: first }), (_, index) => submit(index), { concurrency: "unbounded" })
  const laterResult = yield* Effect.forkChild(submit(first), { startImmediately: true })
  yield* TestClock.adjust(0)
  let waitMillis = 0
  for (; sizes.length < 2; waitMillis++) yield* TestClock.adjust("1 millis")
  yield* Fiber.join(laterResult)
  return { sizes, waitMillis }
}, Effect.scoped)

describe("results behind a commit", () => {
  it.effect("of few do not wait", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* commits(3, { gather: () => 60 }), { sizes: [3, 1], waitMillis: 0 })
    }).pipe(Effect.provide(services))
  )

  it.effect("of many wait for others", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* commits(4), { sizes: [4, 1], waitMillis: defaultTuning.gatherMillis })
    }).pipe(Effect.provide(services))
  )

  it.effect("of many wait for as long as the kind says, and no less", () =>
    Effect.gen(function* () {
      const gather = (results: number) => results / 4
      assert.deepStrictEqual(yield* commits(8, { gather }), { sizes: [8, 1], waitMillis: defaultTuning.gatherMillis })
      assert.deepStrictEqual(yield* commits(80, { gather }), { sizes: [80, 1], waitMillis: 20 })
    }).pipe(Effect.provide(services))
  )
})
