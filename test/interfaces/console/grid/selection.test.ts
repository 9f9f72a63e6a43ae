// The selection of the console's grid (docs/console.md, "The grid as a spreadsheet"): one active cell and a range, moved by keys.
import { assert, describe, it } from "@effect/vitest"
import {
  extendTo,
  type GridSize,
  moveByKey,
  rangeOf,
  type Selection,
  selectCell,
  selectionWords
} from "../../../../console/src/pages/records/grid/selection.ts"

const size: GridSize = { rows: 100, columns: 5, page: 10 }

/** Presses keys, written as `Ctrl+Shift+ArrowDown`. */
const press = (from: Selection, ...keys: ReadonlyArray<string>): Selection =>
  keys.reduce((selection, text) => {
    const parts = text.split("+")
    const key = parts.at(-1)!
    const next = moveByKey(selection, { key, isFar: parts.includes("Ctrl"), isShift: parts.includes("Shift") }, size)
    assert.isDefined(next, text)
    return next!
  }, from)
const selectAt = (row: number, column: number) => selectCell({ row, column })
const corners = (selection: Selection) => {
  const { bottom, left, right, top } = rangeOf(selection)
  return [top, left, bottom, right]
}

describe("the selection of a grid", () => {
  it("is one cell that keys move, never out of the grid", () => {
    assert.deepStrictEqual(press(selectAt(0, 0), "ArrowDown", "ArrowRight"), selectAt(1, 1))
    assert.deepStrictEqual(press(selectAt(0, 0), "ArrowUp", "ArrowLeft"), selectAt(0, 0))
    assert.deepStrictEqual(press(selectAt(95, 2), "PageDown", "End"), selectAt(99, 4))
    assert.deepStrictEqual(press(selectAt(50, 2), "Ctrl+End"), selectAt(99, 4))
    assert.deepStrictEqual(press(selectAt(50, 2), "Ctrl+Home"), selectAt(0, 0))
    assert.deepStrictEqual(press(selectAt(50, 2), "Ctrl+ArrowUp", "Ctrl+ArrowRight"), selectAt(0, 4))
  })

  it("is extended by Shift from the active cell, which stays, in any direction", () => {
    const extended = press(selectAt(4, 2), "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight")
    assert.deepStrictEqual([corners(extended), extended.active], [[4, 2, 6, 3], { row: 4, column: 2 }])
    assert.deepStrictEqual(corners(press(extended, "Shift+ArrowUp", "Shift+ArrowUp", "Shift+ArrowUp")), [3, 2, 4, 3])
    assert.deepStrictEqual(corners(press(selectAt(4, 2), "Ctrl+Shift+End")), [4, 2, 99, 4])
    assert.deepStrictEqual(corners(extendTo(selectAt(4, 2), { row: 1, column: 0 })), [1, 0, 4, 2])
  })

  it("a plain key or Escape ends the range at the active cell; Ctrl+A takes all and leaves it there", () => {
    const extended = press(selectAt(4, 2), "Shift+PageDown")
    assert.deepStrictEqual(press(extended, "Escape"), selectAt(4, 2))
    assert.deepStrictEqual(press(extended, "ArrowRight"), selectAt(4, 3))
    const allCells = press(selectAt(4, 2), "Ctrl+a")
    assert.deepStrictEqual([corners(allCells), allCells.active], [[0, 0, 99, 4], { row: 4, column: 2 }])
    assert.isUndefined(moveByKey(selectAt(4, 2), { key: "Escape", isFar: false, isShift: false }, size))
  })

  it("is told in words when it is more than a cell", () => {
    assert.strictEqual(
      selectionWords(rangeOf(press(selectAt(0, 0), "Shift+ArrowDown", "Shift+ArrowRight"))),
      "2 by 2 cells selected"
    )
    assert.strictEqual(selectionWords(rangeOf(selectAt(3, 3))), "")
  })
})
