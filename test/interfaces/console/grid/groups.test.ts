// Groups of the console's grid (docs/console.md, "Groups"): how heads and rows follow each other, and the conditions that list a group.
import { assert, describe, it } from "@effect/vitest"
import {
  asGroup,
  type Group,
  isGroupable,
  isMore,
  lineAt,
  lineOfRow,
  moreGroups,
  spanOfRow,
  spansOf,
  takesRecords
} from "../../../../console/src/pages/records/grid/groups.ts"

const group = (key: string): Group => ({ key, label: key, filter: {} as Group["filter"], count: 1, values: [] })
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

  it("are read as their field is: dates by their span, numbers with their unit, yes and no", () => {
    const labelOf = (
      field: any,
      text: string,
      values: ReadonlyArray<unknown>,
      unit: "day" | "month" | "year" = "day"
    ) => asGroup(field, unit, { text, values, count: 1, filter: { type: "x", match_type: "equal" } } as any).label
    const due = fieldOf("single_date")
    assert.deepStrictEqual(
      [labelOf(due, "2026-03-01", []), labelOf(due, "2026-03", [], "month"), labelOf(due, "2026", [], "year")],
      ["Mar 1, 2026", "March 2026", "2026"]
    )
    assert.strictEqual(labelOf(due, "10000-01-0", []), "10000-01-0")
    const weight = fieldOf("number", { decimals: 2, unit: "kg", unit_location: "suffix" })
    assert.strictEqual(labelOf(weight, "1200.00 kg", [{ value: 1200 }]), "1,200.00 kg")
    assert.strictEqual(labelOf(fieldOf("calculation", { result: "boolean" }), "true", [{ value: true }]), "Yes")
    assert.strictEqual(labelOf(fieldOf("created_by"), "Mira", []), "Mira")
    const empty = { text: "", values: [], count: 2, filter: { type: "x", match_type: "empty" } } as any
    assert.strictEqual(asGroup(due, "day", empty).label, "No Kind")
  })

  it("fields of nearly every type group; a new record begins where it can have the value of the group", () => {
    const types = ["status", "single_user", "number", "multi_category", "single_relation", "single_text", "created_at"]
    assert.deepStrictEqual(
      types.filter((type) => !isGroupable(fieldOf(type))),
      []
    )
    const others = ["multi_text", "checklist", "multi_email", "multi_image", "single_location"]
    assert.deepStrictEqual(
      others.filter((type) => isGroupable(fieldOf(type))),
      []
    )
    const ofValue: Group = { ...group("a"), values: [{ value: { id: 3 } }] }
    assert.isTrue(takesRecords(fieldOf("status"), ofValue))
    assert.isFalse(takesRecords(fieldOf("created_by"), ofValue))
    const required = { ...fieldOf("status"), config: { settings: {}, required: true } }
    assert.deepStrictEqual([takesRecords(required, group("empty")), takesRecords(required, ofValue)], [false, true])
    assert.isTrue(isMore(moreGroups(3)))
    assert.isFalse(takesRecords(fieldOf("status"), moreGroups(3)))
  })
})
