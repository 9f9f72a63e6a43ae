// docs/console.md, "Columns and rows", in real Chromium: resized, moved, hidden and frozen; two hundred of them are drawn as far as they are seen.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { Scene } from "../../pages/chromium.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { found, until } from "../../pages/waiting.ts"
import { callerOfScene, field } from "../consoleSeeds.ts"
import { complaintsOf, gone, judgedInAllSizes, opened, press, promise } from "../consoleTab.ts"
import { cell, clickCell, keys, openGrid, reads, seedBoats } from "./gridTab.ts"

const head = (index: number) => `[data-head="${index}"]`
const labels = (page: Page) =>
  promise(() => page.$$eval("[data-head] .head-label", (all) => all.map((one) => one.textContent)))
const showsLabels = (page: Page, ...wanted: ReadonlyArray<string>) =>
  promise(() =>
    until(
      page,
      (words) =>
        [...(globalThis as any).document.querySelectorAll("[data-head] .head-label")]
          .map((one: any) => one.textContent)
          .join() === words,
      wanted.join()
    )
  )
const widthOf = (page: Page, index: number) =>
  promise(async () => Math.round((await (await found(page, head(index))).boundingBox())!.width))

const drag = (page: Page, selector: string, byX: number, from = 0.5) =>
  promise(async () => {
    const { height, width, x, y } = (await (await found(page, selector)).boundingBox())!
    await page.mouse.move(x + width * from, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * from + byX, y + height / 2, { steps: 6 })
    await page.mouse.up()
  })

layer(SharedScene, { excludeTestServices: true })("the columns of a grid", (it) => {
  it.effect("are resized and moved by dragging and by the menu, hidden, frozen, and kept over a reload", () =>
    Effect.gen(function* () {
      const { app } = yield* seedBoats()
      const { page } = yield* openGrid(app)
      yield* showsLabels(page, "Name", "Length", "Port", "Kind", "Built")
      yield* drag(page, `${head(1)} .resizer`, 80)
      assert.strictEqual(yield* widthOf(page, 1), 200)
      yield* drag(page, `${head(1)} .sort`, 250)
      yield* showsLabels(page, "Name", "Port", "Length", "Kind", "Built")
      // The drag has not sorted.
      assert.strictEqual(new URL(page.url()).search, "")
      yield* press(page, "Options of Kind")
      yield* promise(() => found(page, "[role=menu]"))
      yield* judgedInAllSizes(page, "grid-head-menu")
      yield* press(page, "Move left", "menuitem")
      yield* showsLabels(page, "Name", "Port", "Kind", "Length", "Built")
      yield* press(page, "Options of Port")
      yield* press(page, "Hide", "menuitem")
      yield* showsLabels(page, "Name", "Kind", "Length", "Built")
      yield* press(page, "Options of Kind")
      yield* press(page, "Freeze up to here", "menuitem")
      yield* promise(() => found(page, `${head(1)}.fixed-end`))
      yield* press(page, "Options of Length")
      yield* press(page, "Sort descending", "menuitem")
      yield* reads(page, 0, 0, "Boat 6")
      yield* promise(() => page.reload())
      yield* opened(page, app.name)
      yield* showsLabels(page, "Name", "Kind", "Length", "Built")
      yield* promise(() => found(page, `${head(1)}.fixed-end`))
      assert.strictEqual(yield* widthOf(page, 2), 200)
      yield* press(page, "Columns (1 hidden)")
      yield* judgedInAllSizes(page, "grid-columns")
      yield* press(page, "Reset")
      yield* press(page, "Close")
      yield* showsLabels(page, "Name", "Length", "Port", "Kind", "Built")
    }).pipe(Effect.scoped)
  )

  it.effect("of two hundred fields those that are seen are drawn; the keyboard reaches all of them", () =>
    Effect.gen(function* () {
      const call = yield* callerOfScene
      const { service } = yield* Scene
      const { workspaces } = yield* call("GET", "/workspace/org")
      const fields = Array.from({ length: 200 }, (_, at) => field("single_text", `Field ${at + 1}`))
      const app = yield* call("POST", "/app", { workspace_id: workspaces[0].workspace_id, name: "Wide", fields })
      const values = Object.fromEntries(
        app.fields.map(({ external_id }: any, at: number) => [external_id, `v${at + 1}`])
      )
      yield* call("POST", `/record/app/batch/${app.app_id}`, { inputs: Array(20).fill({ fields: values }) })
      const tab = yield* openGrid(app)
      const { page } = tab
      yield* reads(page, 0, 1, "v2")
      const drawn = yield* labels(page)
      assert.isBelow(drawn.length, 15)
      const cells = yield* promise(() => page.$$eval("[data-row]", ({ length }) => length))
      assert.isBelow(cells, 20 * 15)
      assert.strictEqual(yield* promise(() => page.$eval("[role=grid]", (one) => one.ariaColCount)), "201")
      yield* keys(page, "End")
      yield* reads(page, 0, 199, "v200")
      const active = yield* promise(() => page.$eval("[data-active]", (one: any) => one.ariaColIndex))
      assert.strictEqual(active, "201")
      yield* promise(() => page.keyboard.type("last"))
      yield* keys(page, "Enter")
      yield* reads(page, 0, 199, "last", null)
      yield* keys(page, "Home")
      yield* reads(page, 0, 0, "v1")
      yield* judgedInAllSizes(page, "grid-wide")
      // A text is found in a cell that is not drawn.
      yield* keys(page, "Control+f")
      yield* promise(() => page.keyboard.type("v150"))
      yield* promise(() => found(page, ".find-bar ::-p-text(1 of 20)"))
      yield* reads(page, 0, 149, "v150")
      yield* promise(() => found(page, `${cell(0, 149)}.match`))
      yield* keys(page, "Enter")
      yield* promise(() => found(page, `${cell(1, 149)}.match`))
      yield* judgedInAllSizes(page, "grid-find")
      yield* keys(page, "Escape")
      yield* gone(page, ".find-bar")
      yield* clickCell(page, 1, 149)
      assert.include(page.url(), `${service.origin}/console/apps/${app.app_id}`)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
