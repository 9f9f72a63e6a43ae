// docs/console.md, apps in real Chromium: one is made, its fields are added, ordered, changed and removed with what goes with them said
// first, and the app is deleted; each page as axe, a phone and both themes see it.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { eventually } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { until } from "../pages/waiting.ts"
import { seedRecords } from "./consoleSeeds.ts"
import { choose, complaintsOf, fill, judged, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const labels = (page: Page) =>
  promise(() => page.$$eval(".field-list strong", (all) => all.map((one) => one.textContent ?? "")))
const labelsAre = (page: Page, wanted: ReadonlyArray<string>) =>
  promise(() =>
    until(
      page,
      (all) =>
        JSON.stringify(
          [...(globalThis as any).document.querySelectorAll(".field-list strong")].map((one) => one.textContent)
        ) === all,
      JSON.stringify(wanted)
    )
  )
/** The app is gone and the page does not know it yet, when the reader comes back to the tab: what it asks for then is kept in `asked`. */
const whileDeleting = (page: Page, asked: Array<string>, remove: Effect.Effect<unknown>) =>
  promise(async () => {
    await page.setRequestInterception(true)
    page.on("request", async (request) => {
      if (asked.length > 0 || request.method() === "DELETE") asked.push(new URL(request.url()).pathname)
      if (request.method() !== "DELETE") return request.continue()
      await Effect.runPromise(remove)
      await page.evaluate(() => (globalThis as any).dispatchEvent(new Event("visibilitychange")))
      await request.respond({ status: 200, contentType: "application/json", body: "{}" })
    })
  })

layer(SharedScene, { excludeTestServices: true })("apps in the console", (it) => {
  it.effect("an app is made, and its fields are added, ordered by keyboard and by dragging, and changed", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps`, "Harbor Works")
      yield* opened(page, "Apps")
      yield* press(page, "New app", "link")
      yield* opened(page, "New app")
      yield* fill(page, "Name", "Tides")
      yield* fill(page, "Name of a record", "Tide")
      yield* press(page, "Create app")
      yield* opened(page, "Settings of Tides")
      yield* labelsAre(page, ["Name"])
      yield* press(page, "Add a field")
      yield* fill(page, "Label", "Level")
      yield* choose(page, "Type", "Number")
      yield* fill(page, "Unit", "m")
      yield* press(page, "Add field")
      yield* labelsAre(page, ["Name", "Level"])
      yield* press(page, "Add a field")
      yield* choose(page, "Type", "Status")
      yield* fill(page, "Label", "State")
      yield* fill(page, "Option 1", "Expected")
      yield* press(page, "Add field")
      yield* labelsAre(page, ["Name", "Level", "State"])
      const initialApp = (yield* call("GET", "/app")).apps.find((one: any) => one.name === "Tides")
      const read = call("GET", `/app/${initialApp.app_id}`)
      const state = (yield* read).fields[2]
      assert.deepStrictEqual(
        state.config.settings.options.map(({ means_completed, text }: any) => [text, means_completed]),
        [
          ["Expected", false],
          ["Done", true]
        ]
      )
      yield* promise(() => page.focus(`::-p-aria([name="Move State"])`))
      yield* promise(() => page.keyboard.press("ArrowUp"))
      yield* labelsAre(page, ["Name", "State", "Level"])
      const rows = yield* promise(() => page.$$(".field-list .handle"))
      const [, from, to] = yield* promise(() => Promise.all(rows.map((row) => row.boundingBox())))
      // As fast as a hand on a slow machine: nothing is drawn between the last move and the end.
      yield* promise(async () => {
        await page.mouse.move(from!.x + 5, from!.y + 5)
        await Promise.all([page.mouse.down(), page.mouse.move(to!.x + 5, to!.y + 8), page.mouse.up()])
      })
      yield* labelsAre(page, ["Name", "Level", "State"])
      yield* press(page, "Change Level")
      yield* fill(page, "Label", "Height")
      yield* press(page, "Save field")
      yield* labelsAre(page, ["Name", "Height", "State"])
      // The list shows an order before it is saved.
      const { fields } = yield* eventually(
        "the last order is saved",
        read,
        (answer) => answer.fields.map(({ external_id }: any) => external_id).join() === "name,level,state"
      )
      assert.deepStrictEqual(
        fields.map(({ label }: any) => label),
        ["Name", "Height", "State"]
      )
      assert.strictEqual(fields[1].config.settings.unit, "m")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("what could not be asked while the service was away is asked again by itself", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps/${ships.app_id}/settings`, "Harbor Works")
      yield* opened(page, "Settings of Ships")
      // As often as the client tries it by itself.
      let refusals = 3
      yield* promise(async () => {
        await page.setRequestInterception(true)
        page.on("request", (request) =>
          new URL(request.url()).pathname === `/v1/app/${ships.app_id}` && refusals-- > 0
            ? request.respond({ status: 503, contentType: "application/json", body: "{}" })
            : request.continue()
        )
      })
      yield* call("PUT", `/app/${ships.app_id}`, { name: "Vessels" })
      yield* opened(page, "Settings of Vessels")
    }).pipe(Effect.scoped)
  )

  it.effect(
    "the type of a field is changed after a look at what becomes of its values, and the conversion cancelled",
    () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Scene
        const { call, ships } = yield* seedRecords
        const tab = yield* openConsoleTab(browser)
        const { page } = tab
        yield* openSignedIn(tab, `${service.origin}/console/apps/${ships.app_id}/settings`, "Harbor Works")
        yield* opened(page, "Settings of Ships")
        yield* press(page, "Change Length")
        yield* press(page, "Change type")
        yield* choose(page, "New type", "Text")
        yield* press(page, "Preview")
        yield* shows(page, "240 values can be converted.")
        yield* press(page, "Change type")
        // No worker is there, so the job can be cancelled.
        yield* shows(page, "The field keeps its type until all values are ready.")
        yield* press(page, "Cancel conversion")
        yield* shows(page, "Cancelled")
        const { fields } = yield* call("GET", `/app/${ships.app_id}`)
        assert.strictEqual(fields.find((one: any) => one.external_id === "length").field_type, "number")
        assert.deepStrictEqual(complaintsOf(tab), [])
      }).pipe(Effect.scoped)
  )

  it.effect("what goes with a field and with an app is said before they go", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedRecords
      const [length] = ships.fields.filter((one: any) => one.external_id === "length")
      yield* call("POST", `/view/app/${ships.app_id}`, { name: "By length", layout: "table", sort_by: length.field_id })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const address = `${service.origin}/console/apps/${ships.app_id}/settings`
      yield* openSignedIn(tab, address, "Harbor Works")
      yield* opened(page, "Settings of Ships")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* judged(browser, { address, heading: "Settings of Ships", name: "app-settings", cookies })
      const newAppUrl = `${service.origin}/console/apps/new`
      yield* judged(browser, { address: newAppUrl, heading: "New app", name: "app-new", cookies })
      yield* press(page, "Remove Length")
      yield* shows(page, "its values in 240 records")
      yield* shows(page, "By length")
      yield* shows(page, "No automation uses it.")
      yield* press(page, "Remove the field")
      yield* shows(page, "Length was removed.")
      yield* eventually("the field goes", labels(page), (all) => !all.includes("Length"))
      yield* press(page, "Delete Ships")
      yield* shows(page, "240 records")
      yield* fill(page, "Type Ships to go on", "Ships")
      const requestPaths: Array<string> = []
      yield* whileDeleting(page, requestPaths, call("DELETE", `/app/${ships.app_id}`))
      yield* press(page, "Delete the app")
      yield* opened(page, "Apps")
      assert.deepStrictEqual(
        requestPaths.filter((path) => path.includes(`/app/${ships.app_id}`)),
        [`/v1/app/${ships.app_id}`]
      )
      const { apps } = yield* call("GET", "/app")
      assert.notInclude(
        apps.map(({ app_id }: any) => app_id),
        ships.app_id
      )
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
