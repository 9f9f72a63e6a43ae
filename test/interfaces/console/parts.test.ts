// docs/console.md, "Parts" in real Chromium: the keys of a menu, and a list that is searched in a dialog.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { KeyInput, Page } from "puppeteer-core"
import { Scene, sceneWith } from "../pages/chromium.ts"
import { until } from "../pages/waiting.ts"
import { seedRecords } from "./consoleSeeds.ts"
import {
  choose,
  complaintsOf,
  gone,
  judgedInAllSizes,
  openConsoleTab,
  opened,
  press,
  promise,
  shows,
  signInTo
} from "./consoleTab.ts"

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

layer(sceneWith({ RATE_BUDGET: "1000000" }), { excludeTestServices: true })("the parts of the console", (it) => {
  it.effect("a menu begins at its first item, is walked by arrows and letters, and gives the keyboard back", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { ships } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* signInTo(tab, `${service.origin}/console/apps/${ships.app_id}`, "Harbor Works")
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
      yield* signInTo(tab, `${service.origin}/console/apps/${ships.app_id}/settings`, "Harbor Works")
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
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
