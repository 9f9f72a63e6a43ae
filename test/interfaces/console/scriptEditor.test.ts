// docs/console.md, the editor of automations: completion in a script in real Chromium, by keyboard and by mouse, from the declarations.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, entered, found } from "../pages/waiting.ts"
import { seedApps } from "./consoleSeeds.ts"
import { complaintsOf, judgedAsItIs, openConsoleTab, opened, promise } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const offered = (page: Page, wanted: string) =>
  promise(() => found(page, `>>> .cm-tooltip-autocomplete ::-p-text(${wanted})`))
const labels = (page: Page) =>
  promise(() => page.$$eval(">>> .cm-completionLabel", (all) => all.map((one) => one.textContent)))
const awaitSelected = (page: Page, wanted: string) =>
  promise(() => found(page, `>>> li[aria-selected="true"] ::-p-text(${wanted})`))
const type = (page: Page, text: string) => promise(() => page.keyboard.type(text))
const key = (page: Page, name: "Enter" | "Escape") => promise(() => page.keyboard.press(name))
const script = (page: Page) => promise(() => page.$eval(">>> .cm-content", (content) => content.textContent))

layer(SharedScene, { excludeTestServices: true })("completion in a script", (it) => {
  it.effect("offers what records, requests and fields have, in the service's words, by keyboard and by mouse", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedApps
      const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
        name: "Ask the pier",
        trigger: { type: "record_created", config: {} },
        actions: [{ id: "script", type: "custom_code", config: { code: [] } }]
      })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const address = `${service.origin}/console/automations/${automation.id}/edit`
      yield* openSignedIn(tab, address, "Harbor Works")
      yield* opened(page, "Edit Ask the pier")
      yield* promise(() => clicked(page, '[data-step="script"]'))
      yield* promise(() => entered(page, ">>> .cm-content"))

      yield* type(page, "current_r")
      yield* awaitSelected(page, "current_record")
      yield* key(page, "Enter")
      yield* type(page, ".")
      yield* offered(page, "app_record_id")
      assert.deepStrictEqual(yield* labels(page), ["app_record_id", "fields", "record_id", "record_url", "title"])
      yield* judgedAsItIs(page, "editor-completion")
      yield* type(page, "f")
      yield* awaitSelected(page, "fields")
      yield* promise(() => found(page, ">>> .cm-completionInfo ::-p-text(Of Ships, by external id)"))
      yield* key(page, "Enter")
      yield* type(page, ".")
      yield* offered(page, "arrives")
      const fields = yield* labels(page)
      assert.includeMembers(fields as Array<string>, ["name", "state", "length", "pilots"])
      yield* promise(() => clicked(page, ">>> .cm-tooltip-autocomplete ::-p-text(length)"))
      assert.strictEqual(yield* script(page), "current_record.fields.length")

      yield* type(page, "; (await http.get('https://harbor.example')).")
      yield* awaitSelected(page, "data")
      assert.deepStrictEqual(yield* labels(page), ["data", "headers", "status"])
      yield* key(page, "Escape")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("no key and no undo in a script breaks the policy of the page", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedApps
      const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
        name: "Ask the mole",
        trigger: { type: "record_created", config: {} },
        actions: [{ id: "script", type: "custom_code", config: { code: [] } }]
      })
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* promise(() =>
        page.evaluateOnNewDocument(() => {
          const tab = globalThis as any
          tab.violations = []
          tab.document.addEventListener("securitypolicyviolation", ({ effectiveDirective, sample, sourceFile }: any) =>
            tab.violations.push(`${tab.doing}: ${effectiveDirective} ${sample} ${sourceFile}`)
          )
        })
      )
      yield* openSignedIn(tab, `${service.origin}/console/automations/${automation.id}/edit`, "Harbor Works")
      yield* opened(page, "Edit Ask the mole")
      yield* promise(() => clicked(page, '[data-step="script"]'))
      yield* promise(() => entered(page, ">>> .cm-content"))
      const doing = (words: string, ...steps: ReadonlyArray<() => Promise<unknown>>) =>
        promise(async () => {
          await page.evaluate((what) => ((globalThis as any).doing = what), words)
          for (const step of steps) await step()
        })
      const press = (name: string) => async () => {
        const parts = name.split("+")
        const lastPart = parts.pop()!
        for (const part of parts) await page.keyboard.down(part as "Shift")
        await page.keyboard.press(lastPart as "Enter")
        for (const part of parts) await page.keyboard.up(part as "Shift")
      }
      const write = (text: string) => () => page.keyboard.type(text)
      yield* doing("typing", write("const berth = 4\nconst pier = `${berth} m`\n// Mole\nreturn { berth, pier }"))
      yield* doing("letters over lines", press("Control+Home"), press("Shift+ArrowDown"), press("Shift+ArrowDown"))
      yield* doing("letters over lines", write("let x"), press("Enter"), write("y"))
      yield* doing("deleting", press("Backspace"), press("Backspace"), press("Delete"), press("Control+Backspace"))
      yield* doing("deleting lines", press("Shift+ArrowDown"), press("Shift+ArrowDown"), press("Delete"))
      yield* doing("undo", press("Control+z"), press("Control+z"), press("Control+Shift+z"))
      yield* doing("all over", press("Control+a"), write("if (a) { b() }"))
      yield* doing("completion", press("Control+End"), press("Enter"), write("current_record."))
      yield* offered(page, "app_record_id")
      yield* doing("completion", press("ArrowDown"), press("Enter"), press("Escape"))
      assert.deepStrictEqual(yield* promise(() => page.evaluate("violations") as Promise<Array<string>>), [])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
