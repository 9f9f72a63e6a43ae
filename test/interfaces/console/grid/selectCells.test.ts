// docs/console.md, "The grid as a spreadsheet", in real Chromium: ranges are selected by mouse and keyboard and told to screen readers.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../../pages/chromium.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { clicked, found } from "../../pages/waiting.ts"
import { complaintsOf, judgedInAllSizes, opened, press, promise } from "../consoleTab.ts"
import { cell, clickCell, keys, openGrid, reads, seedBoats, selects } from "./gridTab.ts"

layer(SharedScene, { excludeTestServices: true })("selecting cells of a grid", (it) => {
  it.effect("a range is selected by Shift and the arrows, by Shift and a click, by dragging and by Ctrl+A", () =>
    Effect.gen(function* () {
      const { app } = yield* seedBoats()
      const tab = yield* openGrid(app)
      const { page } = tab
      yield* reads(page, 0, 0, "Boat 1")
      yield* keys(page, "ArrowDown", "ArrowRight", "Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowRight")
      yield* selects(page, "3 by 2 cells selected")
      const selected = yield* promise(() =>
        page.$$eval("[role=grid] [aria-selected=true]", (all) =>
          all.map((one: any) => `${one.dataset.row} ${one.dataset.column}`)
        )
      )
      assert.deepStrictEqual(selected, ["1 1", "1 2", "2 1", "2 2", "3 1", "3 2"])
      const spoken = yield* promise(() => page.$eval(".selection-words", (one: any) => [one.localName, one.role]))
      assert.include(["output", "status"], String(spoken[0]))
      yield* judgedInAllSizes(page, "grid-range")
      yield* keys(page, "Escape")
      yield* selects(page, "")
      yield* clickCell(page, 0, 1)
      yield* promise(async () => {
        await page.keyboard.down("Shift")
        await clicked(page, cell(1, 3))
        await page.keyboard.up("Shift")
      })
      yield* selects(page, "2 by 3 cells selected")
      yield* promise(async () => {
        const [from, to] = await Promise.all([found(page, cell(4, 3)), found(page, cell(1, 1))])
        const [a, b] = [(await from.boundingBox())!, (await to.boundingBox())!]
        await page.mouse.move(a.x + 20, a.y + 10)
        await page.mouse.down()
        await page.mouse.move(b.x + 20, b.y + 10, { steps: 5 })
        await page.mouse.up()
      })
      yield* selects(page, "4 by 3 cells selected")
      yield* keys(page, "Control+a")
      yield* selects(page, "6 by 5 cells selected")
      // The keyboard is where it was; a key without Shift ends the range.
      yield* keys(page, "Control+Home", "Shift+Control+End")
      yield* selects(page, "6 by 5 cells selected")
      yield* keys(page, "ArrowDown")
      yield* selects(page, "")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("Back finds the grid where it was left: its place and its cell", () =>
    Effect.gen(function* () {
      const { app } = yield* seedBoats(200, "Fleet")
      const { page } = yield* openGrid(app)
      yield* keys(page, "Control+End")
      yield* reads(page, 199, 0, "Boat 200")
      yield* keys(page, "Control+ArrowLeft", "ArrowUp")
      const { service } = yield* Scene
      yield* press(page, "Boat 198", "link")
      yield* opened(page, "Boat 198")
      yield* promise(() => page.goBack())
      yield* opened(page, "Fleet")
      yield* reads(page, 199, 0, "Boat 200")
      const active = yield* promise(() =>
        page.$eval("[data-active]", (one: any) => `${one.dataset.row} ${one.dataset.column}`)
      )
      assert.deepStrictEqual([active, page.url()], ["198 0", `${service.origin}/console/apps/${app.app_id}`])
    }).pipe(Effect.scoped)
  )
})
