// docs/console.md, "Tasks": mend what made an item of a loop of 1,000 fail, and retry from there.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../../support/eventually.ts"
import { Scene } from "../../pages/chromium.ts"
import { entered, found, until } from "../../pages/waiting.ts"
import { complaintsOf, openConsoleTab, opened, promise, shows } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { counting } from "./clicks.ts"
import { PARCELS, seedParcels, WorkingScene } from "./parcels.ts"

/** Late, so that most of the loop is done. */
const ITEM = 980

layer(WorkingScene, { excludeTestServices: true })("a loop of a thousand that failed", (it) => {
  it.effect("is mended at its item and goes on from there, in 7 clicks", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ids, run } = yield* seedParcels(ITEM, false)
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/runs`, "Harbor Works")
      yield* opened(page, "Runs")
      yield* run
      yield* eventually(
        "it has failed",
        call("POST", "/automation-run", { status: "failed", limit: 1 }),
        ({ total }) => total === 1
      )
      const { clicks, press, pressAt } = counting(page)
      yield* press("Weighs the parcels", "link")
      yield* opened(page, "Weighs the parcels")
      yield* press(`Item ${ITEM}: Parcel ${ITEM}`, "link")
      yield* shows(page, `Item ${ITEM} of 1,000, Each parcel`)
      yield* press(`Parcel ${ITEM}`, "link")
      yield* opened(page, `Parcel ${ITEM}`)
      yield* press("Edit Weighed")
      yield* promise(async () => {
        await entered(page, "main dd form input", 3)
        await page.keyboard.type(String(ITEM))
      })
      yield* press("Save")
      yield* promise(() => found(page, '::-p-aria([name="Edit Weighed"][role="button"])'))
      yield* promise(() => page.goBack())
      yield* opened(page, "Weighs the parcels")
      yield* press("Retry")
      yield* shows(page, "The failed step. What is done is not repeated")
      yield* pressAt("dialog button[type=submit]")
      yield* shows(page, "Retried by:")
      yield* promise(() =>
        until(page, `[...document.querySelectorAll(".note .tag")].some((one) => one.textContent === "Completed")`)
      )
      assert.strictEqual(clicks(), 7)
      // What was done before was not done again: each has been changed once by the automation.
      const weights = yield* Effect.forEach([0, ITEM - 1, PARCELS - 1], (at) => call("GET", `/record/${ids[at]}`))
      assert.deepStrictEqual(
        weights.map(({ fields }: any) => fields.find((one: any) => one.external_id === "weight").values[0].value),
        [1, ITEM, PARCELS]
      )
      assert.strictEqual(weights[0].revision, 1)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
