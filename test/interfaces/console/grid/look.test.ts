// The columns of the console's grid (docs/console.md, "The grid as a spreadsheet"): their order, and those that are drawn.
import { assert, describe, it } from "@effect/vitest"
import {
  type Column,
  columnsOfLook,
  drawnColumns,
  frozenCount,
  type Look,
  leftShowing,
  moveColumn,
  plainLook
} from "../../../../console/src/pages/records/grid/look.ts"

const field = (id: number) => ({ field_id: id, field_type: "single_text", label: `F${id}` }) as Column["field"] & object
const fields = Array.from({ length: 200 }, (_, at) => field(at + 2))
const columnsOf = (look: Partial<Look> = {}) =>
  columnsOfLook({ title: field(1), titleLabel: "Name", fields }, { ...plainLook, ...look }, false)

describe("the columns of a grid", () => {
  it("follow the look: moved, hidden, as wide as it says; new fields come last", () => {
    const columns = columnsOf({ order: [4, 3, 2], hidden: [3], widths: { 4: 300 } })
    assert.deepStrictEqual(
      columns.slice(0, 4).map(({ id, start, width }) => [id, start, width]),
      [
        [1, 0, 240],
        [4, 240, 300],
        [2, 540, 190],
        [5, 730, 190]
      ]
    )
    assert.strictEqual(columns.length, 200)
  })

  it("a column is moved before another one or behind it; the title stays the first", () => {
    const columns = columnsOf().slice(0, 5)
    assert.deepStrictEqual(moveColumn(columns, 1, 3), [3, 4, 2, 5])
    assert.deepStrictEqual(moveColumn(columns, 4, 1), [5, 2, 3, 4])
    assert.deepStrictEqual(moveColumn(columns, 1, 99), [3, 4, 5, 2])
  })

  it("are drawn where they are seen, with two more on either side", () => {
    const columns = columnsOf()
    assert.deepStrictEqual(drawnColumns(columns, 1, 0, 1_000), { first: 1, last: 7 })
    const middle = drawnColumns(columns, 1, 19_000, 1_000)
    assert.isAtMost(middle.last - middle.first, 10)
    const [first, last] = [columns[middle.first]!, columns[middle.last - 1]!]
    assert.isTrue(first.start <= 19_000 + 240 && last.start + last.width >= 20_000)
  })

  it("scroll as far as a column needs, and not where it is seen", () => {
    const columns = columnsOf()
    assert.strictEqual(leftShowing(columns, 1, 2, 0, 1_000), 0)
    assert.strictEqual(leftShowing(columns, 1, 0, 500, 1_000), 500)
    const scrollLeft = leftShowing(columns, 1, 100, 0, 1_000)
    const column = columns[100]!
    assert.strictEqual(scrollLeft + 1_000, column.start + column.width)
    assert.strictEqual(leftShowing(columns, 1, 50, scrollLeft, 1_000), columns[50]!.start - 240)
  })

  it("that stay in place leave room for the others", () => {
    assert.strictEqual(frozenCount(columnsOf(), 3, 2_000), 3)
    assert.strictEqual(frozenCount(columnsOf(), 3, 300), 1)
  })
})
