// docs/console.md, automations in real Chromium: found by name, app and state, with how they fare; their versions in words and the way back;
// out as a file and in from one; a log of ten thousand entries.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { ElementHandle } from "puppeteer-core"
import { stringify } from "yaml"
import { eventually } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { saved } from "../pages/saved.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, found, selectIn, typeInto, until } from "../pages/waiting.ts"
import { callerOfScene, seedApps, seedRuns } from "./consoleSeeds.ts"
import {
  choose,
  complaintsOf,
  judged,
  judgedInAllSizes,
  openConsoleTab,
  opened,
  press,
  promise,
  shows
} from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const comment = (id: string, text: string, more: object = {}) => ({
  id,
  type: "current_record_comment_create",
  config: { comment_content: [text] },
  ...more
})

const seedVersions = Effect.gen(function* () {
  const { call, ships } = yield* seedApps
  const { automation } = yield* call("POST", `/automation/app/${ships.app_id}`, {
    name: "Greets the crew",
    trigger: { type: "record_created", config: {} },
    actions: [comment("hello", "Welcome to the harbor.", { custom_name: "Say hello" })]
  })
  yield* call("PUT", `/automation/${automation.id}`, {
    actions: [
      comment("hello", "Ahoy!", { custom_name: "Say hello" }),
      comment("bye", "Safe voyage.", { custom_name: "Say goodbye" })
    ]
  })
  return { call, ships, automation }
})

