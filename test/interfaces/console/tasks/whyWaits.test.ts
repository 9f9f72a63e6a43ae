// docs/console.md, "Tasks": say why a run waits, until when, and what cancelling it does.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../../pages/chromium.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { until } from "../../pages/waiting.ts"
import { callerOfScene, seedRuns } from "../consoleSeeds.ts"
import { complaintsOf, openConsoleTab, opened, press as pressed, promise, shows } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { counting } from "./clicks.ts"

layer(SharedScene, { excludeTestServices: true })("a run that waits", (it) => {
  it.effect("says why and until when, and what cancelling does before it is done, in 4 clicks", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { waiting } = yield* seedRuns
      const call = yield* callerOfScene
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/runs`, "Harbor Works")
      yield* opened(page, "Runs")
      const { choose, clicks, press } = counting(page)
      yield* choose("Status", "Running")
      yield* promise(() => until(page, `document.querySelectorAll(".run-row").length === 1`))
      yield* press("Tells the pier", "link")
      yield* opened(page, "Tells the pier")
      yield* shows(page, "It waits because a step of it says so.")
      yield* shows(page, "It goes on")
      yield* press("Cancel")
      yield* shows(page, "What it has done stays done.")
      yield* shows(page, "It waits at the moment: that ends at once, and with it the run.")
      assert.strictEqual(clicks(), 4)
      const run = yield* call("GET", `/automation-run/${waiting}`)
      assert.strictEqual(run.automation_run.status, "running", "nothing is done by asking")
      yield* pressed(page, "Cancel the run")
      yield* promise(() => until(page, `document.querySelector("dialog") === null`))
      yield* shows(page, "Cancelled")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
