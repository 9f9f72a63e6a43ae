// developer-api.md 7.11 rule 5: the hour's actions of an organization. What a process has spent counts whether or not it is written, and once.
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Credits } from "../../../../src/domain/automations/run/Credits.ts"
import { appLayer, seedOrganization } from "../../../support/app.ts"

const HOURLY = 5
const HOUR = 3_600_000

layer(Layer.provideMerge(Credits.layer, appLayer()), { excludeTestServices: true })(
  "credits of an organization",
  (it) => {
    const setting = Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { orgId } = yield* seedOrganization()
      yield* sql`UPDATE organizations SET limits = ${JSON.stringify({ credits_per_hour: HOURLY })}::jsonb WHERE org_id = ${orgId}`
      return { orgId, ...(yield* Credits) }
    })

    it.effect("are as few after they are written as before", () =>
      Effect.gen(function* () {
        const { flush, left, orgId, spend } = yield* setting
        assert.strictEqual(yield* left(orgId), HOURLY)
        yield* spend(orgId, 3)
        assert.strictEqual(yield* left(orgId), 2)
        yield* flush
        assert.strictEqual(yield* left(orgId), 2)
        yield* flush
        assert.strictEqual(yield* left(orgId), 2)
      })
    )

    it.effect("are taken by as many at once as there are; those who have no use for them give them back", () =>
      Effect.gen(function* () {
        const { flush, left, orgId, take } = yield* setting
        const outcomes = yield* Effect.all(
          Array.from({ length: 2 * HOURLY }, () => take(orgId, 1)),
          { concurrency: "unbounded" }
        )
        const [firstGiveBack, secondGiveBack, ...otherGiveBacks] = outcomes.filter((giveBack) => giveBack !== null)
        assert.lengthOf(otherGiveBacks, HOURLY - 2)
        yield* flush
        yield* Effect.andThen(firstGiveBack!, secondGiveBack!)
        assert.strictEqual(yield* left(orgId), 2)
        yield* flush
        assert.isNull(yield* take(orgId, 3))
        assert.isNotNull(yield* take(orgId, 2))
        assert.strictEqual(yield* left(orgId), 0)
      })
    )

    it.effect("are given back, and written, to the hour that they were taken in", () =>
      Effect.gen(function* () {
        const { flush, left, orgId, take } = yield* setting
        yield* TestClock.setTime(HOUR - 1)
        const [, giveBack] = [yield* take(orgId, 1), (yield* take(orgId, 3))!]
        yield* TestClock.setTime(HOUR)
        yield* giveBack
        assert.strictEqual(yield* left(orgId), HOURLY)
        yield* flush
        assert.strictEqual(yield* left(orgId), HOURLY)
        yield* TestClock.setTime(HOUR - 1)
        assert.strictEqual(yield* left(orgId), HOURLY - 1)
      }).pipe(Effect.provide(TestClock.layer()))
    )
  }
)
