// docs/console.md, records in real Chromium: a new one, values of every kind, files, relations and periods; the trash and the way back.
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../pages/chromium.ts"
import { SharedScene } from "../pages/sharedScene.ts"
import { clicked, found, until } from "../pages/waiting.ts"
import { callerOfScene, field, seedRecords } from "./consoleSeeds.ts"
import { complaintsOf, fill, judged, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"

/** An app with the types that have editors of their own, and one to point at. */
const seedPapers = Effect.gen(function* () {
  const call = yield* callerOfScene
  const { workspaces } = yield* call("GET", "/workspace/org")
  const { workspace_id } = workspaces[0]
  const harbors = yield* call("POST", "/app", { workspace_id, name: "Harbors", fields: [field("single_text", "Name")] })
  for (const name of ["Bergen", "Bremen", "Cork"])
    yield* call("POST", `/record/app/${harbors.app_id}`, { fields: { name } })
  return yield* call("POST", "/app", {
    workspace_id,
    name: "Voyages",
    item_name: "Voyage",
    fields: [
      field("single_text", "Name", {}, true),
      field("range_date", "Under way", { time: "disabled", end: "enabled" }),
      field("multi_relation", "Calls at", { referenced_apps: [{ app_id: harbors.app_id }] }),
      field("multi_attachment", "Papers"),
      field("multi_text", "Notes")
    ]
  })
})

layer(SharedScene, { excludeTestServices: true })("forms of records in the console", (it) => {
  it.effect("a record is made with a period, related records, files and paragraphs, and read back whole", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const voyages = yield* seedPapers
      const call = yield* callerOfScene
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      const address = `${service.origin}/console/apps/${voyages.app_id}/new`
      yield* openSignedIn(tab, address, "Harbor Works")
      yield* opened(page, "New voyage")
      const cookies = yield* promise(() => page.browserContext().cookies())
      yield* judged(browser, { address, heading: "New voyage", name: "record-new", cookies })
      yield* fill(page, "Name (required)", "Northern round")
      const day = (label: string, value: string) =>
        promise(async () => {
          const input = await found(page, `input[aria-label="${label}"]`)
          await input.evaluate((one, text) => {
            const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(one), "value")!.set!
            setter.call(one, text)
            one.dispatchEvent(new (globalThis as any).Event("input", { bubbles: true }))
          }, value)
        })
      yield* day("Under way, from", "2026-05-01")
      yield* day("Under way, to", "2026-05-09")
      yield* fill(page, "Find Calls at", "ber")
      yield* promise(() => until(page, `document.querySelectorAll("[role=option]").length === 1`))
      yield* promise(() => page.keyboard.press("Enter"))
      yield* fill(page, "Find Calls at", "cork")
      yield* promise(() => until(page, `document.querySelectorAll("[role=option]").length === 1`))
      yield* promise(() => clicked(page, "[role=option]"))
      const path = join(tmpdir(), `papers-${voyages.app_id}.txt`)
      writeFileSync(path, "All in order.")
      yield* promise(async () => {
        const input = await found(page, "input[type=file]")
        await (input as any).uploadFile(path)
      })
      yield* promise(() => found(page, `button[aria-label="Remove papers-${voyages.app_id}.txt"]`))
      yield* fill(page, "Notes", "First <north>.\nThen east.")
      yield* press(page, "Save")
      yield* opened(page, "Northern round")
      const { records } = yield* call("GET", `/record/app/${voyages.app_id}`)
      const values = Object.fromEntries(records[0].fields.map(({ external_id, values }: any) => [external_id, values]))
      assert.deepStrictEqual(
        [values.under_way[0].start_date, values.under_way[0].end_date, values.under_way[0].start_time],
        ["2026-05-01", "2026-05-09", null]
      )
      assert.deepStrictEqual(
        values.calls_at.map(({ value }: any) => value.title),
        ["Bergen", "Cork"]
      )
      assert.strictEqual(values.papers[0].value.size, 13)
      assert.strictEqual(values.notes[0].value, "<p>First &lt;north&gt;.</p><p>Then east.</p>")
      yield* press(page, "Edit Papers")
      yield* press(page, `Remove papers-${voyages.app_id}.txt`)
      yield* press(page, "Save")
      yield* promise(() => found(page, `button[aria-label="Edit Papers"]`))
      yield* press(page, "Edit Calls at")
      yield* press(page, "Remove Bergen")
      yield* press(page, "Save")
      yield* promise(() => found(page, `button[aria-label="Edit Calls at"]`))
      const savedRecord = yield* call("GET", `/record/${records[0].record_id}`)
      const savedValues = Object.fromEntries(
        savedRecord.fields.map(({ external_id, values }: any) => [external_id, values])
      )
      assert.deepStrictEqual([savedValues.papers, savedValues.calls_at.length], [undefined, 1])
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )

  it.effect("a record goes to the trash and comes back, or is destroyed there; a title finds it", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const { call, recordId, ships } = yield* seedRecords
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps/${ships.app_id}`, "Harbor Works")
      yield* opened(page, "Ships")
      yield* fill(page, "Search by title", "THE tern")
      yield* shows(page, "1 record of Ships")
      yield* press(page, "The Tern", "link")
      yield* opened(page, "The Tern")
      yield* press(page, "Delete")
      yield* press(page, "Delete it")
      yield* shows(page, "This record is in the trash")
      yield* press(page, "Ships", "link")
      yield* press(page, "Trash", "link")
      yield* opened(page, "Trash of Ships")
      const cookies = yield* promise(() => page.browserContext().cookies())
      const address = `${service.origin}/console/apps/${ships.app_id}/trash`
      yield* judged(browser, { address, heading: "Trash of Ships", name: "trash", cookies })
      yield* press(page, "Restore The Tern")
      yield* shows(page, "The trash is empty")
      assert.isNull((yield* call("GET", `/record/${recordId}`)).deleted_on)
      yield* call("DELETE", `/record/${recordId}`)
      yield* shows(page, "The Tern")
      yield* press(page, "Destroy The Tern")
      yield* press(page, "Destroy it")
      yield* shows(page, "The trash is empty")
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
