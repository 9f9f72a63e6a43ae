// docs/console.md, webhooks: their settings in real Chromium over the whole service; tasks/firstFailures.test.ts sets one up.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { seedApps } from "./consoleSeeds.ts"
import { openConsoleTab, opened, promise, signInTo } from "./consoleTab.ts"
import { has, Target, WebhookScene } from "./webhookScene.ts"

layer(WebhookScene, { excludeTestServices: true })("webhooks in the console", (it) => {
  it.effect("what is changed is saved, what cannot be is said at its place; instants are the same in every zone", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const target = yield* Target
      const { call, ships } = yield* seedApps
      const made = yield* call("POST", `/hook/app/${ships.app_id}`, {
        type: "record.create",
        url: `${target.origin}/other`
      })
      yield* call("POST", `/hook/${made.hook_id}/verify/request`)
      const { attempts } = yield* eventually(
        "the code is brought",
        call("GET", `/hook/${made.hook_id}/verification`),
        (found) => found.attempts.length > 0
      )
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* promise(() => page.emulateTimezone("Asia/Tokyo"))
      yield* signInTo(tab, `${service.origin}/console/webhooks/${made.hook_id}`, "Harbor Works")
      yield* opened(page, "Record created")
      const at = yield* promise(() => page.$eval("section[aria-labelledby=verify] time", (time) => time.dateTime))
      assert.strictEqual(at, `${attempts[0].attempted_on.replace(" ", "T")}.000Z`, "whatever the reader's zone is")
      const settings = "section[aria-labelledby=settings]"
      yield* promise(() => page.type(`${settings} textarea`, '{"type":'))
      yield* promise(() => page.click(`${settings} button[type=submit]`))
      yield* promise(() => page.waitForFunction(has("The filter is not JSON.")))
      yield* promise(async () => {
        await page.click(`${settings} textarea`, { count: 3 })
        await page.keyboard.press("Backspace")
      })
      yield* promise(() => page.type(`${settings} input:not([type])`, "Ships for the harbor master"))
      yield* promise(() => page.click(`${settings} label[for='type-record.delete']`))
      yield* promise(() => page.click(`${settings} button[type=submit]`))
      yield* opened(page, "Ships for the harbor master")
      const saved = yield* call("GET", `/hook/${made.hook_id}/settings`)
      assert.deepStrictEqual(saved.types, ["record.create", "record.delete"])
      assert.strictEqual(saved.filter, null)
    }).pipe(Effect.scoped)
  )
})
