// docs/console.md, tags of automations in real Chromium: chips in the table, a filter in the address, changed for one and for several, offered
// as they are typed, and changed in the editor at once.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "puppeteer-core"
import { eventually } from "../../support/eventually.ts"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, selectIn, typeInto, until } from "../pages/waiting.ts"
import { seedApps } from "./consoleSeeds.ts"
import { complaintsOf, judgedInAllSizes, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

const seedTagged = Effect.gen(function* () {
  const { call, ships } = yield* seedApps
  const make = (name: string, tags: ReadonlyArray<string>) =>
    Effect.map(
      call("POST", `/automation/app/${ships.app_id}`, { name, tags, trigger: { type: "record_created", config: {} } }),
      ({ automation }: any) => automation.id as number
    )
  const greets = yield* make("Greets the crew", ["Harbor", "Night shift", "Billing"])
  const anchors = yield* make("Anchors", ["Harbor"])
  const zones = yield* make("Zones of a harbor with a name that is too long for any column of this table", [])
  return { call, ships, greets, anchors, zones }
})

const typeTag = (page: Page, label: string, text: string) =>
  promise(async () => {
    await clicked(page, `dialog input[aria-label="${label}"], dialog #${label}`)
    await page.keyboard.type(text)
  })
/** Presses it by mouse: while a list is open, the page around it is hidden from screen readers. */
const saveTags = (page: Page) => promise(() => clicked(page, "dialog button[type=submit]"))
const hasRows = (page: Page, count: number) =>
  promise(() => until(page, `document.querySelectorAll("[data-automation]").length === ${count}`))

layer(SharedScene, { excludeTestServices: true })("tags of automations in the console", (it) => {
  it.effect("are chips and a filter in the address, which is kept on the way back", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { ships } = yield* seedTagged
      const tab = yield* openConsoleTab(browser, { width: 1440, height: 900 })
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/automations?app=${ships.app_id}`, "Harbor Works")
      yield* opened(page, "Automations")
      yield* hasRows(page, 3)
      yield* shows(page, "Night shift")
      yield* judgedInAllSizes(page, "automations-tags")
      yield* press(page, "Night shift", "link")
      yield* hasRows(page, 1)
      yield* promise(() => until(page, `new URL(location.href).searchParams.get("tag") === "Night shift"`))
      yield* promise(() => selectIn(page, "select[aria-label=Tag]", "Harbor"))
      yield* hasRows(page, 2)
      yield* press(page, "Anchors", "link")
      yield* opened(page, "Anchors")
      yield* promise(() => page.goBack())
      yield* opened(page, "Automations")
      yield* hasRows(page, 2)
      assert.strictEqual(yield* promise(() => page.$eval("select[aria-label=Tag]", (one: any) => one.value)), "Harbor")
      // The case does not count in an address.
      yield* promise(() => page.goto(`${service.origin}/console/automations?tag=hARBOR`))
      yield* hasRows(page, 2)
      assert.strictEqual(yield* promise(() => page.$eval("select[aria-label=Tag]", (one: any) => one.value)), "Harbor")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("are changed for one and for several; what somebody else has changed since stays", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { anchors, call, greets, ships, zones } = yield* seedTagged
      const tagsAre = (id: number, tags: ReadonlyArray<string> | undefined) =>
        eventually(
          `the tags of ${id}`,
          call("GET", `/automation/${id}`),
          (answer: any) => JSON.stringify(answer.automation.tags) === JSON.stringify(tags)
        )
      const tab = yield* openConsoleTab(browser, { width: 1440, height: 900 })
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/automations?app=${ships.app_id}`, "Harbor Works")
      yield* opened(page, "Automations")
      yield* hasRows(page, 3)
      yield* press(page, "Actions of Anchors")
      yield* press(page, "Tags", "menuitem")
      yield* shows(page, "Tags of Anchors")
      yield* typeTag(page, "Tags", "ni")
      yield* shows(page, "Night shift")
      yield* judgedInAllSizes(page, "automations-tags-one")
      yield* promise(() => page.keyboard.press("Enter"))
      yield* promise(() => clicked(page, `dialog [aria-label="Remove Harbor"]`))
      // A text that is typed and not chosen is not lost, and is spelled as the others spell it.
      yield* typeTag(page, "Tags", "billing")
      yield* saveTags(page)
      yield* tagsAre(anchors, ["Night shift", "Billing"])
      yield* shows(page, "Billing")

      yield* press(page, "Select Anchors", "checkbox")
      yield* press(page, "Select Greets the crew", "checkbox")
      yield* call("PUT", `/automation/${greets}`, { tags: ["Harbor", "Night shift", "Billing", "Checked"] })
      yield* promise(() => clicked(page, "[role=toolbar] ::-p-text(Tags)"))
      yield* shows(page, "Tags of 2 automations")
      yield* typeTag(page, "Add", "Spring")
      yield* shows(page, "New tag")
      yield* promise(() => page.keyboard.press("Enter"))
      yield* typeTag(page, "Remove", "night")
      yield* promise(() => page.keyboard.press("Enter"))
      yield* judgedInAllSizes(page, "automations-tags-several")
      yield* saveTags(page)
      yield* shows(page, "2 updated.")
      yield* tagsAre(anchors, ["Billing", "Spring"])
      yield* tagsAre(greets, ["Harbor", "Billing", "Checked", "Spring"])

      assert.deepStrictEqual(complaintsOf(tab), [])
      const twentyTags = Array.from({ length: 20 }, (_, n) => `Tag ${n}`)
      yield* call("PUT", `/automation/${zones}`, { tags: twentyTags })
      yield* press(page, "Clear selection")
      yield* press(page, "Select all", "checkbox")
      yield* promise(() => clicked(page, "[role=toolbar] ::-p-text(Tags)"))
      yield* typeTag(page, "Add", "One too many")
      yield* saveTags(page)
      yield* shows(page, "was not updated: Tags: expected at most 20")
      yield* shows(page, "2 updated.")
      yield* tagsAre(zones, twentyTags)
    }).pipe(Effect.scoped)
  )

  it.effect("are changed in the editor at once, beside a draft that is not saved", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { anchors, call } = yield* seedTagged
      const tab = yield* openConsoleTab(browser, { width: 1440, height: 900 })
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/automations/${anchors}/edit`, "Harbor Works")
      yield* opened(page, "Edit Anchors")
      yield* press(page, "Settings")
      yield* promise(() => typeInto(page, "#automation-name", " away"))
      yield* press(page, "Edit tags")
      yield* typeTag(page, "Tags", "Later")
      yield* promise(() => page.keyboard.press("Enter"))
      yield* saveTags(page)
      const { automation } = yield* eventually(
        "the tag is saved",
        call("GET", `/automation/${anchors}`),
        (answer: any) => answer.automation.tags.length === 2
      )
      assert.deepStrictEqual([automation.name, automation.version], ["Anchors", 1])
      yield* shows(page, "Later")
      yield* judgedInAllSizes(page, "editor-tags")
      assert.strictEqual(yield* promise(() => page.$eval("#automation-name", (one: any) => one.value)), "Anchors away")
      yield* promise(() => clicked(page, ".editor-bar ::-p-text(Save)"))
      const savedAutomation = yield* eventually(
        "the draft is saved",
        call("GET", `/automation/${anchors}`),
        (answer: any) => answer.automation.version === 2
      )
      assert.deepStrictEqual(
        [savedAutomation.automation.name, savedAutomation.automation.tags],
        ["Anchors away", ["Harbor", "Later"]]
      )
      yield* promise(() => page.goto(`${service.origin}/console/automations/${anchors}`))
      yield* opened(page, "Anchors away")
      yield* shows(page, "Edit tags")
      yield* judgedInAllSizes(page, "automation-tags")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
