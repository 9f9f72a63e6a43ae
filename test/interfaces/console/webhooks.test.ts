// docs/console.md, webhooks: their settings in real Chromium over the whole service; tasks/firstFailures.test.ts sets one up.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { eventually } from "../../support/eventually.ts"
import { answers, type Receiver } from "../../support/receiver.ts"
import { Scene } from "../pages/chromium.ts"
import { clicked, entered, typeInto, until } from "../pages/waiting.ts"
import { seedApps } from "./consoleSeeds.ts"
import { openConsoleTab, opened, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"
import { counting } from "./tasks/clicks.ts"
import { has, Target, tagged, WebhookScene } from "./webhookScene.ts"

/** The name of a webhook that its maker has given none. */
const nameOf = (target: Receiver, path: string) => `${target.origin}${path}`.replace("http://", "")

layer(WebhookScene, { excludeTestServices: true })("webhooks in the console", (it) => {
  it.effect("what is changed is saved, what cannot be is said at its place; instants are the same in every zone", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const target = yield* Target
      const { call, ships } = yield* seedApps
      const createdHook = yield* call("POST", `/hook/app/${ships.app_id}`, {
        type: "record.create",
        url: `${target.origin}/other`
      })
      yield* call("POST", `/hook/${createdHook.hook_id}/verify/request`)
      const { attempts } = yield* eventually(
        "the code is brought",
        call("GET", `/hook/${createdHook.hook_id}/verification`),
        (found) => found.attempts.length > 0
      )
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* promise(() => page.emulateTimezone("Asia/Tokyo"))
      yield* openSignedIn(tab, `${service.origin}/console/webhooks/${createdHook.hook_id}`, "Harbor Works")
      yield* opened(page, nameOf(target, "/other"))
      const attemptedAt = yield* promise(() =>
        page.$eval("section[aria-labelledby=verify] time", (time) => time.dateTime)
      )
      assert.strictEqual(
        attemptedAt,
        `${attempts[0].attempted_on.replace(" ", "T")}.000Z`,
        "whatever the reader's zone is"
      )
      yield* promise(() => clicked(page, "::-p-aria([name='Settings'][role='link'])"))
      const settings = "section[aria-labelledby=settings]"
      yield* promise(() => typeInto(page, `${settings} textarea`, '{"type":'))
      yield* promise(() => clicked(page, `${settings} button[type=submit]`))
      yield* promise(() => until(page, has("The filter is not JSON.")))
      yield* promise(async () => {
        await entered(page, `${settings} textarea`, 3)
        await page.keyboard.press("Backspace")
      })
      yield* promise(() => typeInto(page, `${settings} input:not([type])`, "Ships for the harbor master"))
      yield* promise(() => clicked(page, `${settings} label[for='type-record.delete']`))
      yield* promise(() => clicked(page, `${settings} button[type=submit]`))
      yield* opened(page, "Ships for the harbor master")
      const saved = yield* call("GET", `/hook/${createdHook.hook_id}/settings`)
      assert.deepStrictEqual(saved.types, ["record.create", "record.delete"])
      assert.strictEqual(saved.filter, null)
    }).pipe(Effect.scoped)
  )
  it.effect(
    "what no event tells is shown as well: a replay's end, a failing hook; a delivery is found by record or id",
    () =>
      Effect.gen(function* () {
        const { browser, service } = yield* Scene
        const target = yield* Target
        const { call, ships } = yield* seedApps
        const path = `/ships-${ships.app_id}`
        const { hook_id } = yield* call("POST", `/hook/app/${ships.app_id}`, {
          type: "record.create",
          url: target.origin + path
        })
        yield* call("POST", `/hook/${hook_id}/verify/request`)
        const [asked] = yield* eventually(
          "the code is brought",
          Effect.sync(() => target.of(path)),
          (found) => found.length > 0
        )
        yield* call("POST", `/hook/${hook_id}/verify/validate`, { code: JSON.parse(asked!.body).code })

        const home = (yield* openConsoleTab(browser)).page
        yield* openSignedIn({ page: home, complaints: [], redirects: [] }, `${service.origin}/console`, "Harbor Works")
        yield* opened(home, "Home")
        const tabOf = Effect.fnUntraced(function* (address: string, heading: string) {
          const cookies = yield* promise(() => home.browserContext().cookies())
          const { page } = yield* openConsoleTab(browser, { cookies })
          yield* promise(() => page.goto(`${service.origin}/console${address}`))
          yield* opened(page, heading)
          return page
        })
        const list = yield* tabOf(`/webhooks?app=${ships.app_id}`, "Webhooks")
        yield* promise(() => until(list, tagged("Active")))
        target.on(path, answers.status(500))
        const record = yield* call("POST", `/record/app/${ships.app_id}`, {
          fields: { name: "Ada", state: "Expected" }
        })
        yield* promise(() => until(list, tagged("Failing: 2 in a row")))
        yield* shows(home, "2 failures")

        const page = yield* tabOf(`/webhooks/${hook_id}?tab=deliveries`, nameOf(target, path))
        yield* promise(() => until(page, tagged("Failed")))
        const openTabs = yield* promise(() =>
          page.$$eval(".tabs [aria-current]", (all: any) => all.map((one: any) => one.textContent).join())
        )
        assert.strictEqual(openTabs, "Deliveries")
        const { deliveries } = yield* call("GET", `/hook/${hook_id}/delivery`)
        const [{ delivery_id }] = deliveries
        const find = (text: string) =>
          promise(async () => {
            await entered(page, "main input[type=search]", 3)
            await page.keyboard.type(text)
          })
        yield* find("4711")
        yield* promise(() => until(page, has("None of these.")))
        yield* find(delivery_id)
        yield* promise(() => until(page, tagged("Failed")))
        yield* find("msg_1_zzz")
        yield* promise(() => until(page, has("No delivery of this webhook has the id msg_1_zzz.")))
        yield* find(String(record.record_id))
        yield* promise(() => until(page, `decodeURIComponent(location.search).includes('find="${record.record_id}"')`))
        yield* promise(() => until(page, tagged("Failed")))
        // The receiver takes its time, so that the replay's next round, which ends it, is some time after the delivery.
        target.on(path, answers.delayed(300, answers.status(204)))
        const since = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace("T", " ")
        yield* call("POST", `/hook/${hook_id}/replay`, { since })
        yield* promise(() => until(page, tagged("Delivered")))
        yield* promise(() => until(page, tagged("Done")))
      }).pipe(Effect.scoped)
  )

  it.effect("one delivery is sent again, in 3 clicks (docs/console.md, Tasks)", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const target = yield* Target
      const { call, ships } = yield* seedApps
      const path = `/once-${ships.app_id}`
      const body = { type: "record.create", url: target.origin + path }
      const { hook_id } = yield* call("POST", `/hook/app/${ships.app_id}`, body)
      yield* call("POST", `/hook/${hook_id}/verify/request`)
      const [verifyRequest] = yield* eventually(
        "the code is brought",
        Effect.sync(() => target.of(path)),
        (requests) => requests.length > 0
      )
      yield* call("POST", `/hook/${hook_id}/verify/validate`, { code: JSON.parse(verifyRequest!.body).code })
      target.on(path, answers.status(500))
      for (const name of ["Ada", "Bea"])
        yield* call("POST", `/record/app/${ships.app_id}`, { fields: { name, state: "Expected" } })
      yield* eventually(
        "both have failed",
        call("GET", `/hook/${hook_id}/delivery?status=failed`),
        ({ total }) => total === 2
      )
      target.on(path, answers.status(204))
      const { deliveries } = yield* call("GET", `/hook/${hook_id}/delivery`)
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/webhooks?app=${ships.app_id}`, "Harbor Works")
      yield* opened(page, "Webhooks")
      const { clicks, press } = counting(page)
      yield* press(nameOf(target, path), "link")
      yield* opened(page, nameOf(target, path))
      yield* press("Deliveries", "link")
      yield* press(`Send again: ${deliveries[0].delivery_id}`)
      yield* promise(() => until(page, tagged("Delivered")))
      assert.strictEqual(clicks(), 3)
      const statuses = Effect.map(call("GET", `/hook/${hook_id}/delivery`), (answer: any) =>
        answer.deliveries.map(({ status }: any) => status)
      )
      assert.deepStrictEqual(yield* statuses, ["delivered", "failed"])
    }).pipe(Effect.scoped)
  )
})
