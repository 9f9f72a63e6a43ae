// docs/console.md: Ctrl+K finds records, comments, automations and apps from every page (developer-api.md 11.1), by mouse and by keys.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { until } from "../pages/waiting.ts"
import { seedApps } from "./consoleSeeds.ts"
import {
  complaintsOf,
  fill,
  gone,
  judgedInAllSizes,
  openConsoleTab,
  opened,
  press,
  promise,
  shows
} from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const SEARCH = "Search everything"

layer(SharedScene, { excludeTestServices: true })("search in the console", (it) => {
  it.effect("finds as one types; arrow keys choose, Enter opens, and what was opened last stands there again", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedApps
      const path = `/record/app/${ships.app_id}`
      for (const name of ["Aurora Borealis", "Ærø Aurora", "Meridian"])
        yield* call("POST", path, { fields: { name, state: "Expected", notes: "Carries <b>lemons</b> from Palermo" } })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps`, "Harbor Works")
      yield* opened(page, "Apps")
      const chord = promise(async () => {
        await page.keyboard.down("Control")
        await page.keyboard.press("k")
        await page.keyboard.up("Control")
      })
      const titles = (expected: ReadonlyArray<string>) =>
        promise(() =>
          until(
            page,
            (list) => {
              const options = [...(globalThis as any).document.querySelectorAll("[role=option] strong")]
              return JSON.stringify(options.map((one: any) => one.textContent)) === list
            },
            JSON.stringify(expected)
          )
        )
      yield* chord
      yield* shows(page, "by the beginnings of words")
      yield* fill(page, SEARCH, "meridian")
      yield* titles(["Meridian"])
      yield* fill(page, SEARCH, "lemon palermo meri")
      yield* titles(["Meridian"])
      yield* shows(page, "Carries lemons from Palermo")
      yield* fill(page, SEARCH, "Berths")
      yield* titles(["Berths"])
      yield* judgedInAllSizes(page, "search")
      // Pages of the account and of the organization, by other words too; the keyboard opens one.
      yield* fill(page, SEARCH, "2fa")
      yield* titles(["Sign-in methods", "Sign-in policy"])
      yield* promise(() => page.keyboard.press("ArrowDown"))
      yield* promise(() => page.keyboard.press("Enter"))
      yield* opened(page, "Sign-in policy")
      yield* gone(page, "dialog[open]")
      yield* chord
      yield* titles(["Sign-in policy"])
      // Commands: one that changes how the console looks, one that begins something new.
      yield* fill(page, SEARCH, "dark")
      yield* titles(["Dark theme"])
      yield* promise(() => page.keyboard.press("Enter"))
      yield* promise(() => until(page, "document.documentElement.dataset.theme === 'dark'"))
      yield* gone(page, "dialog[open]")
      yield* chord
      yield* fill(page, SEARCH, "create automation")
      yield* titles(["New automation"])
      yield* promise(() => page.keyboard.press("Enter"))
      yield* opened(page, "New automation")
      yield* chord
      yield* fill(page, SEARCH, "nowhere")
      yield* shows(page, "Nothing found.")
      yield* fill(page, SEARCH, "AURORA")
      yield* promise(() => until(page, "document.querySelectorAll('[role=option]').length === 2"))
      const second = yield* promise(
        () => page.evaluate("document.querySelectorAll('[role=option] strong')[1].textContent") as Promise<string>
      )
      yield* promise(() => page.keyboard.press("ArrowDown"))
      yield* promise(() => page.keyboard.press("Enter"))
      yield* opened(page, second)
      yield* gone(page, "dialog[open]")
      yield* press(page, "Search Ctrl K")
      yield* titles([second, "New automation", "Dark theme", "Sign-in policy"])
      yield* promise(() => page.keyboard.press("Escape"))
      yield* gone(page, "dialog[open]")
      // A comment opens its record where the comment is.
      const { record_id } = yield* call("POST", path, { fields: { name: "Talked about", state: "Expected" } })
      for (let n = 0; n < 60; n++) yield* call("POST", `/comment/record/${record_id}`, { value: `Remark ${n}` })
      const { comment_id } = yield* call("POST", `/comment/record/${record_id}`, { value: "Keel is vermilion" })
      yield* call("POST", `/comment/${comment_id}/reply`, { value: "Rather ochre" })
      yield* press(page, "Search Ctrl K")
      yield* fill(page, SEARCH, "ochre")
      yield* titles(["Talked about"])
      // Enter opens no result of the text before.
      yield* promise(() => until(page, "document.querySelector('dialog [role=listbox]').ariaBusy === 'false'"))
      yield* promise(() => page.keyboard.press("Enter"))
      yield* opened(page, "Talked about")
      yield* shows(page, "Rather ochre")
      yield* promise(() =>
        until(
          page,
          (id) => {
            const comment = (globalThis as any).document.querySelector(".comment[aria-current]")
            const { bottom, top } = comment?.getBoundingClientRect() ?? { bottom: -1, top: -1 }
            return comment?.id === id && top >= 0 && bottom <= (globalThis as any).innerHeight
          },
          `comment-${comment_id}`
        )
      )
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
