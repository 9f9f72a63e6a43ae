// docs/console.md, "Tasks": look a run up on a phone, and retry it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../../pages/chromium.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { until } from "../../pages/waiting.ts"
import { callerOfScene, seedRuns } from "../consoleSeeds.ts"
import { complaintsOf, openConsoleTab, opened, promise, shows } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { counting } from "./clicks.ts"

layer(SharedScene, { excludeTestServices: true })("on a phone", (it) => {
  it.effect("a run is looked up by its error and retried from its start, in 6 clicks", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { failed } = yield* seedRuns
      const call = yield* callerOfScene
      const tab = yield* openConsoleTab(browser, { width: 360, height: 740 })
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console`, "Harbor Works")
      yield* opened(page, "Home")
      const { clicks, fill, press, pressAt } = counting(page)
      yield* press("Runs", "link")
      yield* opened(page, "Runs")
      yield* fill("Find a part of an error", "pier is shut")
      yield* promise(() => until(page, `document.querySelectorAll(".run-row").length === 1`))
      yield* press("Tells the pier", "link")
      yield* opened(page, "Tells the pier")
      yield* shows(page, "The pier is shut.")
      yield* press("Retry")
      yield* pressAt("label[for=from-start]")
      yield* pressAt("dialog button[type=submit]")
      yield* promise(() => until(page, `document.querySelector("dialog") === null`))
      assert.strictEqual(clicks(), 6)
      const sideways = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
      assert.isFalse(yield* promise(() => page.evaluate(sideways)))
      const { automation_run } = yield* call("GET", `/automation-run/${failed}`)
      assert.strictEqual(automation_run.status, "failed", "it stays what it was; a new run does it again")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
