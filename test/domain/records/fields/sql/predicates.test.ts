// developer-api.md 4.4: filters as SQL. What a filter holds does not make its statement longer.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makePredicates } from "../../../../../src/domain/records/fields/sql/predicates.ts"
import { Sql } from "../../../../../src/platform/sql/Sql.ts"
import { layerDatabase } from "../../../../support/database.ts"

layer(layerDatabase, { excludeTestServices: true })("filters of relation fields as SQL", (it) => {
  it.effect("4.4: contains and equal look at the links once, however many records they name", () =>
    Effect.gen(function* () {
      const sql = yield* Sql
      const { linked } = makePredicates(sql)
      const ids = Array.from({ length: 500 }, (_, n) => n + 1)
      const countLookups = (how: "all" | "exactly" | "any") => {
        const [text, values] = sql`SELECT 1 FROM records r WHERE ${linked(7, { is: "ids", how, ids })}`.compile()
        return [text.split("record_links").length - 1, values.length < 10]
      }
      assert.deepStrictEqual(
        [countLookups("any"), countLookups("all"), countLookups("exactly")],
        [
          [1, true],
          [1, true],
          [2, true]
        ]
      )
      for (const how of ["all", "exactly"] as const)
        yield* sql`SELECT 1 FROM records r WHERE ${linked(7, { is: "ids", how, ids: [1, 1, 2] })}`
    })
  )
})
