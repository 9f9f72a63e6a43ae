// docs/console.md, "The editor": an automation of six steps is tested with a real record, each step shows what it was given and gave, and a
// condition asks about the variable of an earlier step.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { eventually } from "../../../support/eventually.ts"
import { Scene } from "../../pages/chromium.ts"
import { clicked, found, until } from "../../pages/waiting.ts"
import { seedApps } from "../consoleSeeds.ts"
import { choose, complaintsOf, judgedAsItIs, openConsoleTab, opened, press, promise, shows } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { runningScene } from "../tasks/buildScene.ts"
import { counting } from "../tasks/clicks.ts"

const variable = (more: object) => ({ kind: "variable", ...more })

/** The words of a step's badge on its card, once they are these. */
const badgeIs = (page: Page, id: string, words: string) =>
  promise(() =>
    until(
      page,
      (step, wanted) =>
        (globalThis as any).document.querySelector(`[data-step="${step}"] .tag .unseen`)?.textContent === wanted,
      id,
      words
    )
  )
/** Writes code in place of what an area holds, emptied first: typing over coloured text, Chromium writes styles that the policy refuses. */
const writeCode = (page: Page, label: string, code: string) =>
  promise(async () => {
    await clicked(page, `::-p-aria([name="${label}"][role="textbox"])`)
    await page.keyboard.down("Control")
    await page.keyboard.press("a")
    await page.keyboard.up("Control")
    await page.keyboard.press("Backspace")
    await page.keyboard.type(code)
  })
/** By keyboard: the canvas brings the card that has the focus into view, from wherever it stands. */
const chooseCard = (page: Page, id: string) =>
  promise(async () => {
    await page.focus(`[data-step="${id}"]`)
    await page.keyboard.press("Enter")
    await found(page, `[data-step="${id}"][aria-current=step]`)
  })
/** By keyboard too: cards grow while results come, and what is below them moves. */
const addStep = (page: Page, place: string, kind: string) =>
  promise(async () => {
    const plus = await found(page, `::-p-aria([name="${place}"][role="button"])`)
    await plus.focus()
    await page.keyboard.press("Enter")
    await clicked(page, `::-p-aria([name="${kind}"][role="button"])`)
  })
const treeShows = (page: Page, words: string) =>
  promise(() =>
    until(page, (text) => (globalThis as any).document.querySelector(".step-data")?.textContent.includes(text), words)
  )

