// Statements whose text is put together once for each shape (docs/architecture.md, "Compiled once").
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { compiledOnce, slotsOf } from "../../../src/platform/sql/compiledOnce.ts"
import { Sql } from "../../../src/platform/sql/Sql.ts"
import { layerDatabase } from "../../support/database.ts"

interface Values {
  readonly first: number
  readonly second: string
}
const { first, second } = slotsOf<Values>()

layer(layerDatabase, { excludeTestServices: true })("compiledOnce", (it) => {
  describe("a statement of a shape", () => {
    it.effect("is asked for once, and every call has its own values, wherever they stand in the text", () =>
      Effect.gen(function* () {
        const sql = yield* Sql
        let buildCount = 0
        const compiled = compiledOnce<Values>(sql)
        const run = (values: Values, shape = "plain") =>
          compiled(shape, values, () => {
            buildCount += 1
            const nested = sql`${second}::text || ${sql.literal(shape === "plain" ? "'!'" : "'?'")}`
            return sql`SELECT ${first}::int AS n, ${nested} AS text, ${first}::int + 1 AS next`
          })
        assert.deepStrictEqual(yield* run({ first: 1, second: "one" }), [{ n: 1, text: "one!", next: 2 }])
        assert.deepStrictEqual(yield* run({ first: 2, second: "two" }), [{ n: 2, text: "two!", next: 3 }])
        assert.strictEqual(buildCount, 1)
        assert.deepStrictEqual(yield* run({ first: 3, second: "three" }, "other"), [{ n: 3, text: "three?", next: 4 }])
        assert.strictEqual(buildCount, 2)
      })
    )

    it.effect("without a name is asked for each time", () =>
      Effect.gen(function* () {
        const sql = yield* Sql
        let buildCount = 0
        const compiled = compiledOnce<Values>(sql)
        for (const n of [1, 2]) {
          const rows = yield* compiled(undefined, { first: n, second: "" }, () => {
            buildCount += 1
            return sql`SELECT ${first}::int AS n`
          })
          assert.deepStrictEqual(rows, [{ n }])
        }
        assert.strictEqual(buildCount, 2)
      })
    )

    it.effect("attack: a value of the first call that would go into the text of all others is a defect", () =>
      Effect.gen(function* () {
        const sql = yield* Sql
        const compiled = compiledOnce<Values>(sql)
        const app = 7
        assert.throws(
          () => compiled("baked", { first: 1, second: "" }, () => sql`SELECT ${first}::int WHERE ${app} = 7`),
          /no slot/
        )
      })
    )
  })
})
