// docs/console.md, "Rows", in real Chromium: rows are ticked and changed together, added at the end of the grid, duplicated, deleted and restored.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../../support/eventually.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { clicked, found } from "../../pages/waiting.ts"
import { choose, fill, gone, judgedInAllSizes, press, promise } from "../consoleTab.ts"
import { cell, clickCell, keys, openGrid, reads, reports, seedBoats } from "./gridTab.ts"

layer(SharedScene, { excludeTestServices: true })("many records of a grid", (it) => {
  it.effect("ticked rows get one value, are duplicated, deleted after a question and restored by undo", () =>
    Effect.gen(function* () {
      const { app, call, read, total } = yield* seedBoats(60, "Dinghies")
      const { page } = yield* openGrid(app)
      yield* reads(page, 0, 0, "Boat 1")
      // By keyboard, then from there to another one by Shift and the mouse: fifty rows.
      yield* keys(page, "Shift+Space")
      yield* promise(() => found(page, ".bulk-bar ::-p-text(1 record selected)"))
      yield* keys(page, "Control+End")
      yield* reads(page, 59, 0, "Boat 60")
      yield* promise(async () => {
        await page.hover(cell(49, 0))
        await page.keyboard.down("Shift")
        await clicked(page, `tr:has(${cell(49, 0)}) input[type=checkbox]`)
        await page.keyboard.up("Shift")
      })
      yield* promise(() => found(page, ".bulk-bar ::-p-text(50 records selected)"))
      yield* judgedInAllSizes(page, "grid-bulk")
      yield* press(page, "Edit a field")
      yield* choose(page, "Field", "Port")
      yield* fill(page, "New value", "Riga", "textbox")
      yield* press(page, "Save")
      yield* reads(page, 49, 2, "Riga", null)
      yield* reads(page, 50, 2, "Kiel", null)
      yield* eventually("all are saved", read(0), ({ port }) => port === "Riga")
      yield* press(page, "Delete")
      yield* judgedInAllSizes(page, "grid-delete")
      yield* promise(() => clicked(page, "dialog .danger"))
      yield* reports(page, "50 records deleted.")
      yield* eventually("they are in the trash", total, (count) => count === 10)
      yield* promise(() => page.focus("[role=grid]"))
      yield* keys(page, "Control+z")
      yield* reports(page, "Undone: delete.")
      yield* eventually("they are back", total, (count) => count === 60)
      yield* keys(page, "Control+z")
      yield* eventually("the edit is undone too", read(0), ({ port }) => port === "Kiel")
      yield* gone(page, ".bulk-bar")
      yield* clickCell(page, 1, 1)
      yield* keys(page, "Shift+F10", "End", "ArrowUp", "Enter")
      yield* reports(page, "1 record added.")
      yield* reads(page, 0, 0, "Boat 2", null)
      const copies = yield* call("GET", `/record/app/${app.app_id}?limit=1`)
      assert.deepStrictEqual([copies.records[0].title, copies.total], ["Boat 2", 61])
    }).pipe(Effect.scoped)
  )

  it.effect("a row at the end adds a record and opens it beside the grid", () =>
    Effect.gen(function* () {
      const { app, total } = yield* seedBoats(3, "Canoes")
      const { page } = yield* openGrid(app)
      yield* press(page, "+ New boat")
      yield* eventually("it is there", total, (count) => count === 4)
      yield* promise(() => found(page, ".record-panel h2::-p-text(Boat #4)"))
      yield* judgedInAllSizes(page, "grid-with-panel")
      yield* keys(page, "Escape")
      yield* gone(page, ".record-panel")
      yield* keys(page, "Control+z")
      yield* eventually("the undo takes it away", total, (count) => count === 3)
    }).pipe(Effect.scoped)
  )
})
