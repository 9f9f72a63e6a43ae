// docs/console.md, calculations in real Chromium: one is added, its errors stand at the expression, and grid and record show its result.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { callerOfScene } from "./consoleSeeds.ts"
import {
  choose,
  complaintsOf,
  fill,
  judgedAsItIs,
  openConsoleTab,
  opened,
  press,
  promise,
  shows
} from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

layer(SharedScene, { excludeTestServices: true })("calculations in the console", (it) => {
  it.effect("one is added with its errors at their place; the grid and the record show what it gives", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      const { workspaces } = yield* call("GET", "/workspace/org")
      const app = yield* call("POST", "/app", {
        workspace_id: workspaces[0].workspace_id,
        name: "Sales",
        fields: [
          ...["Price", "Quantity"].map((label) => ({ field_type: "number", config: { label } })),
          { field_type: "multi_relation", config: { label: "Parts" } }
        ]
      })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps/${app.app_id}/settings`, "Harbor Works")
      yield* opened(page, "Settings of Sales")
      yield* press(page, "Add a field")
      yield* choose(page, "Type", "Calculation")
      yield* fill(page, "Label", "Total")
      yield* shows(page, "Fields: price, quantity, related(parts)")
      yield* fill(page, "Expression", "prise * quantity")
      yield* fill(page, "Unit", "EUR")
      yield* press(page, "Add field")
      yield* shows(page, "the app has no field prise")
      const described = yield* promise(() =>
        page.$eval("textarea[aria-invalid=true]", (area) => area.getAttribute("aria-describedby")?.split(" ").length)
      )
      assert.strictEqual(described, 2)
      yield* judgedAsItIs(page, "field-calculation")
      yield* fill(page, "Expression", "100 / price * quantity")
      yield* press(page, "Add field")
      yield* eventually("the field is added", call("GET", `/app/${app.app_id}`), ({ fields }) => fields.length === 4)
      yield* shows(page, "Total")
      const { record_id } = yield* call("POST", `/record/app/${app.app_id}`, { fields: { price: 8, quantity: 100 } })
      const failed = yield* call("POST", `/record/app/${app.app_id}`, { fields: { price: 0 } })
      yield* promise(() => page.goto(`${service.origin}/console/records/${record_id}`))
      yield* shows(page, "1,250 EUR")
      yield* promise(() => page.goto(`${service.origin}/console/records/${failed.record_id}`))
      yield* shows(page, "has no result: division by zero.")
      yield* judgedAsItIs(page, "record-calculation")
      yield* promise(() => page.goto(`${service.origin}/console/apps/${app.app_id}`))
      yield* shows(page, "1,250 EUR")
      // The browser notes the refused definition.
      assert.deepStrictEqual(
        complaintsOf(tab).filter((one) => !/status of 400/.test(one)),
        []
      )
    })
  )
})
