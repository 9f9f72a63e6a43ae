// docs/console.md, "Tasks": build an app and three records, with the clicks that it takes.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../../pages/chromium.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { callerOfScene } from "../consoleSeeds.ts"
import { complaintsOf, openConsoleTab, opened, shows } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { counting } from "./clicks.ts"

layer(SharedScene, { excludeTestServices: true })("an app and three records", (it) => {
  it.effect("are built in 24 clicks", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      const tab = yield* openConsoleTab(browser)
      yield* openSignedIn(tab, `${service.origin}/console`, "Harbor Works")
      yield* opened(tab.page, "Home")
      const { choose, clicks, fill, press, type } = counting(tab.page)
      yield* press("Apps", "link")
      yield* press("New app", "link")
      yield* fill("Name", "Berths")
      yield* fill("Name of a record", "Berth")
      yield* press("Create app")
      yield* opened(tab.page, "Settings of Berths")
      yield* press("Add a field")
      yield* choose("Type", "Number")
      yield* fill("Label", "Depth")
      yield* fill("Unit", "m")
      yield* press("Add field")
      yield* shows(tab.page, "Depth was added.")
      yield* press("Add a field")
      yield* choose("Type", "Status")
      yield* fill("Label", "State")
      yield* press("Add field")
      yield* shows(tab.page, "State was added.")
      yield* press("Open records", "link")
      yield* press("New berth", "link")
      yield* opened(tab.page, "New berth")
      for (const [name, depth, last] of [
        ["North", "8"],
        ["East", "6"],
        ["South", "11", true]
      ] as const) {
        yield* type(name)
        yield* fill("Depth", depth)
        yield* press(last === true ? "Save" : "Save and add another")
        if (last !== true) yield* shows(tab.page, `${name} was saved.`)
      }
      yield* opened(tab.page, "South")
      const app = (yield* call("GET", "/app")).apps.find((one: any) => one.name === "Berths")
      const { records } = yield* call("GET", `/record/app/${app.app_id}?sort_by=name`)
      assert.deepStrictEqual(
        records.map(({ fields, title }: any) => [title, fields[1].values[0].value, fields[2].values[0].value.text]),
        [
          ["East", 6, "Open"],
          ["North", 8, "Open"],
          ["South", 11, "Open"]
        ]
      )
      assert.strictEqual(clicks(), 24)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
