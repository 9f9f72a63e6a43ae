// docs/console.md, settings of an app: fields are added one after another, and a choice has options, each beside its colour.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { until } from "../pages/waiting.ts"
import { seedApps } from "./consoleSeeds.ts"
import { choose, complaintsOf, fill, gone, judgedAsItIs, openConsoleTab, opened, press, promise } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

layer(SharedScene, { excludeTestServices: true })("fields of an app", (it) => {
  it.effect("are added one after another; a choice without an option is not", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedApps
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps/${ships.app_id}/settings`, "Harbor Works")
      yield* opened(page, "Settings of Ships")
      const labels = Effect.map(call("GET", `/app/${ships.app_id}`), ({ fields }) =>
        fields.slice(ships.fields.length).map(({ label }: any) => label)
      )
      /** Waits for the form of the next field: the same dialog with nothing in it. */
      const emptyForm = promise(() =>
        until(page, () => (globalThis as any).document.querySelector("dialog[open] input[id$=-label]")?.value === "")
      )
      yield* press(page, "Add a field")
      yield* fill(page, "Label", "Captain")
      yield* press(page, "Add field and another")
      yield* emptyForm
      yield* choose(page, "Type", "Choice")
      yield* fill(page, "Label", "Cargo")
      yield* press(page, "Add field")
      const isRefused = promise(() =>
        page.evaluate(`document.activeElement.matches('[aria-label="Option 1"]:invalid')`)
      )
      assert.isTrue(yield* isRefused)
      assert.deepStrictEqual(yield* labels, ["Captain"])
      yield* press(page, "Remove option 2")
      yield* gone(page, `[aria-label="Remove option 1"]`)
      yield* fill(page, "Option 1", "Lemons")
      const colorOf = promise(() =>
        page.$eval(".option-row", (row: any) => [
          row.querySelector("select").selectedOptions[0].textContent,
          row.querySelector("circle").getAttribute("fill")
        ])
      )
      assert.deepStrictEqual(yield* colorOf, ["Green", "#27AE60"])
      yield* choose(page, "Color of option 1", "Red")
      assert.deepStrictEqual(yield* colorOf, ["Red", "#EB5757"])
      yield* judgedAsItIs(page, "field-options")
      yield* press(page, "Add field")
      yield* gone(page, "dialog[open]")
      assert.deepStrictEqual(yield* labels, ["Captain", "Cargo"])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
