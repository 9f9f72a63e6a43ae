// developer-api.md 7.9, 7.10: a request that waits for a run is woken by its end, in whatever process it is, and has looked only twice.
import { assert, layer } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isOver, RunOutcomes } from "../../../../src/domain/automations/requests/RunOutcomes.ts"
import { waitName } from "../../../../src/domain/automations/run/waitingRequests.ts"
import { make, Secrets } from "../../../../src/platform/sealing/Secrets.ts"
import { Wakes } from "../../../../src/platform/sql/Wakes.ts"
import { layerDatabase } from "../../../support/database.ts"

const services = RunOutcomes.layer.pipe(
  Layer.provideMerge(Wakes.layer),
  Layer.provide(Layer.succeed(Secrets, make(Buffer.alloc(32, 7)))),
  Layer.provideMerge(layerDatabase)
)

/** A clock on which nothing comes to its end by itself: no pause, no time-out. */
const standingClock: Clock.Clock = {
  currentTimeMillisUnsafe: () => 0,
  currentTimeMillis: Effect.succeed(0),
  currentTimeNanosUnsafe: () => 0n,
  currentTimeNanos: Effect.succeed(0n),
  monotonicTimeNanosUnsafe: () => 0n,
  monotonicTimeNanos: Effect.succeed(0n),
  sleep: () => Effect.never
}

layer(services, { excludeTestServices: true })("a request that waits for a run", (it) => {
  const beginWait = Effect.fnUntraced(function* (key: string, isNew?: boolean) {
    const sql = yield* SqlClient.SqlClient
    const outcomes = yield* RunOutcomes
    yield* sql`INSERT INTO run_waits (wait_key, created_on) VALUES (${key}, now())`
    let lookCount = 0
    const countLook: typeof isOver = (outcome) => {
      lookCount++
      return isOver(outcome)
    }
    const fiber = yield* Effect.forkChild(
      Effect.provideService(outcomes.until(key, 60_000, countLook, isNew), Clock.Clock, standingClock)
    )
    const end = sql`UPDATE run_waits SET refused = 'mismatch' WHERE wait_key = ${key}`
    return { end, outcome: Fiber.join(fiber), looks: () => lookCount }
  })

  it.effect("is woken in its own process", () =>
    Effect.gen(function* () {
      const wakes = yield* Wakes
      const { end, looks, outcome } = yield* beginWait("here")
      yield* end
      yield* wakes.wake([waitName("here")])
      assert.deepStrictEqual(yield* outcome, { type: "refused", why: "mismatch" })
      assert.isAtMost(looks(), 2)
    })
  )

  it.effect("looks only once if its event is new", () =>
    Effect.gen(function* () {
      const wakes = yield* Wakes
      const { end, looks, outcome } = yield* beginWait("new", true)
      yield* end
      yield* wakes.wake([waitName("new")])
      assert.deepStrictEqual(yield* outcome, { type: "refused", why: "mismatch" })
      assert.strictEqual(looks(), 1)
    })
  )

  it.effect("is woken from another process", () =>
    Effect.gen(function* () {
      const { end, looks, outcome } = yield* beginWait("there")
      yield* end
      // Repeats its wake: one that comes before this process listens is lost.
      const elsewhere = Effect.scoped(
        Effect.gen(function* () {
          const other = yield* Layer.build(Wakes.layerRemote)
          yield* Effect.provide(
            Effect.flatMap(Wakes, ({ wake }) =>
              Effect.forever(Effect.andThen(wake([waitName("there")]), Effect.sleep("50 millis")))
            ),
            other
          )
        })
      )
      const result = yield* Effect.raceFirst(outcome, elsewhere)
      assert.deepStrictEqual(result, { type: "refused", why: "mismatch" })
      assert.isAtMost(looks(), 2)
    })
  )
})
