// service.md 3.2, 8; decisions O17: when a connection is active is one rule for who judges a row and for statements that look for rows, held over
// drawn lifetimes around both of its ends.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { activeIn, isActive, type Lifetime, lapsesAt, lapsesIn } from "../../../src/domain/connections/Connection.ts"
import { limits } from "../../../src/domain/connections/oauthLimits.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { layerDatabase } from "../../support/database.ts"
import { DEPTH, seedOf } from "../../support/seed.ts"

const SEED = seedOf("FUZZ_SEED")
const NOW = Date.UTC(2026, 10, 1, 12)

/** At an instant, a millisecond beside it, or anywhere about it. */
const about = (millis: number) =>
  fc
    .oneof(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -200 * 86_400_000, max: 200 * 86_400_000 }))
    .map((off) => new Date(millis + off))

const lifetime: fc.Arbitrary<Lifetime> = fc.record({
  last_token_on: about(NOW - limits.idleMillis),
  expires_on: fc.oneof(fc.constant(null), about(NOW)),
  ended_on: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: about(NOW) })
})

layer(layerDatabase, { excludeTestServices: true })("a connection", (it) => {
  it.effect("is active for a statement exactly when it is for who judges its row", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const samples = fc.sample(lifetime, { seed: SEED, numRuns: 500 * DEPTH })
      const rows = yield* sql`
        SELECT ${activeIn(sql, NOW)} AS active, (extract(epoch FROM ${lapsesIn(sql)}) * 1000)::bigint AS lapses
        FROM jsonb_to_recordset(${JSON.stringify(samples.map((one, place) => ({ ...one, place })))}::jsonb)
          AS c (place int, last_token_on timestamptz, expires_on timestamptz, ended_on timestamptz) ORDER BY place`
      assert.deepStrictEqual(
        rows.map((row) => row as object),
        samples.map((one) => ({ active: isActive(one, NOW), lapses: lapsesAt(one) })),
        `FUZZ_SEED=${SEED}`
      )
      assert.strictEqual(new Set(samples.map((one) => isActive(one, NOW))).size, 2)
    })
  )
})
