// docs/console.md, "Tasks": find who changed a record, and put it back.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../../pages/chromium.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { seedRecords } from "../consoleSeeds.ts"
import { complaintsOf, openConsoleTab, opened, shows } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { counting } from "./clicks.ts"

layer(SharedScene, { excludeTestServices: true })("who changed a record", (it) => {
  it.effect("is found, and it is put back, in 6 clicks", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, recordId } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      yield* openSignedIn(tab, `${service.origin}/console`, "Harbor Works")
      yield* opened(tab.page, "Home")
      const { clicks, fill, press } = counting(tab.page)
      yield* press("Apps", "link")
      yield* press("Ships", "link")
      yield* opened(tab.page, "Ships")
      yield* fill("Search by title", "tern")
      yield* shows(tab.page, "1 record of Ships")
      yield* press("The Tern", "link")
      yield* opened(tab.page, "The Tern")
      yield* shows(tab.page, "changed it")
      yield* press("What changed")
      yield* shows(tab.page, "Ship 239")
      yield* press("Put this back as it was")
      yield* opened(tab.page, "Ship 239")
      const { fields, title } = yield* call("GET", `/record/${recordId}`)
      const length = fields.find((one: any) => one.external_id === "length")
      assert.deepStrictEqual([title, length.values[0].value], ["Ship 239", 159.5])
      assert.strictEqual(clicks(), 6)
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
