// docs/console.md, the editor of automations in real Chromium: its pages as axe, a phone and both themes see them; steps moved, copied, undone;
// the definition as text; refusals and warnings at their step; somebody else's save met; drafts kept.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { eventually } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, entered, found, until } from "../pages/waiting.ts"
import { seedApps } from "./consoleSeeds.ts"
import { complaintsOf, judged, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const text = (words: string) => [words]
const steps = (fieldId: number) => [
  {
    id: "is-long",
    type: "conditional",
    config: {
      condition: {
        operator: "and",
        rows: [
          {
            subject: { kind: "variable", source: "field", field_id: fieldId, field_type: "number" },
            operator: "greater_than",
            value: { type: "number", number: ["100"] }
          }
        ]
      },
      action_rows: [
        {
          id: "pdf",
          type: "create_pdf",
          config: { pdf_body: text("<h1>A long ship</h1><p style='color: #0a6a60'>Mind the pier.</p>") }
        },
        {
          id: "mail",
          type: "send_email",
          config: {
            to_address: text("pier@harbor.example"),
            subject: text("Long"),
            message_body: text("<p>It comes.</p>")
          }
        }
      ],
      else_action_rows: [
        { id: "note", type: "current_record_comment_create", config: { comment_content: text("Short.") } }
      ]
    }
  },
  {
    id: "call",
    type: "http_call",
    config: { http_call_type: "get", http_call_url: text("https://harbor.example/ships") }
  }
]

/** The cards of the flow from top to bottom, by their ids. */
const cards = (page: Page) =>
  promise(() => page.$$eval("[data-step]", (all) => all.map((one) => one.getAttribute("data-step") ?? "")))
const cardsAre = (page: Page, wanted: ReadonlyArray<string>) =>
  promise(() =>
    until(
      page,
      (all) =>
        JSON.stringify(
          [...(globalThis as any).document.querySelectorAll("[data-step]")].map((one) => one.dataset.step)
        ) === all,
      JSON.stringify(["trigger", "filter", ...wanted])
    )
  )
const choose = (page: Page, id: string) => promise(() => clicked(page, `[data-step="${id}"]`))
const keys = (page: Page, key: any, ...held: ReadonlyArray<any>) =>
  promise(async () => {
    for (const modifier of held) await page.keyboard.down(modifier)
    await page.keyboard.press(key)
    for (const heldKey of held) await page.keyboard.up(heldKey)
  })

/** An automation with two branches, in an editor that is open. */
const editing = Effect.gen(function* () {
  const { browser, service } = yield* Scene
  const { call, ships } = yield* seedApps
  const length = ships.fields.find((one: any) => one.external_id === "length").field_id
  const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
    name: "Ask the pier",
    trigger: { type: "record_created", config: {} },
    actions: steps(length)
  })
  const tab = yield* openConsoleTab(browser)
  const address = `${service.origin}/console/automations/${automation.id}/edit`
  yield* openSignedIn(tab, address, "Harbor Works")
  yield* opened(tab.page, "Edit Ask the pier")
  const read = Effect.map(call("GET", `/automation/${automation.id}`), (answer: any) => answer.automation)
  return { address, automation, browser, call, page: tab.page, read, ships, tab }
})