layer(SharedScene, { excludeTestServices: true })("automations in the console", (it) => {
  it.effect("are found by a part of their name, by app and by state, and say how their runs went", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      yield* seedRuns
      yield* seedVersions
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/automations`, "Harbor Works")
      yield* opened(page, "Automations")
      yield* shows(page, "50 %")
      yield* shows(page, "Never")
      yield* shows(page, "When a record of Ships is created")
      const cards = (n: number) =>
        promise(() => until(page, `document.querySelectorAll("[data-automation]").length === ${n}`))
      yield* cards(2)
      yield* promise(() => typeInto(page, "input[type=search]", "greets"))
      yield* cards(1)
      yield* shows(page, "1 found")
      yield* promise(() => until(page, `new URL(location.href).searchParams.get("name") === "greets"`))
      yield* promise(() => selectIn(page, "select[aria-label=State]", "active"))
      yield* shows(page, "No automation is like that")
      yield* promise(() => page.reload())
      yield* opened(page, "Automations")
      yield* shows(page, "No automation is like that")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("stand in a table that is sorted by column; one is duplicated, several are deleted after a question", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { automation, call, ships } = yield* seedVersions
      for (const name of ["Anchors", "Zones"])
        yield* call("POST", `/automation/app/${ships.app_id}`, {
          name,
          trigger: { type: "webhook_received", config: {} }
        })
      const tab = yield* openConsoleTab(browser, { width: 1440, height: 900 })
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/automations?app=${ships.app_id}`, "Harbor Works")
      yield* opened(page, "Automations")
      const namesAre = (...names: ReadonlyArray<string>) =>
        promise(() =>
          until(
            page,
            (wanted) =>
              JSON.stringify(
                [...(globalThis as any).document.querySelectorAll("td.of-name")].map((one: any) => one.textContent)
              ) === wanted,
            JSON.stringify(names)
          )
        )
      yield* namesAre("Greets the crew", "Anchors", "Zones")
      yield* judgedInAllSizes(page, "automations-table")
      const height = yield* promise(() => page.$eval("tr[data-automation]", (row) => (row as any).offsetHeight))
      assert.isAtMost(height, 40)
      yield* press(page, "Name")
      yield* namesAre("Anchors", "Greets the crew", "Zones")
      yield* press(page, "Name")
      yield* namesAre("Zones", "Greets the crew", "Anchors")
      yield* press(page, "Actions of Greets the crew")
      yield* promise(() => page.keyboard.press("Escape"))
      yield* promise(() => until(page, "document.activeElement.ariaLabel === 'Actions of Greets the crew'"))
      yield* press(page, "Actions of Greets the crew")
      yield* press(page, "Activate", "menuitem")
      yield* eventually(
        "it is active",
        call("GET", `/automation/${automation.id}`),
        (answer: any) => answer.automation.status === "active"
      )
      yield* press(page, "Actions of Greets the crew")
      yield* press(page, "Duplicate", "menuitem")
      yield* promise(() => until(page, `location.pathname.endsWith("/edit")`))
      yield* promise(() => page.goto(`${service.origin}/console/automations?app=${ships.app_id}`))
      yield* promise(() => until(page, `document.querySelectorAll("[data-automation]").length === 4`))
      yield* press(page, "Select Anchors", "checkbox")
      yield* press(page, "Select Zones", "checkbox")
      yield* shows(page, "2 selected")
      yield* press(page, "Delete")
      yield* shows(page, "Delete 2 automations?")
      yield* promise(() => clicked(page, "dialog .danger"))
      yield* shows(page, "2 deleted.")
      yield* promise(() => until(page, `document.querySelectorAll("[data-automation]").length === 2`))
      yield* promise(() => page.goto(`${service.origin}/console/automations/${automation.id}`))
      yield* opened(page, "Greets the crew")
      yield* press(page, "More")
      yield* press(page, "Delete", "menuitem")
      yield* shows(page, "Delete Greets the crew?")
      yield* promise(() => clicked(page, "dialog .danger"))
      yield* opened(page, "Automations")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("tell what each version changed, step by step, who saved it, and bring one back after a question", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { automation, call } = yield* seedVersions
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/automations/${automation.id}`, "Harbor Works")
      yield* opened(page, "Greets the crew")
      yield* press(page, "Its versions", "link")
      yield* opened(page, "Versions")
      yield* shows(page, "What version 2 changed")
      yield* shows(page, "“Say hello” was changed")
      yield* shows(page, "Comment: Welcome to the harbor.")
      yield* shows(page, "Comment: Ahoy!")
      yield* shows(page, "“Say goodbye” was added")
      yield* shows(page, "Harbor Owner")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* judged(browser, { address: page.url(), heading: "Versions", name: "versions", cookies })
      yield* press(page, "Version 1", "link")
      yield* shows(page, "It is the first one, with one step.")
      yield* press(page, "Restore this version")
      yield* shows(page, "Restore version 1?")
      yield* press(page, "Restore it")
      yield* shows(page, "What version 3 changed")
      yield* shows(page, "“Say goodbye” was removed")
      yield* call("PUT", `/automation/${automation.id}`, { name: "Greets everybody" })
      yield* promise(() => page.goto(`${service.origin}/console/automations/${automation.id}/revisions?version=4`))
      yield* choose(page, "Compare version 4 with", "Version 2")
      yield* opened(page, "Versions")
      yield* shows(page, "From version 2 to version 4")
      yield* shows(page, "“Say hello” was changed")
      const savedAutomation = (yield* call("GET", `/automation/${automation.id}`)).automation
      assert.deepStrictEqual([savedAutomation.version, savedAutomation.actions.length], [4, 1])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("say that their owner is lost, and are taken over with one press (decisions A20)", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const sql = yield* SqlClient.SqlClient
      const { automation, call } = yield* seedVersions
      const { user_id } = yield* call("POST", "/org/user", {
        ...{ name: "Gone", email: `gone-${automation.id}@example.com`, role: "member", skip_invitation: true }
      })
      yield* sql`UPDATE automations SET owner_id = ${user_id} WHERE automation_id = ${automation.id}`
      yield* sql`UPDATE automation_revisions SET author_id = ${user_id} WHERE automation_id = ${automation.id}`
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const address = `${service.origin}/console/automations/${automation.id}`
      yield* openSignedIn(tab, address, "Harbor Works")
      yield* opened(page, "Greets the crew")
      yield* shows(page, "Its owner is no longer an admin of this workspace, so it cannot run.")
      yield* promise(() => page.goto(`${address}/edit`))
      yield* shows(page, "Save it to become its owner")
      yield* press(page, "Save as its owner")
      yield* promise(() => until(page, `!document.body.innerText.includes("Save it to become its owner")`))
      const savedAutomation = (yield* call("GET", `/automation/${automation.id}`)).automation
      assert.notStrictEqual(savedAutomation.owner_id, user_id)
      assert.strictEqual(savedAutomation.version, automation.version + 2)
      // The browser itself tells of an answer of 409.
      assert.deepStrictEqual(
        complaintsOf(tab).filter((one) => !JSON.stringify(one).includes("409")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.effect("go out as a file, and come in from one: what it would make or what is missing is said first", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { automation, call } = yield* seedVersions
      const folder = mkdtempSync(join(tmpdir(), "millrace-files-"))
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/automations/${automation.id}`, "Harbor Works")
      yield* opened(page, "Greets the crew")
      const file = JSON.parse(yield* saved(page, "Greets the crew.json", press(page, "Export")))
      assert.deepStrictEqual([file.portable, file.name], [2, "Greets the crew"])

      const choose = (name: string, text: string) =>
        promise(async () => {
          writeFileSync(join(folder, name), text)
          const input = (await found(page, "input[type=file]")) as ElementHandle<any>
          await input.uploadFile(join(folder, name))
        })
      yield* promise(() => page.goto(`${service.origin}/console/automations/import`))
      yield* opened(page, "Import an automation")
      yield* choose("bad.json", "{")
      yield* shows(page, "The file is neither JSON nor YAML")
      yield* choose("lacking.json", JSON.stringify({ ...file, key: "other", app: { $app: "nowhere" } }))
      yield* shows(page, "What is missing here")
      yield* shows(page, "there is no app")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* judged(browser, { address: page.url(), heading: "Import an automation", name: "import", cookies })
      yield* choose("copy.yaml", stringify({ ...file, key: "other", name: "Greets twice" }))
      yield* shows(page, "What it would make")
      yield* shows(page, "The automation “Greets twice” with 2 steps")
      yield* press(page, "Import it")
      yield* opened(page, "Greets twice")
      const { automations } = yield* call("GET", "/automation/org?name=greets%20twice")
      assert.deepStrictEqual([automations.length, automations[0].status], [1, "draft"])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a run's log of 10,000 entries is drawn as far as it is seen, asked for as it is scrolled; secrets are marked",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { browser, service } = yield* Scene
        const { failed } = yield* seedRuns
        const call = yield* callerOfScene
        yield* sql`
        INSERT INTO run_logs (run_id, seq, type, status, label, messages, action_id, detail, logged_on)
        SELECT ${failed}, 10 + n, 'action', 'success', 'Entry ' || n, '[{"message":"Sent with •••","level":"info"}]', 'a',
          '{"inputs":{"address":"https://pier.example/?key=•••"},"outputs":{},"attempts":1,"duration_ms":4}', now()
        FROM generate_series(1, 10000) n`
        const { total } = yield* call("GET", `/automation-run/${failed}/log?limit=1`)
        assert.strictEqual(total, 10_003)
        const tab = yield* openConsoleTab(browser)
        const { page } = tab
        yield* openSignedIn(tab, `${service.origin}/console/runs`, "Harbor Works")
        yield* opened(page, "Runs")
        const from = performance.now()
        yield* promise(() => clicked(page, `a[href$="/runs/${failed}"]`))
        yield* shows(page, "Entry 3")
        if (process.env["SCREENSHOTS"] !== undefined)
          console.log(`open within ${Math.round(performance.now() - from)} ms`)
        yield* promise(() => found(page, ".hidden-secret"))
        const drawn = promise(() => page.$$eval(".step", (all) => all.length))
        assert.isBelow(yield* drawn, 60)
        yield* promise(() =>
          until(
            page,
            `scrollTo(0, document.body.scrollHeight),
          [...document.querySelectorAll(".step h3")].some((one) => one.textContent === "Entry 1000")`
          )
        )
        assert.isBelow(yield* drawn, 60)
        assert.deepStrictEqual(complaintsOf(tab), [])
      }).pipe(Effect.scoped)
  )
})
