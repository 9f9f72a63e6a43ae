// docs/console.md, "Parts" in real Chromium: the keys of a menu, a list that is searched in a dialog, densities and themes.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { KeyInput, Page } from "puppeteer-core"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { until } from "../pages/waiting.ts"
import { seedRecords } from "./consoleSeeds.ts"
import {
  choose,
  complaintsOf,
  gone,
  judgedAsItIs,
  judgedInAllSizes,
  openConsoleTab,
  opened,
  press,
  promise,
  shows
} from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const key = (page: Page, ...names: ReadonlyArray<KeyInput>) =>
  promise(async () => {
    for (const name of names) await page.keyboard.press(name)
  })

/** Waits until the keyboard is at what reads so or is named so. */
const waitForKeyboard = (page: Page, words: string) =>
  promise(() =>
    until(
      page,
      (text: string) => {
        const active = (globalThis as any).document.activeElement
        return active?.textContent.trim() === text || active?.ariaLabel === text
      },
      words
    )
  )

layer(SharedScene, { excludeTestServices: true })("the parts of the console", (it) => {
  it.effect("a menu begins at its first item, is walked by arrows and letters, and gives the keyboard back", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { ships } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps/${ships.app_id}`, "Harbor Works")
      yield* opened(page, "Ships")
      yield* press(page, "Options of State")
      yield* waitForKeyboard(page, "Sort ascending")
      yield* key(page, "ArrowDown")
      yield* waitForKeyboard(page, "Sort descending")
      yield* key(page, "h")
      yield* waitForKeyboard(page, "Hide")
      yield* key(page, "Home", "ArrowUp")
      yield* promise(() => until(page, `document.activeElement.matches("[role=menuitem]:last-child")`))
      yield* key(page, "Escape")
      yield* gone(page, "[role=menu]")
      yield* waitForKeyboard(page, "Options of State")
      assert.notInclude(page.url(), "sort")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("a long list is searched by typing; Escape closes it alone, and what is no choice gives way", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { ships } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps/${ships.app_id}/settings`, "Harbor Works")
      yield* opened(page, "Settings of Ships")
      yield* press(page, "Add a field")
      yield* promise(() => until(page, `document.activeElement.matches("dialog input[role=combobox]")`))
      const typeReads = (words: string) =>
        promise(() => until(page, `document.querySelector("dialog input[role=combobox]").value === "${words}"`))
      yield* typeReads("Text")
      yield* promise(() => page.keyboard.type("phone"))
      yield* promise(() => until(page, `document.querySelectorAll("[role=option]").length === 1`))
      yield* judgedInAllSizes(page, "combobox-in-dialog")
      yield* key(page, "Enter")
      yield* typeReads("Phone numbers")
      yield* shows(page, "One or several.")
      yield* promise(() => page.keyboard.type("no type"))
      yield* shows(page, "Nothing found.")
      yield* key(page, "Escape")
      yield* gone(page, "[role=listbox]")
      yield* key(page, "Tab")
      yield* typeReads("Phone numbers")
      yield* choose(page, "Type", "Number")
      yield* shows(page, "With decimals and a unit, if wanted.")
      // Escape in the closed list is the dialog's, and takes no choice away.
      yield* key(page, "Escape")
      yield* gone(page, "dialog")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("rows stand closer or wider, light or dark, as the reader chooses; the browser keeps it", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { recordId, ships } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const grid = `/apps/${ships.app_id}`
      yield* openSignedIn(tab, `${service.origin}/console${grid}`, "Harbor Works")
      yield* opened(page, "Ships")
      const hasRowHeight = (pixels: number) =>
        promise(() => until(page, `document.querySelector("[data-row]")?.closest("tr").offsetHeight === ${pixels}`))
      const textColor = promise(() => page.evaluate("getComputedStyle(document.querySelector('main')).color"))
      yield* hasRowHeight(32)
      const lightColor = yield* textColor
      yield* press(page, "Appearance")
      yield* press(page, "Compact", "radio")
      yield* hasRowHeight(26)
      yield* press(page, "Dark", "radio")
      const darkColor = yield* textColor
      assert.notStrictEqual(darkColor, lightColor)
      yield* press(page, "Close")
      yield* promise(() => page.reload())
      yield* opened(page, "Ships")
      yield* hasRowHeight(26)
      assert.strictEqual(yield* textColor, darkColor)
      yield* press(page, "Appearance")
      yield* judgedAsItIs(page, "appearance")
      yield* press(page, "Like the system", "radio")
      yield* press(page, "Comfortable", "radio")
      yield* hasRowHeight(40)
      for (const density of ["compact", "comfortable"])
        for (const [path, heading] of [
          [grid, "Ships"],
          [`${grid}/settings`, "Settings of Ships"],
          [`/records/${recordId}`, "The Tern"],
          ["/automations", "Automations"],
          ["/admin/members", "Members"]
        ] as const) {
          yield* promise(async () => {
            await page.evaluate((name) => (globalThis as any).localStorage.setItem("millrace.density", name), density)
            await page.goto(`${service.origin}/console${path}`)
          })
          yield* opened(page, heading)
          yield* judgedInAllSizes(page, `${density}-${heading}`)
        }
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
