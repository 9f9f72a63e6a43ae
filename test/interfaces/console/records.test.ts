// docs/console.md, records in real Chromium: the grid with its pages, order, conditions and views; a record that is edited, put back and
// talked about; both as axe, a phone and both themes see them.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { found, selectIn, typeInto, until } from "../pages/waiting.ts"
import { SHIPS, seedRecords } from "./consoleSeeds.ts"
import { complaintsOf, judged, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const titles = (page: Page) =>
  promise(() => page.$$eval("table.records tbody th", (all) => all.map((one) => one.textContent ?? "")))
const choose = (page: Page, selector: string, words: string) =>
  promise(async () => {
    const value = await until(
      page,
      (options, text) =>
        [...(globalThis as any).document.querySelectorAll(options)].find((one) => one.textContent === text)?.value,
      `${selector} option`,
      words
    )
    await selectIn(page, selector, String(value))
  })

layer(SharedScene, { excludeTestServices: true })("records in the console", (it) => {
  it.effect("a grid loads its pages as it is scrolled, sorts, filters, and keeps that as a view", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { ships, recordId } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const address = `${service.origin}/console/apps/${ships.app_id}`
      yield* openSignedIn(tab, address, "Harbor Works")
      yield* opened(page, "Ships")
      yield* shows(page, `${SHIPS} records`)
      assert.strictEqual((yield* titles(page))[0], "The Tern")
      assert.isBelow((yield* titles(page)).length, 60)
      yield* promise(() =>
        until(
          page,
          `(() => {
          const box = document.querySelector(".gridbox")
          box.scrollTop = box.scrollHeight
          return [...document.querySelectorAll("table.records tbody th")].some((one) => one.textContent === "Ship 000")
        })()`
        )
      )
      yield* press(page, "Length")
      yield* promise(() => found(page, "th[aria-sort=ascending]"))
      yield* promise(() =>
        until(page, `document.querySelector("table.records tbody tr:not(.spacer) th")?.textContent === "Ship 000"`)
      )
      yield* press(page, "Filter")
      yield* choose(page, "#filter-field", "State")
      yield* choose(page, "#filter-match", "is")
      yield* choose(page, "#filter-value", "In port")
      yield* press(page, "Add condition")
      yield* shows(page, "80 records")
      yield* shows(page, "State is In port")
      yield* press(page, "Save as view")
      yield* promise(() => typeInto(page, "#view-name", "In port"))
      yield* press(page, "Save view")
      yield* promise(() => until(page, "new URL(location.href).searchParams.has('view')"))
      yield* shows(page, "80 records")
      assert.deepStrictEqual(complaintsOf(tab), [])
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* judged(browser, { address, heading: "Ships", name: "records", cookies })
      const record = `${service.origin}/console/records/${recordId}`
      yield* judged(browser, { address: record, heading: "The Tern", name: "record", cookies })
    }).pipe(Effect.scoped)
  )

  it.effect("a record is edited in place, and its history tells who did and puts it back", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, recordId } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/records/${recordId}`, "Harbor Works")
      yield* opened(page, "The Tern")
      yield* press(page, "Edit Name")
      yield* promise(async () => {
        await page.keyboard.down("Control")
        await page.keyboard.press("a")
        await page.keyboard.up("Control")
        await page.keyboard.type("The Gull")
        await page.keyboard.press("Enter")
      })
      yield* opened(page, "The Gull")
      yield* press(page, "What changed")
      yield* shows(page, "The Tern")
      yield* press(page, "Put this back as it was")
      yield* opened(page, "The Tern")
      yield* promise(() => typeInto(page, "textarea.prose", "All is well again."))
      yield* press(page, "Comment")
      yield* promise(() => until(page, `document.querySelectorAll(".comment").length === 2`))
      const { title, revision, comment_count } = yield* call("GET", `/record/${recordId}`)
      assert.deepStrictEqual([title, revision, comment_count], ["The Tern", 3, 2])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("a record that is not there, or not for the reader, says so in words", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const tab = yield* openConsoleTab(browser)
      yield* openSignedIn(tab, `${service.origin}/console/records/999999`, "Harbor Works")
      yield* shows(tab.page, "It was deleted, or you have no access to it.")
    }).pipe(Effect.scoped)
  )
})
