// docs/console.md, "Tasks": set up a webhook, see its first failures, replay them; in real Chromium over the whole service.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../../support/eventually.ts"
import { answers } from "../../../support/receiver.ts"
import { Scene } from "../../pages/chromium.ts"
import { clicked, selectIn, typeInto, until } from "../../pages/waiting.ts"
import { seedApps } from "../consoleSeeds.ts"
import { judged, openConsoleTab, opened, promise } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { has, Target, tagged, WebhookScene } from "../webhookScene.ts"

layer(WebhookScene, { excludeTestServices: true })("a webhook", (it) => {
  it.effect(
    "an address is verified, its first failures are seen and sent again, in nine clicks; then it is deleted",
    () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Scene
        const target = yield* Target
        const { call, ships } = yield* seedApps
        const tab = yield* openConsoleTab(browser)
        const { page } = tab
        const name = `${target.origin}/ships`.replace("http://", "")
        let clicks = 0
        const click = (selector: string) =>
          promise(async () => {
            clicks++
            await clicked(page, selector)
          })
        const shows = (text: string) => promise(() => until(page, has(text)))
        const awaitTag = (text: string) => promise(() => until(page, tagged(text)))

        yield* openSignedIn(tab, `${service.origin}/console/webhooks`, "Harbor Works")
        yield* opened(page, "Webhooks")
        yield* promise(() => selectIn(page, "main select", String(ships.app_id)))
        yield* shows("No webhooks yet")
        yield* click("main .actions a")
        yield* opened(page, "New webhook")
        yield* click("label[for='type-record.update']")
        yield* promise(() => typeInto(page, "main input[type=url]", `${target.origin}/ships`))
        yield* click("main button[type=submit]")
        yield* opened(page, name)
        yield* shows("Is this address yours?")
        const verifyRequest = yield* eventually(
          "the code is brought",
          Effect.sync(() => target.received.find(({ body }) => body.includes("hook.verify"))),
          (request) => request !== undefined
        )
        const { code } = JSON.parse(verifyRequest!.body)
        yield* promise(() => typeInto(page, "section[aria-labelledby=verify] input", code))
        yield* click("section[aria-labelledby=verify] button[type=submit]")
        yield* awaitTag("Active")

        target.on("/ships", answers.status(500, {}, "out of ink"))
        const record = yield* call("POST", `/record/app/${ships.app_id}`, {
          fields: { name: "Ada", state: "Expected" }
        })
        yield* awaitTag("Failed")
        yield* awaitTag("Failing: 2 in a row")
        yield* click("section[aria-labelledby=latest] .unfold")
        yield* shows("out of ink")
        const cookies = yield* promise(() => page.browserContext().cookies())
        const address = page.url()
        yield* judged(browser, { address, heading: name, name: "webhook", cookies })

        target.on("/ships", answers.status(204))
        yield* click("::-p-aria([name='All deliveries'])")
        yield* click("section[aria-labelledby=replays] button[type=submit]")
        yield* awaitTag("Done")
        yield* awaitTag("Delivered")
        yield* shows("1 of 1")
        const arrived = target.received.filter(({ body }) => JSON.parse(body).record_id === record.record_id)
        assert.strictEqual(arrived.length, 3)
        assert.strictEqual(new Set(arrived.map(({ headers }) => headers["webhook-id"])).size, 1)

        yield* click("::-p-aria([name='Testing'][role='link'])")
        yield* shows('"type": "record.create"')
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
        assert.strictEqual(clicks, 9)

        yield* promise(() => clicked(page, "::-p-aria([name='Delete'][role='button'])"))
        yield* promise(() => clicked(page, "::-p-aria([name='Delete it'][role='button'])"))
        yield* opened(page, "Webhooks")
        yield* shows("No webhooks yet")
        // What a page asks for is given up when the page is left.
        assert.deepStrictEqual(
          tab.complaints.filter((one) => !one.startsWith("net::ERR_ABORTED")),
          []
        )
      }).pipe(Effect.scoped)
  )
})
