// The columns of the console's board (docs/console.md, "Board, calendar, gallery, form"): where each record stands while it is being moved.
import { assert, describe, it } from "@effect/vitest"
import {
  boardOptions,
  columnFilter,
  columnOf,
  entriesOfColumn,
  NONE,
  placeRecords
} from "../../../../console/src/pages/records/layouts/board/boardColumns.ts"

const options = [
  { id: 11, text: "Expected", color: "orange" },
  { id: 12, text: "In port", color: "green" }
]
const state = {
  field_id: 1,
  label: "State",
  field_type: "single_category",
  type: "category",
  config: { settings: { options } }
} as any
const record = (record_id: number, option: number | undefined, revision = 1) =>
  ({
    record_id,
    revision,
    fields: [{ field_id: 1, values: option === undefined ? [] : [{ value: { id: option } }] }]
  }) as any
const write = (recordId: number, option: number) =>
  ({ recordId, field: state, shown: [{ value: { id: option } }], state: { kind: "waiting" } }) as any
const column = (records: ReadonlyArray<any>, { readAt = 100, total = records.length } = {}) => ({
  records,
  total,
  readAt
})

const placeCard = (more: object) => {
  const columns = placeRecords({
    field: state,
    keys: [11, 12, NONE],
    read: new Map([
      [11, column([record(1, 11), record(2, 11)], { total: 40 })],
      [12, column([record(3, 12)])],
      [NONE, column([])]
    ]),
    writes: new Map(),
    moved: new Map(),
    kept: new Map(),
    carried: undefined,
    ...more
  })
  return [...columns].map(([key, { records, total }]) => [key, records.map(({ record_id }) => record_id), total])
}
const atRest = [
  [11, [1, 2], 40],
  [12, [3], 1],
  [NONE, [], 0]
]
const afterMove = [
  [11, [2], 39],
  [12, [1, 3], 2],
  [NONE, [], 0]
]

describe("the columns of a board", () => {
  it("follow the options, with one for records without any; each has its condition", () => {
    assert.deepStrictEqual(
      boardOptions(state).map(({ color, key, text }) => [key, text, color]),
      [
        [11, "Expected", "F2994A"],
        [12, "In port", "27AE60"],
        [NONE, "No state", undefined]
      ]
    )
    assert.include(columnFilter(state, 12), { field_id: 1, match_type: "equal" })
    assert.deepStrictEqual(columnFilter(state, 12).values, [{ value: 12 }])
    assert.strictEqual(columnFilter(state, NONE).match_type, "empty")
  })

  it("of people are those that records have, and everybody who is named besides; of related records those that records have", () => {
    const clerk = { ...state, label: "Clerk", field_type: "single_user", type: "user", config: { settings: {} } }
    const mira = { user_id: 5, name: "Mira" }
    const groups = [
      { text: "Mira", values: [{ value: mira }], count: 2, filter: {} },
      { text: "", values: [], count: 1, filter: {} }
    ] as any
    const columns = boardOptions(clerk, groups, [mira, { user_id: 6, name: "Ann" }])
    assert.deepStrictEqual(
      columns.map(({ key, text }) => [key, text]),
      [
        [5, "Mira"],
        [6, "Ann"],
        [NONE, "No clerk"]
      ]
    )
    assert.deepStrictEqual(entriesOfColumn(columns, 6), [{ value: { user_id: 6, name: "Ann" } }])
    assert.deepStrictEqual(entriesOfColumn(columns, NONE), [])
    const parent = { ...clerk, field_type: "single_relation", type: "relation" }
    const related = { record_id: 9, app_id: 1, title: "Harbor Line" }
    const [column] = boardOptions(parent, [{ text: "Harbor Line", values: [{ value: related }] }] as any)
    assert.deepInclude(column, { key: 9, text: "Harbor Line" })
    assert.strictEqual(columnOf({ fields: [{ field_id: 1, values: [{ value: related }] }] } as any, parent), 9)
    assert.include(columnFilter(parent, 9), { type: "relation", match_type: "equal" })
  })

  it("a record stands in the column of its unsaved value, and is counted there", () => {
    assert.deepStrictEqual(placeCard({}), atRest)
    assert.deepStrictEqual(placeCard({ writes: new Map([[1, [write(1, 12)]]]) }), afterMove)
  })

  it("one that was saved stays at its new place until that column is read again, in whatever order the columns are", () => {
    const saved = { record: record(1, 12, 2), savedAt: 200 }
    const readColumn = column([record(2, 11)], { readAt: 300, total: 39 })
    const moved = new Map([[1, saved]])
    const read = new Map([
      [11, readColumn],
      [12, column([record(3, 12)])],
      [NONE, column([])]
    ])
    assert.deepStrictEqual(placeCard({ moved, read }), afterMove)
    // The list that was left holds it still, as it was saved.
    const staleColumns = new Map(read).set(11, column([record(1, 12, 2), record(2, 11)], { total: 40 }))
    assert.deepStrictEqual(placeCard({ moved, read: staleColumns }), afterMove)
    const doubledColumns = new Map(read).set(12, column([record(1, 12, 2), record(3, 12)], { readAt: 300 }))
    assert.deepStrictEqual(placeCard({ moved, read: doubledColumns }), afterMove)
    // Read again without it: it does not match the conditions any more.
    const without = new Map(read).set(12, column([record(3, 12)], { readAt: 300 }))
    assert.deepStrictEqual(placeCard({ moved, read: without }), [[11, [2], 39], [12, [3], 1], atRest[2]!])
  })

  it("one that the order puts beyond what was read of its column stays drawn as long as it belongs there", () => {
    const saved = { record: record(1, 12, 2), savedAt: 200 }
    const read = new Map([
      [11, column([record(2, 11)], { readAt: 300, total: 39 })],
      [12, column([record(3, 12)], { readAt: 300, total: 50 })],
      [NONE, column([])]
    ])
    const keptAs = (one: any, readAt = 300) => ({
      moved: new Map([[1, saved]]),
      read,
      kept: new Map([[1, { record: one, readAt }]])
    })
    const drawn = [[11, [2], 39], [12, [1, 3], 50], atRest[2]!]
    assert.deepStrictEqual(placeCard(keptAs(record(1, 12, 2))), drawn)
    assert.deepStrictEqual(placeCard(keptAs(undefined, 0)), drawn, "not read by itself yet")
    const absent = [[11, [2], 39], [12, [3], 50], atRest[2]!]
    assert.deepStrictEqual(placeCard(keptAs(undefined)), absent, "it does not match the conditions any more")
    assert.deepStrictEqual(placeCard(keptAs(record(1, 11, 3))), [[11, [1, 2], 39], [12, [3], 50], atRest[2]!])
    const movedBack = { ...keptAs(record(1, 12, 2)), writes: new Map([[1, [write(1, 11)]]]) }
    assert.deepStrictEqual(placeCard(movedBack), [[11, [1, 2], 40], [12, [3], 49], atRest[2]!])
    const carried = { ...keptAs(record(1, 12, 2)), carried: { record: record(1, 12, 2), over: 12 } }
    assert.deepStrictEqual(placeCard(carried), drawn)
  })

  it("one that the keyboard carries stands where it would be dropped", () => {
    assert.deepStrictEqual(placeCard({ carried: { record: record(1, 11), over: 12 } }), afterMove)
    assert.deepStrictEqual(placeCard({ carried: { record: record(1, 11), over: 11 } }), atRest)
  })
})
