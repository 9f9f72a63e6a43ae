// docs/console.md, the import of a CSV file: related records are named by title or id; what is missing or not clear is told before anything is
// written, and left empty.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import Papa from "papaparse"
import { Scene } from "../pages/chromium.ts"
import { clicked } from "../pages/waiting.ts"
import { callerOfScene, field } from "./consoleSeeds.ts"
import { complaintsOf, judgedAsItIs, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"
import { runningScene } from "./tasks/buildScene.ts"

layer(runningScene, { excludeTestServices: true })("an import with related records", (it) => {
  it.effect("names them by title or id; those that are missing or not clear are left empty with the reason", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      const { workspaces } = yield* call("GET", "/workspace/org")
      const { workspace_id } = workspaces[0]
      const app = (name: string, fields: ReadonlyArray<object>) =>
        call("POST", "/app", { workspace_id, name, item_name: name.slice(0, -1), fields })
      const berths = yield* app("Berths", [field("single_text", "Name")])
      const referenced = { referenced_apps: [{ app_id: berths.app_id }] }
      const ships = yield* app("Ships", [
        field("single_text", "Name", {}, true),
        field("single_relation", "Berth", referenced),
        field("multi_relation", "Also at", referenced),
        field("single_attachment", "Papers")
      ])
      const berth = (name: string) =>
        Effect.map(
          call("POST", `/record/app/${berths.app_id}`, { fields: { name } }),
          (made) => made.record_id as number
        )
      const north = yield* berth("North; by the mole")
      const south = yield* berth("South")
      const twin = yield* berth("Twin")
      const other = yield* berth("Twin")
      const rows = [
        ["Name", "Berth", "Also at", "Papers"],
        ["Tern", "north; by the mole", "South; south", "papers.pdf"],
        ["Gull", String(south), `South; ${twin}`, ""],
        ["Auk", "", "", ""],
        ["Skua", "West", "", ""],
        ["Knot", "South", "Twin", ""]
      ]
      const path = join(mkdtempSync(join(tmpdir(), "ships-")), "ships.csv")
      writeFileSync(path, Papa.unparse(rows))

      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps/${ships.app_id}/import`, "Harbor Works")
      yield* opened(page, "Import into Ships")
      yield* promise(async () => {
        const [chooser] = await Promise.all([page.waitForFileChooser(), clicked(page, "input[type=file]")])
        await chooser.accept([path])
      })
      yield* shows(page, "Files are not imported")
      const goesTo = yield* promise(() =>
        page.$$eval("select[aria-label$='goes to']", (all) => all.map((one) => one.selectedOptions[0]?.textContent))
      )
      assert.deepStrictEqual(goesTo, ["Name", "Berth", "Also at", "Nowhere"])
      yield* promise(() => page.$$eval("details", (all) => all.map((one) => one.setAttribute("open", ""))))
      yield* shows(page, "Line 5: “West” is no record that it can point to")
      yield* shows(page, `Line 6: “Twin” is the title of several records; name one by its id, such as ${other}`)
      yield* judgedAsItIs(page, "import-related")
      assert.strictEqual((yield* call("GET", `/record/app/${ships.app_id}?limit=0`)).total, 0)

      yield* press(page, "Import")
      yield* press(page, "Open records", "link")
      yield* opened(page, "Ships")
      const { records } = yield* call("GET", `/record/app/${ships.app_id}?sort_by=name`)
      const related = (record: any, name: string) =>
        (record.fields.find(({ external_id }: any) => external_id === name)?.values ?? []).map(
          ({ value }: any) => value.record_id
        )
      assert.deepStrictEqual(
        records.map((record: any) => [record.title, related(record, "berth"), related(record, "also_at")]),
        [
          ["Auk", [], []],
          ["Gull", [south], [south, twin]],
          ["Knot", [south], []],
          ["Skua", [], []],
          ["Tern", [north], [south]]
        ]
      )
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
