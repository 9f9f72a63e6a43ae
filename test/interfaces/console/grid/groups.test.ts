// Groups of the console's grid (docs/console.md, "Groups"): how heads and rows follow each other, and the conditions that list a group.
import { assert, describe, it } from "@effect/vitest"
import {
  type Group,
  groupsOf,
  isGroupable,
  lineAt,
  lineOfRow,
  spanOfRow,
  spansOf
} from "../../../../console/src/pages/records/grid/groups.ts"

const group = (key: string): Group => ({ key, label: key, filter: {} as Group["filter"] })
const fieldOf = (field_type: string, settings: object = {}) =>
  ({ field_id: 7, field_type, type: field_type, label: "Kind", config: { settings } }) as any

describe("groups of a grid", () => {
  it("lay out heads and rows one after another; a closed group has a head alone, an empty one none", () => {
    const spans = spansOf([
      { group: group("a"), total: 2, isOpen: true },
      { group: group("empty"), total: 0, isOpen: true },
      { group: group("closed"), total: 5, isOpen: false },
      { group: group("b"), total: 1, isOpen: true },
      { group: group("unasked"), total: undefined, isOpen: false }
    ])
    const lines = Array.from({ length: 7 }, (_, line) => {
      const shownLine = lineAt(spans, line)
      return typeof shownLine === "number" ? shownLine : shownLine.group.key
    })
    assert.deepStrictEqual(lines, ["a", 0, 1, "closed", "b", 2, "unasked"])
    assert.deepStrictEqual(
      [0, 1, 2].map((row) => [lineOfRow(spans, row), spanOfRow(spans, row)?.group.key]),
      [
        [1, "a"],
        [2, "a"],
        [5, "b"]
      ]
    )
    assert.isUndefined(spanOfRow(spans, 3))
  })

  it("every row of a million has its line, and each line its row", () => {
    const spans = spansOf(
      Array.from({ length: 500 }, (_, at) => ({ group: group(String(at)), total: 2_000, isOpen: at % 3 !== 1 }))
    )
    const rows = spans.reduce((sum, { count }) => sum + count, 0)
    for (let row = 0; row < rows; row += 997) assert.strictEqual(lineAt(spans, lineOfRow(spans, row)), row)
  })

  it("each value has a condition, and a last group lists all other records", () => {
    const options = fieldOf("single_category", { options: [{ id: 3, text: "Sail" }] })
    assert.deepStrictEqual(
      groupsOf(options, []).map(({ filter, label }) => [label, filter.match_type, filter.values]),
      [
        ["Sail", "equal", [{ value: 3 }]],
        ["No Kind", "empty", undefined]
      ]
    )
    const people = groupsOf(fieldOf("created_by"), [{ user_id: 5, name: "Mira" }])
    assert.deepStrictEqual(
      people.map(({ filter }) => [filter.match_type, filter.values]),
      [
        ["equal", [{ value: 5 }]],
        ["none", [{ value: 5 }]]
      ]
    )
    const groupable = ["status", "single_user", "number", "multi_category"].map((type) => isGroupable(fieldOf(type)))
    assert.deepStrictEqual(groupable, [true, true, false, false])
    assert.isTrue(isGroupable(fieldOf("calculation", { result: "boolean" })))
  })
})