layer(SharedScene, { excludeTestServices: true })("the editor of automations", (it) => {
  it.effect("every kind of form is sound to axe, on a phone, in both themes", () =>
    Effect.gen(function* () {
      const { address, browser, page, tab } = yield* editing
      const { service } = yield* Scene
      const cookies = yield* promise(() => page.browserContext().cookies())
      const heading = "Edit Ask the pier"
      yield* judged(browser, { address, heading, name: "editor", cookies })
      for (const step of ["is-long", "pdf", "call"])
        yield* judged(browser, { address, heading, name: `editor-${step}`, cookies, step })
      yield* judged(browser, {
        address: `${service.origin}/console/automations/new`,
        heading: "New automation",
        name: "automation-new",
        cookies
      })
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("steps are moved through branches, duplicated, deleted, copied to another automation, undone", () =>
    Effect.gen(function* () {
      const { page, read, tab } = yield* editing
      const initialCards = ["is-long", "pdf", "mail", "note", "call"]
      yield* cardsAre(page, initialCards)
      yield* choose(page, "mail")
      yield* keys(page, "ArrowUp", "Alt")
      yield* cardsAre(page, ["is-long", "mail", "pdf", "note", "call"])
      yield* keys(page, "ArrowRight", "Alt")
      yield* cardsAre(page, ["is-long", "pdf", "mail", "note", "call"])
      yield* keys(page, "ArrowLeft", "Alt")
      yield* cardsAre(page, ["is-long", "pdf", "note", "mail", "call"])
      yield* keys(page, "z", "Control")
      yield* keys(page, "z", "Control")
      yield* keys(page, "z", "Control")
      yield* cardsAre(page, initialCards)
      yield* choose(page, "call")
      yield* keys(page, "d", "Control")
      yield* promise(() => until(page, 'document.querySelectorAll("[data-step]").length === 8'))
      yield* keys(page, "Delete")
      yield* cardsAre(page, initialCards)
      yield* choose(page, "call")
      yield* keys(page, "x", "Control")
      yield* cardsAre(page, ["is-long", "pdf", "mail", "note"])
      yield* choose(page, "note")
      yield* keys(page, "v", "Control")
      yield* promise(() => until(page, 'document.querySelectorAll("[data-step]").length === 7'))
      yield* keys(page, "s", "Control")
      yield* shows(page, "Saved")
      const { actions } = yield* read
      assert.deepStrictEqual(
        actions[0].config.else_action_rows.map(({ config, type }: any) => [type, config.http_call_url ?? null]),
        [
          ["current_record_comment_create", null],
          ["http_call", ["https://harbor.example/ships"]]
        ]
      )
      yield* keys(page, "?")
      yield* shows(page, "Move out of the branch")
      assert.include(yield* cards(page), "note")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("an HTTP step's login, body and further pages are chosen in fields, a secret by its name", () =>
    Effect.gen(function* () {
      const { call, page, read, ships, tab } = yield* editing
      yield* call("POST", `/secret/app/${ships.app_id}`, { name: "harbor_token", value: "tok-7xq3zkwv" })
      const controlWithin = (legend: string, rest: string) => `::-p-xpath(//fieldset[legend[.="${legend}"]]${rest})`
      const select = (selector: string, value: string) =>
        promise(async () => {
          const list = await found(page, selector)
          await list!.select(value)
        })
      const type = (name: string, words: string) =>
        promise(async () => {
          const field = await found(page, `::-p-aria([name="${name}"][role="textbox"])`)
          await field!.type(words)
        })
      yield* choose(page, "call")
      yield* select(`::-p-aria([name="Method"][role="combobox"])`, "post")
      yield* select(controlWithin("Authentication", "//select"), "bearer")
      yield* promise(() => found(page, controlWithin("Authentication", `//option[.="harbor_token"]`)))
      yield* select(controlWithin("Authentication", `//select[option[.="harbor_token"]]`), "harbor_token")
      yield* select(`::-p-aria([name="Body type"][role="combobox"])`, "form")
      yield* press(page, "Add: Form fields")
      yield* promise(async () => {
        const key = await found(page, controlWithin("Form fields", `//input[@type="text"]`))
        await key!.type("berth")
      })
      yield* promise(() => clicked(page, ".panel-form > .rare > summary"))
      yield* select(controlWithin("Pagination", "//select"), "cursor")
      yield* type("Path to the next page or cursor", "data/-1/id")
      yield* type("Cursor parameter", "after")
      yield* press(page, "Save")
      yield* shows(page, "Saved")
      const { config } = (yield* read).actions.at(-1)
      assert.deepInclude(config, {
        http_call_type: "post",
        http_call_authentication: {
          type: "bearer",
          secret: { kind: "variable", source: "secret", name: "harbor_token" }
        },
        http_call_body_type: "form",
        http_call_form: [{ id: "", key: "berth", value: [] }],
        http_call_paging: { type: "cursor", next_path: ["data", -1, "id"], cursor_parameter: "after" }
      })
      yield* select(controlWithin("Authentication", "//select"), "")
      yield* press(page, "Save")
      yield* eventually("left out", read, ({ actions }) => !("http_call_authentication" in actions.at(-1).config))
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "the definition as text is taken over or refused with the place; refusals and warnings stand at their step",
    () =>
      Effect.gen(function* () {
        const { page, read, tab } = yield* editing
        const write = (words: string) =>
          promise(async () => {
            const area = await entered(page, `::-p-aria([name="The definition as YAML"][role="textbox"])`)
            await page.keyboard.down("Control")
            await page.keyboard.press("a")
            await page.keyboard.up("Control")
            // As a paste brings it: typed, each line would be indented as the one before it.
            await area.evaluate((content, pasted) => {
              const clipboardData = new (globalThis as any).DataTransfer()
              clipboardData.setData("text/plain", pasted)
              const paste = { clipboardData, bubbles: true, cancelable: true }
              content.dispatchEvent(new (globalThis as any).ClipboardEvent("paste", paste))
            }, words)
          })
        yield* press(page, "JSON and YAML")
        yield* write("name: Ask\nactions:\n  - type: exit\n")
        yield* press(page, "Apply")
        yield* shows(page, "“actions[0].config” is an object.")
        yield* write("name: [")
        yield* press(page, "Apply")
        yield* shows(page, "at line 1")
        yield* write(
          "name: Ask\ntrigger: null\nactions:\n  - type: send_email\n    id: mail\n    config: {}\n  - type: exit\n    id: ends\n    config: { exit_type: never }\n"
        )
        yield* press(page, "Apply")
        yield* cardsAre(page, ["mail", "ends"])
        yield* press(page, "Save")
        yield* shows(page, "What is wrong is marked in the flow.")
        yield* promise(() => found(page, '[data-step="ends"] .tag.bad'))
        yield* choose(page, "ends")
        yield* promise(() => found(page, ".panel-form .error-line"))
        yield* promise(async () => {
          const list = await found(page, `::-p-aria([name="Outcome"][role="combobox"])`)
          await list!.select("success")
        })
        yield* press(page, "Save")
        yield* promise(() => found(page, '[data-step="mail"] .tag.bad'))
        const { actions, name } = yield* read
        assert.deepStrictEqual([name, actions[1].config.exit_type], ["Ask", "success"])
        yield* press(page, "Publish")
        yield* promise(() => found(page, '[data-step="trigger"] .tag.bad'))
        assert.deepStrictEqual(
          complaintsOf(tab).filter((one) => !/ 40[09] /.test(one)),
          []
        )
      }).pipe(Effect.scoped)
  )

  it.effect("a change that somebody else has saved is met with a choice; leaving keeps the draft", () =>
    Effect.gen(function* () {
      const { automation, call, page, read } = yield* editing
      yield* choose(page, "note")
      yield* keys(page, "Delete")
      yield* call("PUT", `/automation/${automation.id}`, { description: "Theirs." })
      yield* press(page, "Save")
      yield* shows(page, "Somebody else has changed it")
      yield* press(page, "Save mine over it")
      yield* shows(page, "Saved")
      const { actions, description } = yield* read
      assert.deepStrictEqual([description, actions[0].config.else_action_rows], ["Theirs.", []])
      yield* choose(page, "call")
      yield* keys(page, "Delete")
      yield* call("PUT", `/automation/${automation.id}`, { name: "Theirs" })
      yield* press(page, "Save")
      yield* press(page, "Take theirs")
      yield* opened(page, "Edit Theirs")
      yield* cardsAre(page, ["is-long", "pdf", "mail", "call"])
      yield* choose(page, "call")
      yield* keys(page, "Delete")
      yield* shows(page, "Not saved yet, kept in this browser")
      yield* press(page, "Automations", "link")
      yield* opened(page, "Automations")
      yield* promise(() => page.goBack())
      yield* opened(page, "Edit Theirs")
      yield* shows(page, "You left changes here")
      yield* cardsAre(page, ["is-long", "pdf", "mail"])
      yield* press(page, "Discard them")
      yield* cardsAre(page, ["is-long", "pdf", "mail", "call"])
    }).pipe(Effect.scoped)
  )
})
