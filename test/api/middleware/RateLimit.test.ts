// developer-api.md 1.6: the budget is the user's, however many processes serve them and however many of these end.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { RateLimit } from "../../../src/api/middleware/RateLimit.ts"
import { configLayer } from "../../support/app.ts"
import { layerDatabase } from "../../support/database.ts"

/** Credits, and requests of ten of them. */
const BUDGET = 2_000
const REQUESTS = BUDGET / 10

const settings = configLayer({ RATE_BUDGET: String(BUDGET) })

/** Of a process of its own. */
const process = Effect.map(Effect.context<Layer.Services<typeof RateLimit.layer>>(), (context) =>
  RateLimit.layer.pipe(Layer.fresh, Layer.provide(Layer.succeedContext(context)))
)
const limits = (processes: number) =>
  Effect.flatMap(process, (one) =>
    Effect.forEach(Array.from({ length: processes }), () =>
      Effect.map(Layer.build(one), (built) => {
        const { mapUnsafe } = built
        return mapUnsafe.get(RateLimit.key) as RateLimit["Service"]
      })
    )
  )

layer(Layer.merge(layerDatabase, settings), { excludeTestServices: true })("the budget of a user", (it) => {
  it.effect("processes that end take next to nothing of it along", () =>
    Effect.gen(function* () {
      let spent = 0
      for (const { spend } of yield* limits(30)) if ((yield* spend(1, 1)).allowed) spent++
      assert.strictEqual(spent, 30)
    }).pipe(Effect.scoped)
  )

  it.effect("is not more, and not much less, where twenty processes serve in turn", () =>
    Effect.gen(function* () {
      const processes = yield* limits(20)
      const allowed: Array<boolean> = []
      for (let n = 0; n < 2 * REQUESTS; n++) allowed.push((yield* processes[n % processes.length]!.spend(2, 1)).allowed)
      assert.isAtMost(allowed.filter((one) => one).length, REQUESTS)
      assert.isAbove(allowed.indexOf(false), 0.6 * REQUESTS)
      assert.isAbove(allowed.filter((one) => one).length, 0.9 * REQUESTS)
    }).pipe(Effect.scoped)
  )

  it.effect("is whole where one serves", () =>
    Effect.gen(function* () {
      const [one] = yield* limits(1)
      const { spend } = one!
      for (let n = 0; n < REQUESTS; n++) assert.isTrue((yield* spend(3, 1)).allowed, `request ${n}`)
      const { allowed, remaining } = yield* spend(3, 1)
      assert.deepStrictEqual([allowed, remaining], [false, 0])
    }).pipe(Effect.scoped)
  )
})
