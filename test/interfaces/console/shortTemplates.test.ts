// docs/api.md "Short templates" in the text boxes of the editor, in real Chromium: offered behind two braces by keyboard, complete ones become chips,
// unknown ones say the nearest name, undo gives the text back.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, entered, found, until } from "../pages/waiting.ts"
import { seedApps } from "./consoleSeeds.ts"
import { complaintsOf, gone, judgedAsItIs, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const type = (page: Page, text: string) => promise(() => page.keyboard.type(text))
const chipsAre = (page: Page, wanted: ReadonlyArray<string>) =>
  promise(() =>
    until(
      page,
      (all) =>
        JSON.stringify(
          [...(globalThis as any).document.querySelectorAll(".code-area")].flatMap((area) =>
            [...area.shadowRoot.querySelectorAll(".chip")].map((chip) => chip.textContent)
          )
        ) === all,
      JSON.stringify(wanted)
    )
  )

layer(SharedScene, { excludeTestServices: true })("short templates in a text box", (it) => {
  it.effect("are offered, become chips, and say the nearest name; undo gives the text back", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedApps
      const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
        name: "Tell the pier",
        trigger: { type: "record_created", config: {} },
        actions: [{ id: "mail", type: "send_email", config: { to_address: ["a@harbor.example"], subject: ["Long: "] } }]
      })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/automations/${automation.id}/edit`, "Harbor Works")
      yield* opened(page, "Edit Tell the pier")
      yield* promise(() => clicked(page, '[data-step="mail"]'))
      yield* promise(() => entered(page, `::-p-aria([name="Subject"][role="textbox"])`))
      yield* promise(() => page.keyboard.press("End"))

      yield* type(page, "{{ record.leng")
      yield* promise(() => found(page, `>>> li[aria-selected="true"] ::-p-text(record.length)`))
      yield* judgedAsItIs(page, "editor-short-templates")
      yield* promise(() => page.keyboard.press("Enter"))
      yield* chipsAre(page, ["Length"])
      yield* type(page, " m, {{ today }}")
      yield* chipsAre(page, ["Length", "Today"])
      yield* promise(async () => {
        await page.keyboard.down("Control")
        await page.keyboard.press("z")
        await page.keyboard.up("Control")
      })
      yield* chipsAre(page, ["Length"])
      yield* type(page, " {{ record.Lenth }}")
      yield* shows(page, "did you mean")
      yield* promise(async () => {
        for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft"] as const)
          await page.keyboard.press(key)
      })
      yield* type(page, "g")
      yield* chipsAre(page, ["Length", "Length"])
      yield* gone(page, "::-p-text(did you mean)")

      yield* press(page, "Save")
      yield* shows(page, "Saved")
      const saved = yield* call("GET", `/automation/${automation.id}`)
      const length = ships.fields.find((one: any) => one.external_id === "length").field_id
      const [text, one, between, other] = saved.automation.actions[0].config.subject
      assert.deepStrictEqual(
        [text, one.field_id, between, other.field_id],
        ["Long: ", length, " m, {{ today }} ", length]
      )
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
