// docs/console.md, "Tasks": watch a run of a loop of 1,000 live, and open the item that failed, in two clicks.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../../pages/chromium.ts"
import { found } from "../../pages/waiting.ts"
import { complaintsOf, judged, openConsoleTab, opened, promise, shows } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { counting } from "./clicks.ts"
import { seedParcels, WorkingScene } from "./parcels.ts"

/** Early, so that the run still has most of its items before it. */
const ITEM = 12

layer(WorkingScene, { excludeTestServices: true })("a loop of a thousand", (it) => {
  it.effect("is watched while it goes on, and the item that failed is opened, in 2 clicks", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { run } = yield* seedParcels(ITEM, true)
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/runs`, "Harbor Works")
      yield* opened(page, "Runs")
      yield* run
      const { clicks, press } = counting(page)
      yield* press("Weighs the parcels", "link")
      yield* opened(page, "Weighs the parcels")
      // Live: nothing is loaded anew from here on.
      yield* shows(page, "1 failed")
      const name = `Item ${ITEM}: Parcel ${ITEM}`
      yield* press(name, "link")
      yield* shows(page, `Item ${ITEM} of 1,000, Each parcel`)
      yield* shows(page, "Weigh it")
      yield* promise(() => found(page, ".step .error-line"))
      assert.strictEqual(clicks(), 2)
      const cookies = yield* promise(() => page.browserContext().cookies())
      const address = page.url()
      const pageChecks = { heading: "Weighs the parcels", cookies }
      yield* judged(browser, { ...pageChecks, address, name: "run-item" })
      yield* judged(browser, { ...pageChecks, address: address.replace(/\?.*$/, ""), name: "run-loop" })
      yield* shows(page, "Open in Temporal")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
