// decisions W1: the time for which the process was held up is not somebody else's lateness.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Deadline } from "../../../src/platform/outbound/deadline.ts"
import { loopLagMillis } from "../../../src/platform/primitives/eventLoopLag.ts"
import { eventually } from "../../support/eventually.ts"
import { beating, standStill } from "../../support/standStill.ts"

const MILLIS = 600

const stand = (millis: number) => Effect.sync(() => standStill(millis))

/** What a deadline of `MILLIS` came to, and what the process was held for meanwhile. */
const deadlineUnder = <E, R>(meanwhile: Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const heldBefore = loopLagMillis()
    const startMillis = performance.now()
    let elapsedMillis: number | undefined
    const deadline = new Deadline(MILLIS, () => {
      elapsedMillis = performance.now() - startMillis
    })
    yield* meanwhile
    yield* eventually(
      "passed",
      Effect.sync(() => elapsedMillis),
      (millis) => millis !== undefined
    )
    return { after: elapsedMillis!, granted: deadline.grantedMillis, held: loopLagMillis() - heldBefore }
  })

describe("a deadline", () => {
  it.live("passes when its time is over, where nothing holds the process up", () =>
    Effect.gen(function* () {
      yield* beating
      const { after, granted, held } = yield* deadlineUnder(Effect.void)
      assert.isAtLeast(after, MILLIS - 1)
      assert.isAtMost(granted, held)
    }).pipe(Effect.scoped)
  )

  it.live("lets the time pass for which the process was held up", () =>
    Effect.gen(function* () {
      yield* beating
      const { after, granted } = yield* deadlineUnder(stand(400))
      assert.isAtLeast(granted, 300)
      assert.isAtLeast(after, MILLIS + granted - 2)
    }).pipe(Effect.scoped)
  )

  it.live("gives its time once more, and not for ever", () =>
    Effect.gen(function* () {
      yield* beating
      const { granted, held } = yield* deadlineUnder(
        Effect.forEach([1, 2, 3, 4], () => Effect.andThen(stand(MILLIS), Effect.sleep("60 millis")))
      )
      assert.isAbove(held, 2 * MILLIS)
      assert.isAtMost(granted, MILLIS)
    }).pipe(Effect.scoped)
  )

  it.live("does not pass once it is cancelled, whatever stood still", () =>
    Effect.gen(function* () {
      yield* beating
      let hasFired = false
      const deadline = new Deadline(MILLIS, () => {
        hasFired = true
      })
      yield* stand(2 * MILLIS)
      deadline.cancel()
      yield* Effect.sleep("700 millis")
      assert.isFalse(hasFired)
    }).pipe(Effect.scoped)
  )

  it.live("knows of nothing that held the process up where nobody listens to its beat", () =>
    Effect.gen(function* () {
      const heldBefore = loopLagMillis()
      yield* stand(300)
      yield* Effect.sleep("60 millis")
      assert.strictEqual(loopLagMillis(), heldBefore)
    })
  )
})
