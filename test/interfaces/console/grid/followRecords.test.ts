// docs/console.md, "The grid as a spreadsheet", in real Chromium: what others change while a grid is used. The selection and an edit stay at
// their record and field; an undo comes through, and one is there when no record is left.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { eventually } from "../../../support/eventually.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { clicked, found } from "../../pages/waiting.ts"
import { gone, press, promise, shows } from "../consoleTab.ts"
import { cell, clickCell, keys, openGrid, reads, reports, seedBoats, selects } from "./gridTab.ts"

const isActive = (page: Page, row: number, column: number) =>
  promise(() => found(page, `${cell(row, column)}[data-active]`))

layer(SharedScene, { excludeTestServices: true })("a grid that others change", (it) => {
  it.effect("selection and edit stay at their record and field", () =>
    Effect.gen(function* () {
      const { app, call, ids, read } = yield* seedBoats()
      const add = (name: string) => call("POST", `/record/app/${app.app_id}`, { fields: { name } })
      const { page } = yield* openGrid(app)
      yield* reads(page, 0, 0, "Boat 1")
      yield* clickCell(page, 2, 1)
      yield* keys(page, "Shift+ArrowDown")
      yield* add("Newcomer")
      yield* reads(page, 0, 0, "Newcomer")
      yield* isActive(page, 3, 1)
      yield* selects(page, "2 by 1 cells selected")
      yield* keys(page, "Delete")
      yield* reads(page, 4, 1, "", null)
      yield* eventually(
        "the cells that were selected are cleared",
        read(3),
        ({ length }) => length === null || length === undefined
      )
      assert.strictEqual((yield* read(1)).length, 2)
      // The text that is being typed stays with its cell.
      yield* clickCell(page, 3, 2)
      yield* promise(() => page.keyboard.type("Os"))
      yield* add("Latecomer")
      yield* reads(page, 0, 0, "Latecomer")
      yield* promise(() => found(page, `${cell(4, 2)} input:focus`))
      yield* promise(() => page.keyboard.type("lo"))
      yield* keys(page, "Enter")
      yield* reads(page, 4, 2, "Oslo", null)
      yield* isActive(page, 5, 2)
      yield* eventually("it is saved", read(2), ({ port }) => port === "Oslo")
      // A field before the active one goes.
      yield* clickCell(page, 6, 2)
      yield* call("PUT", `/app/${app.app_id}`, { fields_to_delete: [{ field_id: app.fields[1].field_id }] })
      yield* isActive(page, 6, 1)
      yield* promise(() => page.keyboard.type("Riga"))
      yield* keys(page, "Enter")
      yield* eventually("it is in its field", read(4), ({ port }) => port === "Riga")
      assert.strictEqual(ids.length, 6)
    }).pipe(Effect.scoped)
  )

  it.effect("an undo of records that somebody else has deleted or restored gets through", () =>
    Effect.gen(function* () {
      const { app, call, read } = yield* seedBoats(6, "Gigs")
      const { page } = yield* openGrid(app)
      yield* clickCell(page, 1, 2)
      yield* promise(() => page.keyboard.type("Oslo"))
      yield* keys(page, "Enter")
      yield* reads(page, 1, 2, "Oslo", null)
      yield* keys(page, "Shift+F10", "End", "ArrowUp", "Enter")
      yield* reports(page, "1 record added.")
      const { records } = yield* call("GET", `/record/app/${app.app_id}?limit=1`)
      yield* call("DELETE", `/record/${records[0].record_id}`)
      yield* reads(page, 0, 0, "Boat 1")
      yield* keys(page, "Control+z")
      yield* reports(
        page,
        "Undone: duplicate. 1 record stayed as it is: it was deleted or restored by somebody else since."
      )
      yield* keys(page, "Control+z")
      yield* reports(page, "Undone: edit.")
      yield* eventually("the edit before is undone", read(1), ({ port }) => port === "Kiel")
    }).pipe(Effect.scoped)
  )

  it.effect("all records are deleted and restored; rows are pasted where there is none", () =>
    Effect.gen(function* () {
      const { app, total } = yield* seedBoats(3, "Punts")
      const { page } = yield* openGrid(app)
      yield* reads(page, 0, 0, "Boat 1")
      yield* promise(() => clicked(page, "thead input[type=checkbox]"))
      yield* promise(() => found(page, ".bulk-bar ::-p-text(3 records selected)"))
      yield* press(page, "Delete")
      yield* promise(() => clicked(page, "dialog .danger"))
      yield* reports(page, "3 records deleted.")
      yield* shows(page, "No records yet")
      yield* promise(() => page.setOfflineMode(true))
      yield* keys(page, "Control+z")
      yield* reports(page, "There is no connection to the service: do it again once it is back.")
      yield* promise(() => page.setOfflineMode(false))
      yield* keys(page, "Control+z")
      yield* reports(page, "Undone: delete.")
      yield* reads(page, 2, 0, "Boat 3")
      yield* keys(page, "Control+y")
      yield* shows(page, "No records yet")
      yield* promise(() => page.evaluate(() => (globalThis as any).navigator.clipboard.writeText("A\t1\nB\t2")))
      yield* keys(page, "Control+v")
      yield* reports(page, "4 cells pasted. 2 new records.")
      yield* reads(page, 1, 0, "B", null)
      assert.strictEqual(yield* total, 2)
    }).pipe(Effect.scoped)
  )

  it.effect("the first action of a grid may come when the service is away", () =>
    Effect.gen(function* () {
      const { app, read } = yield* seedBoats(2, "Skiffs")
      const { page } = yield* openGrid(app)
      yield* reads(page, 0, 0, "Boat 1")
      yield* promise(() => page.evaluate(() => (globalThis as any).navigator.clipboard.writeText("Oslo")))
      yield* promise(() => page.setOfflineMode(true))
      yield* clickCell(page, 1, 2)
      yield* keys(page, "Control+v")
      yield* reads(page, 1, 2, "Oslo", "waiting")
      yield* promise(() => page.setOfflineMode(false))
      yield* reads(page, 1, 2, "Oslo", null)
      assert.strictEqual((yield* read(1)).port, "Oslo")
    }).pipe(Effect.scoped)
  )

  it.effect("cells that somebody else has changed are settled together", () =>
    Effect.gen(function* () {
      const { app, call, ids, read } = yield* seedBoats(6, "Prams")
      const { page } = yield* openGrid(app)
      yield* reads(page, 0, 0, "Boat 1")
      const pasteOverChanges = Effect.fnUntraced(function* (mine: string, theirs: string) {
        yield* clickCell(page, 1, 2)
        yield* keys(page, "ArrowUp", ...Array(5).fill("Shift+ArrowDown"))
        yield* promise(() => page.evaluate((text) => (globalThis as any).navigator.clipboard.writeText(text), mine))
        yield* promise(() => page.setOfflineMode(true))
        yield* keys(page, "Control+v")
        yield* reads(page, 5, 2, mine, "waiting")
        for (const id of ids) yield* call("PUT", `/record/${id}`, { fields: { port: theirs } })
        yield* promise(() => page.setOfflineMode(false))
        yield* shows(page, "3 more cells were not saved.")
      })
      yield* pasteOverChanges("Oslo", "Riga")
      yield* press(page, "Save all of mine")
      yield* reads(page, 0, 2, "Oslo", null)
      yield* reads(page, 5, 2, "Oslo", null)
      yield* eventually("all are saved", read(5), ({ port }) => port === "Oslo")
      yield* pasteOverChanges("Turku", "Visby")
      yield* press(page, "Discard all of mine")
      yield* reads(page, 0, 2, "Visby", null)
      yield* reads(page, 5, 2, "Visby", null)
      yield* gone(page, ".write-notes li")
      assert.strictEqual((yield* read(0)).port, "Visby")
    }).pipe(Effect.scoped)
  )
})
