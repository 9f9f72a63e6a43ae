// docs/console.md, "Tasks": save a view; then rename it, make it the default, and delete another one.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../../pages/chromium.ts"
import { SharedScene } from "../../pages/sharedScene.ts"
import { found, selectIn, until } from "../../pages/waiting.ts"
import { seedRecords } from "../consoleSeeds.ts"
import { complaintsOf, openConsoleTab, opened, promise, shows } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { counting } from "./clicks.ts"

layer(SharedScene, { excludeTestServices: true })("a view", (it) => {
  it.effect("is saved in 6 clicks, renamed, made the default and deleted", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console`, "Harbor Works")
      yield* opened(page, "Home")
      const { clicks, fill, press } = counting(page)
      yield* press("Apps", "link")
      yield* press("Ships", "link")
      yield* opened(page, "Ships")
      yield* press("Length")
      yield* press("Save as view")
      yield* fill("Name", "By length")
      yield* press("Save view")
      yield* promise(() => found(page, `::-p-aria([name="Change view"][role="button"])`))
      assert.strictEqual(clicks(), 6)
      const views = Effect.map(call("GET", `/app/${ships.app_id}/views`), ({ views: all }: any) =>
        all.map(({ is_default, name }: any) => [name, is_default])
      )
      assert.deepStrictEqual(yield* views, [
        ["All Ship", true],
        ["By length", false]
      ])
      const closed = promise(() => until(page, "document.querySelector('dialog') === null"))
      yield* press("Change view")
      yield* fill("Name", "Shortest first")
      yield* press("Rename")
      yield* closed
      yield* press("Change view")
      yield* press("Set as default")
      yield* closed
      yield* shows(page, "Shortest first (default)")
      assert.deepStrictEqual(yield* views, [
        ["All Ship", false],
        ["Shortest first", true]
      ])
      const [other] = (yield* call("GET", `/app/${ships.app_id}/views`)).views
      yield* promise(() => selectIn(page, "#view", String(other.view_id)))
      yield* press("Change view")
      yield* press("Delete the view")
      yield* press("Delete it")
      yield* closed
      assert.deepStrictEqual(yield* views, [["Shortest first", true]])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
