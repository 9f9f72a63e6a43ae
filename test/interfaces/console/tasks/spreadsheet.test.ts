// docs/console.md, "Tasks", in a grid: paste three rows of three cells from a spreadsheet, give fifty records one value, group them and move
// one on a board, and work on while the service is away.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../../support/eventually.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { clicked, found, until } from "../../pages/waiting.ts"
import { complaintsOf, promise, shows } from "../consoleTab.ts"
import { cell, keys, openGrid, reads, reports, seedBoats, selects } from "../grid/gridTab.ts"
import { dragCard, standsIn } from "../layouts/layoutTab.ts"
import { counting } from "./clicks.ts"

layer(SharedScene, { excludeTestServices: true })("tasks in a grid", (it) => {
  it.effect("three rows of three cells of a spreadsheet are pasted in 1 click and 1 key", () =>
    Effect.gen(function* () {
      const { app, read } = yield* seedBoats(6, "Boats")
      const tab = yield* openGrid(app)
      const { page } = tab
      yield* reads(page, 0, 0, "Boat 1")
      yield* promise(() =>
        page.evaluate(() =>
          (globalThis as any).navigator.clipboard.writeText("7\tRiga\tSail\n8\tTurku\tMotor\n9\tNarva\tSail")
        )
      )
      const { chord, clicks, keys: keyCount, pressAt } = counting(page)
      yield* pressAt(cell(0, 1))
      yield* chord("Control+v")
      yield* reports(page, "9 cells pasted.")
      yield* reads(page, 2, 3, "Sail", null)
      assert.deepInclude(yield* read(0), { length: 7, port: "Riga", kind: "Sail" })
      assert.deepInclude(yield* read(2), { length: 9, port: "Narva", kind: "Sail" })
      assert.deepStrictEqual([clicks(), keyCount()], [1, 1])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("fifty records get one value in 2 clicks and 3 keys", () =>
    Effect.gen(function* () {
      const { app, read } = yield* seedBoats(60, "Dinghies")
      const tab = yield* openGrid(app)
      const { page } = tab
      yield* reads(page, 0, 0, "Boat 1")
      const { byMouse, chord, clicks, key, keys: keyCount, pressAt, type } = counting(page)
      yield* pressAt(cell(0, 2))
      yield* type("Riga")
      yield* key("Enter")
      yield* key("ArrowUp")
      // The wheel brings the fiftieth into view.
      yield* promise(async () => {
        for (let wheelTurns = 0; wheelTurns < 20 && (await page.$(cell(49, 2))) === null; wheelTurns++) {
          await page.mouse.wheel({ deltaY: 400 })
          await page.evaluate("new Promise(requestAnimationFrame)")
        }
        await found(page, cell(49, 2))
      })
      yield* byMouse(
        promise(async () => {
          await page.keyboard.down("Shift")
          await clicked(page, cell(49, 2))
          await page.keyboard.up("Shift")
        })
      )
      yield* selects(page, "50 by 1 cells selected")
      yield* chord("Control+d")
      yield* reads(page, 49, 2, "Riga", null)
      yield* eventually("all are saved", read(0), ({ port }) => port === "Riga")
      assert.deepStrictEqual([(yield* read(49)).port, (yield* read(50)).port], ["Riga", "Kiel"])
      assert.deepStrictEqual([clicks(), keyCount()], [2, 3])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("records are grouped, laid out as a board, and one is moved by dragging, in 4 clicks", () =>
    Effect.gen(function* () {
      const { app, call, ids, read } = yield* seedBoats(6, "Skiffs")
      const [sail, motor] = app.fields[3].config.settings.options.map(({ id }: any) => id)
      for (const [row, option] of [sail, motor, sail].entries())
        yield* call("PUT", `/record/${ids[row]}`, { fields: { kind: option } })
      const tab = yield* openGrid(app)
      const { page } = tab
      const { byMouse, clicks, press } = counting(page)
      yield* press("Options of Kind")
      yield* press("Group by this field", "menuitem")
      yield* promise(() => found(page, ".group-head"))
      yield* press("Board")
      yield* byMouse(dragCard(page, "Boat 2", String(sail)))
      yield* standsIn(page, "Boat 2", String(sail), "saved")
      assert.strictEqual((yield* read(1)).kind, "Sail")
      assert.strictEqual(clicks(), 4)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("who works on while the service is away presses nothing more than else", () =>
    Effect.gen(function* () {
      const { app, read } = yield* seedBoats(6, "Ferries")
      const { page } = yield* openGrid(app)
      yield* reads(page, 0, 0, "Boat 1")
      const { clicks, key, keys: keyCount, pressAt, type } = counting(page)
      yield* promise(() => page.setOfflineMode(true))
      for (const [row, port] of ["Riga", "Turku", "Narva"].entries()) {
        yield* pressAt(cell(row, 2))
        yield* type(port)
        yield* key("Enter")
        yield* reads(page, row, 2, port, "waiting")
      }
      yield* shows(page, "No connection to the service.")
      yield* promise(() => page.setOfflineMode(false))
      for (const [row, port] of ["Riga", "Turku", "Narva"].entries()) {
        yield* reads(page, row, 2, port, null)
        assert.strictEqual((yield* read(row)).port, port)
      }
      yield* promise(() => until(page, `!document.body.innerText.includes("No connection to the service.")`))
      assert.deepStrictEqual([clicks(), keyCount()], [3, 3])
      yield* keys(page, "Escape")
    }).pipe(Effect.scoped)
  )
})