layer(runningScene, { excludeTestServices: true })("an automation with data at each step", (it) => {
  it.effect("six steps are built and tested on a record that is found by its title", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedApps
      const { apps } = yield* call("GET", "/app")
      const berths = apps.find((one: any) => one.name === "Berths").app_id
      for (const name of ["North", "South"]) yield* call("POST", `/record/app/${berths}`, { fields: { name } })
      const [, state, length] = ships.fields
      const [expected] = state.config.settings.options
      for (const [name, meters] of [
        ["The Tern", 650],
        ["A later ship", 10]
      ])
        yield* call("POST", `/record/app/${ships.app_id}`, { fields: { name, length: meters, state: expected.id } })
      const lengthReference = variable({ source: "field", field_id: length.field_id, field_type: "number" })
      const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
        name: "Tell the berths",
        trigger: { type: "record_created", config: {} },
        actions: [
          {
            id: "gross",
            type: "custom_variable",
            config: {
              custom_variable_defs: [{ custom_type: "any", label: "Gross" }],
              assignment_code: [lengthReference, " * 2"]
            }
          },
          {
            id: "greeting",
            type: "custom_code",
            config: {
              custom_variable_defs: [{ custom_type: "any", label: "Greeting" }],
              code: ["return { words: 'Ahoy', berth: 4 }"]
            }
          },
          { id: "collect", type: "collect_app_records", config: { app_id: berths, limit: 5, limit_enabled: true } },
          {
            id: "each",
            type: "for_loop",
            config: {
              iterable: variable({ source: "action", action_type: "record_collection", app_id: berths }),
              action_rows: [
                { id: "note", type: "current_record_comment_create", config: { comment_content: ["A berth is free."] } }
              ]
            }
          }
        ]
      })
      const tab = yield* openConsoleTab(browser, { width: 1440, height: 900 })
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/automations/${automation.id}/edit`, "Harbor Works")
      yield* opened(page, "Edit Tell the berths")

      yield* press(page, "Sample: A later ship")
      yield* promise(async () => {
        await found(page, `::-p-aria([name="Find a record"][role="searchbox"])`)
        await page.keyboard.type("The T")
      })
      yield* promise(() => found(page, `::-p-aria([name="The Tern"][role="button"])`))
      yield* judgedAsItIs(page, "editor-sample")
      yield* press(page, "The Tern")
      yield* press(page, "Test all")
      yield* badgeIs(page, "gross", "Done")
      yield* badgeIs(page, "each", "Done")
      yield* badgeIs(page, "note", "Not carried out, 2 items")

      // A condition on the variable of the first step, by what it was in the test.
      yield* addStep(page, "Add a step after Loop", "Condition")
      yield* press(page, "Add a condition")
      yield* choose(page, "Field", "Gross – 1300")
      yield* choose(page, "Condition", "at least")
      yield* writeCode(page, "Value", "1000")
      yield* addStep(page, "Add a step first of Condition", "Comment on current record")
      yield* press(page, "Insert a value: Comment")
      yield* promise(() =>
        until(
          page,
          `[...document.querySelectorAll('.value-item')].some((one) => one.textContent === 'Grossnumber1300')`
        )
      )
      yield* press(page, "Gross")
      yield* press(page, "Test all")
      const { automation: saved } = yield* eventually(
        "the test has saved the branch",
        call("GET", `/automation/${automation.id}`),
        (answer: any) => answer.automation.actions.length === 5
      )
      const branch = saved.actions[4]
      const [row] = branch.config.condition.rows
      assert.strictEqual(row.code[1].label, "Gross")
      assert.deepStrictEqual([row.code[0], row.code[2]], ["(", " ?? NaN) >= (1000)"])
      yield* badgeIs(page, branch.id, "Done")

      yield* chooseCard(page, branch.config.action_rows[0].id)
      yield* press(page, "Input", "tab")
      yield* treeShows(page, "1300")
      yield* chooseCard(page, "greeting")
      yield* press(page, "Output", "tab")
      yield* treeShows(page, "Ahoy")

      // Tested alone, a step finds the values of the test before; results are remembered, and marked once they are old.
      yield* chooseCard(page, "gross")
      yield* press(page, "Test this step")
      yield* treeShows(page, "1300")
      yield* promise(() => page.reload())
      yield* opened(page, "Edit Tell the berths")
      yield* badgeIs(page, "greeting", "Done")
      yield* chooseCard(page, "greeting")
      yield* promise(() => clicked(page, ".panel-form > .rare > summary"))
      yield* promise(() => clicked(page, "label[for=step-continue_on_error]"))
      yield* badgeIs(page, "greeting", "Done, from before your last change")
      yield* badgeIs(page, "gross", "Done")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("a failed run is mended in its canvas and goes on from the failed step, in 4 clicks", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, ships } = yield* seedApps
      const [expected] = ships.fields[1].config.settings.options
      const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
        name: "Weigh the ship",
        trigger: { type: "record_created", config: {} },
        actions: [
          { id: "note", type: "current_record_comment_create", config: { comment_content: ["It comes."] } },
          {
            id: "weigh",
            type: "custom_code",
            custom_name: "Weigh it",
            config: {
              custom_variable_defs: [{ custom_type: "any", label: "Weight" }],
              code: ["return missing.weight"]
            }
          },
          { id: "tell", type: "current_record_comment_create", config: { comment_content: ["It is weighed."] } }
        ]
      })
      yield* call("POST", `/automation/${automation.id}/activate`)
      const { record_id } = yield* call("POST", `/record/app/${ships.app_id}`, {
        fields: { name: "The Tern", state: expected.id }
      })
      const tab = yield* openConsoleTab(browser, { width: 1440, height: 900 })
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/runs`, "Harbor Works")
      yield* opened(page, "Runs")
      yield* shows(page, "missing is not defined")
      const { byMouse, clicks, press: pressCounted } = counting(page)
      yield* pressCounted("Weigh the ship", "link")
      yield* opened(page, "Weigh the ship")
      yield* shows(page, "“Weigh it” failed.")
      yield* pressCounted("Open the step with this run’s data", "link")
      yield* opened(page, "Edit Weigh the ship")
      yield* badgeIs(page, "weigh", "Failed")
      yield* badgeIs(page, "note", "Done")
      yield* promise(() => found(page, `[data-step="weigh"][aria-current="step"]`))
      yield* shows(page, "This step failed")
      yield* judgedAsItIs(page, "editor-failed-run")
      yield* byMouse(writeCode(page, "Code", "return 7"))
      yield* pressCounted("Publish and run from here")
      yield* badgeIs(page, "tell", "Done")
      const { automation_runs } = yield* call("POST", `/automation-run/automation/${automation.id}`, {})
      const [mended, failed] = automation_runs
      assert.deepStrictEqual([mended.status, mended.retry_of_run_id], ["completed", failed.id])
      assert.strictEqual(clicks(), 4)
      // What was done before is not done again.
      const { comments } = yield* call("GET", `/comment/record/${record_id}`)
      assert.deepStrictEqual(comments.map(({ value }: any) => value.replaceAll(/<[^>]*>/g, "")).sort(), [
        "It comes.",
        "It is weighed."
      ])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
