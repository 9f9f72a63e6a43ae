// docs/console.md, webhooks: from an address to a verified webhook, its first failures seen, and sent again; in real Chromium over the whole service.
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { eventually } from "../../support/eventually.ts"
import { answers, type Receiver, receiver } from "../../support/receiver.ts"
import { freshName, temporalAddress } from "../../support/temporal.ts"
import { Scene, sceneWith } from "../pages/chromium.ts"
import { seedApps } from "./consoleSeeds.ts"
import { judged, openConsoleTab, opened, promise, signInTo } from "./consoleTab.ts"

class Target extends Context.Service<Target, Receiver>()("test/Target") {}

const Setting = Layer.unwrap(
  Effect.map(receiver(), (target) =>
    sceneWith({
      ROLE: "all",
      TEMPORAL_ADDRESS: temporalAddress(),
      TEMPORAL_NAMESPACE: freshName("console"),
      OUTBOUND_ALLOW: target.hostPort,
      WEBHOOK_RETRY_SECONDS: "1"
    }).pipe(Layer.merge(Layer.succeed(Target, target)))
  )
)

const has = (text: string) =>
  `[...document.querySelectorAll("main *")].some((one) => one.children.length === 0 && one.textContent.includes(${JSON.stringify(text)}))`

/** The state of something, in its own word: of the hook, a delivery, a replay. */
const tagged = (text: string) =>
  `[...document.querySelectorAll("main .tag")].some((one) => one.textContent === ${JSON.stringify(text)})`

layer(Setting, { excludeTestServices: true })("webhooks in the console", (it) => {
  it.effect(
    "an address is verified, its first failures are seen and sent again, in seven clicks; then it is deleted",
    () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Scene
        const target = yield* Target
        const { call, ships } = yield* seedApps
        const tab = yield* openConsoleTab(browser)
        const { page } = tab
        let clicks = 0
        const click = (selector: string) =>
          promise(async () => {
            clicks++
            await (await page.waitForSelector(selector))!.click()
          })
        const shows = (text: string) => promise(() => page.waitForFunction(has(text)))
        const says = (text: string) => promise(() => page.waitForFunction(tagged(text)))

        yield* signInTo(tab, `${service.origin}/console/webhooks`, "Harbor Works")
        yield* opened(page, "Webhooks")
        yield* promise(() => page.select("main select", String(ships.app_id)))
        yield* shows("No webhooks yet")
        yield* click("main .actions a")
        yield* opened(page, "New webhook")
        yield* click("label[for='type-record.update']")
        yield* promise(() => page.type("main input[type=url]", `${target.origin}/ships`))
        yield* click("main button[type=submit]")
        yield* opened(page, "Record created")
        yield* shows("Is this address yours?")
        const asked = yield* eventually(
          "the code is brought",
          Effect.sync(() => target.received.find(({ body }) => body.includes("hook.verify"))),
          (request) => request !== undefined
        )
        const { code } = JSON.parse(asked!.body)
        yield* promise(() => page.type("section[aria-labelledby=verify] input", code))
        yield* click("section[aria-labelledby=verify] button[type=submit]")
        yield* says("Active")

        target.on("/ships", answers.status(500, {}, "out of ink"))
        const record = yield* call("POST", `/record/app/${ships.app_id}`, {
          fields: { name: "Ada", state: "Expected" }
        })
        yield* says("Failed")
        yield* says("Failing: 2 in a row")
        yield* click(".delivery summary")
        yield* shows("out of ink")
        const cookies = yield* promise(() => page.browserContext().cookies())
        const address = page.url()
        yield* judged(browser, { address, heading: "Record created", name: "webhook", cookies })

        target.on("/ships", answers.status(204))
        yield* click("section[aria-labelledby=replays] button[type=submit]")
        yield* says("Done")
        yield* says("Delivered")
        yield* shows("1 of 1")
        const arrived = target.received.filter(({ body }) => JSON.parse(body).record_id === record.record_id)
        assert.strictEqual(arrived.length, 3)
        assert.strictEqual(new Set(arrived.map(({ headers }) => headers["webhook-id"])).size, 1)

        yield* click("section[aria-labelledby=test] button")
        yield* shows("The receiver took it")
        const webhooks = { address: `${service.origin}/console/webhooks?app=${ships.app_id}`, cookies }
        yield* judged(browser, { ...webhooks, heading: "Webhooks", name: "webhooks" })
        yield* judged(browser, {
          address: `${service.origin}/console/webhooks/new`,
          heading: "New webhook",
          name: "webhook-new",
          cookies
        })
        assert.strictEqual(clicks, 7)

        yield* promise(() => page.locator("::-p-aria([name='Delete'][role='button'])").click())
        yield* promise(() => page.locator("::-p-aria([name='Delete it'][role='button'])").click())
        yield* opened(page, "Webhooks")
        yield* shows("No webhooks yet")
        // What a page asks for is given up when the page is left.
        assert.deepStrictEqual(
          tab.complaints.filter((one) => !one.startsWith("net::ERR_ABORTED")),
          []
        )
      }).pipe(Effect.scoped)
  )

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
