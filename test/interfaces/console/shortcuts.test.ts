// docs/console.md: the keyboard shortcuts are listed by `?`, and by Ctrl+/ where `?` is text.
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, found, typeInto, until } from "../pages/waiting.ts"
import { seedRecords } from "./consoleSeeds.ts"
import { gone, judgedInAllSizes, openConsoleTab, opened, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

layer(SharedScene, { excludeTestServices: true })("keyboard shortcuts", (it) => {
  it.effect("are listed by a key on every page; what is typed into a field or a cell is text", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { ships } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps`, "Harbor Works")
      yield* opened(page, "Apps")
      yield* promise(() => page.keyboard.press("?"))
      yield* shows(page, "Show keyboard shortcuts")
      yield* judgedInAllSizes(page, "shortcuts")
      yield* promise(() => page.keyboard.press("Escape"))
      yield* gone(page, "dialog[open]")
      yield* promise(() => page.goto(`${service.origin}/console/apps/${ships.app_id}`))
      yield* opened(page, "Ships")
      yield* promise(async () => {
        await typeInto(page, "input[type=search]", "?")
        await until(page, `document.querySelector("input[type=search]").value === "?"`)
        await until(page, `document.querySelector("dialog[open]") === null`)
        await clicked(page, "input[type=search]", 3)
        await page.keyboard.press("Backspace")
      })
      yield* promise(async () => {
        await found(page, "[role=grid]")
        await page.focus("[role=grid]")
        await page.keyboard.down("Control")
        await page.keyboard.press("/")
        await page.keyboard.up("Control")
      })
      yield* shows(page, "Replace the value of the cell")
    }).pipe(Effect.scoped)
  )
})
