// Undo and redo of a grid (docs/console.md, "Undo"): the last fifty changes, and cells that somebody else has changed since.
import { assert, describe, it } from "@effect/vitest"
import {
  type CellEdit,
  type Change,
  emptyHistory,
  inverse,
  partEdits,
  stepped,
  withChange,
  withSaved
} from "../../../../console/src/pages/records/edits/history.ts"

const field = { field_id: 7, field_type: "single_text" } as unknown as CellEdit["field"]
const text = (value: string) => [{ value }]
const edit = (recordId: number, before: string, after: string): CellEdit => ({
  recordId,
  recordTitle: "",
  field,
  revision: 0,
  before: text(before),
  after: text(after)
})
const change = (label: string, ...edits: ReadonlyArray<CellEdit>): Change => ({
  label,
  edits,
  created: [],
  deleted: []
})

describe("the history of a grid", () => {
  it("goes back and forth; a new change ends what could be redone", () => {
    const history = withChange(
      withChange(emptyHistory, change("one", edit(1, "a", "b"))),
      change("two", edit(1, "b", "c"))
    )
    const undone = stepped(history, "undo")!
    assert.deepStrictEqual([undone.change.edits[0]!.before, undone.change.edits[0]!.after], [text("c"), text("b")])
    const redone = stepped(undone.history, "redo")!
    assert.deepStrictEqual([redone.change.edits[0]!.before, redone.change.edits[0]!.after], [text("b"), text("c")])
    assert.deepStrictEqual(redone.history, history)
    assert.isUndefined(stepped(withChange(undone.history, change("three")), "redo"))
    assert.isUndefined(stepped(emptyHistory, "undo"))
  })

  it("remembers fifty changes", () => {
    let history = emptyHistory
    for (let step = 0; step < 60; step++) history = withChange(history, change(`${step}`))
    assert.deepStrictEqual([history.undo.length, history.undo[0]!.label], [50, "10"])
  })

  it("turns created records into deleted ones and back", () => {
    const { created, deleted } = inverse({ label: "", edits: [], created: [1], deleted: [2] })
    assert.deepStrictEqual([created, deleted], [[2], [1]])
  })

  it("leaves cells alone that hold something else by now; what is not known is judged by the service", () => {
    const edits = [edit(1, "a", "b"), edit(2, "a", "b"), edit(3, "a", "b")]
    const savedCells = new Map([
      [1, text("a")],
      [2, text("theirs")]
    ])
    const { open, overtaken } = partEdits(change("", ...edits), ({ recordId }) => savedCells.get(recordId))
    assert.deepStrictEqual([open.map((one) => one.recordId), overtaken.map((one) => one.recordId)], [[1, 3], [2]])
  })

  it("compares with what the service has saved, which may be written otherwise than it was typed", () => {
    const history = withChange(emptyHistory, change("", edit(1, "a", " b ")))
    const saved = withSaved(history, { recordId: 1, fieldId: 7, saved: text("b"), shown: text(" b ") })
    assert.deepStrictEqual(saved.undo[0]!.edits[0]!.after, text("b"))
    const other = withSaved(history, { recordId: 1, fieldId: 7, saved: text("x"), shown: text("x") })
    assert.deepStrictEqual(other, history)
  })
})
