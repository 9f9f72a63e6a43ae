// docs/console.md, the forms of the editor in real Chromium: fields that depend on a type, secrets by name, lists of numbers, large text boxes.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { eventually } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, found, until } from "../pages/waiting.ts"
import { seedApps } from "./consoleSeeds.ts"
import { complaintsOf, gone, openConsoleTab, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const exit = { type: "exit", config: { exit_type: "success" } }

const select = (page: Page, selector: string, value: string) =>
  promise(async () => {
    const list = await found(page, selector)
    await list!.select(value)
  })

const editing = Effect.fnUntraced(function* (body: object, step: string) {
  const { browser, service } = yield* Scene
  const { call, ships } = yield* seedApps
  const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, body)
  const tab = yield* openConsoleTab(browser)
  const { page } = tab
  yield* openSignedIn(tab, `${service.origin}/console/automations/${automation.id}/edit`, "Harbor Works")
  yield* promise(() => clicked(page, `[data-step="${step}"]`))
  const storedAutomation = Effect.map(call("GET", `/automation/${automation.id}`), (read) => read.automation)
  return { page, stored: storedAutomation, tab }
})

layer(SharedScene, { excludeTestServices: true })("fields of the editor's forms", (it) => {
  it.effect("verification asks for what its type needs, and a secret is chosen by its name", () =>
    Effect.gen(function* () {
      const { call } = yield* seedApps
      yield* call("POST", "/secret/org", { name: "pier_key", value: "pier-key-58123", allowed: "all" })
      const trigger = { type: "webhook_received", config: {} }
      const { page, stored, tab } = yield* editing({ name: "Hears the pier", trigger, actions: [exit] }, "trigger")
      const type = `fieldset.object select[id$="-type"]`
      yield* promise(() => found(page, type))
      yield* gone(page, "::-p-text(Signature header)")
      yield* select(page, type, "hmac")
      yield* shows(page, "Signature header")
      yield* shows(page, "SHA-256 (default)")
      yield* select(page, type, "bearer")
      yield* gone(page, "::-p-text(Signature header)")
      yield* promise(() => found(page, `select[id$="-secret"] option[value="pier_key"]`))
      yield* select(page, `select[id$="-secret"]`, "pier_key")
      yield* press(page, "Save")
      const saved = yield* eventually("is saved", stored, (now) => now.trigger.config.verification !== undefined)
      assert.deepStrictEqual(saved.trigger.config.verification, { type: "bearer", secret: "pier_key" })
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("days of a month are typed with commas; what is no number is refused where it stands", () =>
    Effect.gen(function* () {
      const config = { schedule_type: "monthly", month_days: [1], time_of_day: "08:00" }
      const trigger = { type: "periodic", config }
      const { page, stored, tab } = yield* editing({ name: "Counts the piers", trigger, actions: [exit] }, "trigger")
      const days = `input[id$="-month_days"]`
      yield* promise(() => found(page, days).then((field) => field!.type(", x")))
      yield* shows(page, "Type whole numbers with commas between them")
      yield* promise(() => page.keyboard.press("Backspace"))
      yield* promise(() => page.keyboard.type("15,-1"))
      yield* gone(page, "::-p-text(Type whole numbers)")
      yield* promise(() => until(page, `document.querySelector('${days}').value === "1, 15,-1"`))
      yield* press(page, "Save")
      yield* eventually("is saved", stored, (now) => JSON.stringify(now.trigger.config.month_days) === "[1,15,-1]")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("a press below the last line of a text box begins to write there", () =>
    Effect.gen(function* () {
      const call = {
        id: "call",
        type: "http_call",
        config: { http_call_type: "post", http_call_url: "https://a.example" }
      }
      const trigger = { type: "record_created", config: {} }
      const { page, stored, tab } = yield* editing({ name: "Tells the pier", trigger, actions: [call] }, "call")
      const box = `::-p-aria([name="Body"][role="textbox"])`
      yield* promise(async () => {
        const { height, width, x, y } = (await (await found(page, box))!.evaluate((text: any) => {
          text.scrollIntoView({ block: "center" })
          const { height, width, x, y } = text.getRootNode().host.getBoundingClientRect()
          return { height, width, x, y }
        })) as any
        // biome-ignore lint/plugin: a place that is no element's.
        await page.mouse.click(x + width / 2, y + height - 12)
        await page.keyboard.type("all hands")
      })
      yield* press(page, "Save")
      const saved = yield* eventually("is saved", stored, (now) => now.actions[0].config.http_call_body?.length > 0)
      assert.deepStrictEqual(saved.actions[0].config.http_call_body, ["all hands"])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
