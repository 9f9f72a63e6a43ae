// What goes to a script process at a time (developer-api.md 8.3; decisions P8).
import { assert, describe, it } from "@effect/vitest"
import { MANY_CHARS, ROWS_MOST } from "../../../src/platform/sandbox/protocol.ts"
import { oneTrip, tripOf } from "../../../src/platform/sandbox/scriptTrips.ts"

describe("rows of bindings", () => {
  it("what is the same in all rows goes once, before what is not", () => {
    const data = { ids: [1, 2] }
    const rows = [1, 2, 3].map((n) => ({ own: n, data, day: "2026-01-01", none: undefined }))
    assert.deepStrictEqual(tripOf(rows), {
      names: ["data", "day", "none", "own"],
      shared: '[{"ids":[1,2]},"2026-01-01",null]',
      rows: "[[1],[2],[3]]"
    })
    assert.deepStrictEqual(tripOf(rows.slice(0, 1)).shared, "[]")
  })

  it("a trip holds at most so many rows, and so many characters of what is their own", () => {
    const data = "x".repeat(MANY_CHARS)
    const small = Array.from({ length: ROWS_MOST + 1 }, (_, n) => ({ n, data }))
    assert.strictEqual(oneTrip(small, 0).length, ROWS_MOST)
    assert.strictEqual(oneTrip(small, ROWS_MOST).length, 1)
    const large = Array.from({ length: 5 }, (_, n) => ({ text: `${n}`.padEnd(MANY_CHARS / 2 - 10, "x") }))
    assert.strictEqual(oneTrip(large, 0).length, 2)
    assert.strictEqual(oneTrip(large, 4).length, 1)
  })
})
