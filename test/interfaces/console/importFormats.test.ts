// docs/console.md, the import of a CSV file that is not Unicode, has semicolons between its cells and times of a zone: how it is read is
// shown before anything is written; the export carries the zone, and is imported as what it was.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../pages/chromium.ts"
import { saved } from "../pages/saved.ts"
import { clicked } from "../pages/waiting.ts"
import { callerOfScene, field } from "./consoleSeeds.ts"
import { complaintsOf, judgedAsItIs, openConsoleTab, opened, press, promise, shows } from "./consoleTab.ts"
import { openSignedIn } from "./signedIn.ts"
import { runningScene } from "./tasks/buildScene.ts"

layer(runningScene, { excludeTestServices: true })("an import of other formats", (it) => {
  it.effect("says how the file is read, and an export of it comes back as it was", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      const { workspaces } = yield* call("GET", "/workspace/org")
      const options = ["red; or so", "blue"].map((text) => ({ text }))
      const app = (name: string) =>
        call("POST", "/app", {
          workspace_id: workspaces[0].workspace_id,
          name,
          item_name: "Ship",
          fields: [
            field("single_text", "Name", {}, true),
            field("single_date", "Day"),
            field("single_date", "Arrives", { time: "enabled" }),
            field("multi_category", "Colors", { options }),
            field("multi_phone", "Phone")
          ]
        })
      const ships = yield* app("Ships")
      const rows = [
        "Name;Day;Arrives;Colors;Phone",
        'Grünfink;1.4.2026;2026-04-01T23:30:15+02:00;"""red; or so""; blue";mobile: +43 1',
        "'=1+1;Jun 12 1998;2026-04-01 9:05 PM;;",
        "Auk;Room 5;;;",
        "Gull;;Feb 30 2026;;",
        "Tern;;;;;beyond"
      ]
      const folder = mkdtempSync(join(tmpdir(), "ships-"))
      const path = join(folder, "ships.csv")
      writeFileSync(path, Buffer.from(rows.join("\r\n"), "latin1"))
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* promise(() => page.emulateTimezone("Asia/Kathmandu"))
      const choose = (file: string) =>
        promise(async () => {
          const [chooser] = await Promise.all([page.waitForFileChooser(), clicked(page, "input[type=file]")])
          await chooser.accept([file])
        })
      yield* openSignedIn(tab, `${service.origin}/console/apps/${ships.app_id}/import`, "Harbor Works")
      yield* opened(page, "Import into Ships")
      yield* choose(path)
      yield* shows(page, "Grünfink")
      const chosenFormats = yield* promise(() =>
        page.$$eval("section[aria-label=Format] select", (all) => all.map((one) => one.selectedOptions[0]?.textContent))
      )
      assert.deepStrictEqual(chosenFormats.slice(0, 2), ["Western European (windows-1252)", "Semicolon"])
      yield* shows(page, "1 of the first 5 rows would be left out")
      yield* promise(() => page.$$eval("details", (all) => all.map((one) => one.setAttribute("open", ""))))
      yield* shows(page, "Line 4: “Room 5” is no date")
      yield* shows(page, "Line 5: “Feb 30 2026” is no date")
      yield* shows(page, "Line 6: it has 6 cells where the first line names 5")
      yield* judgedAsItIs(page, "import-formats")
      yield* press(page, "Import")
      yield* shows(page, "4 records created, 1 row left out, 2 values left empty.")
      yield* shows(page, "Download the rows that were left out")
      yield* press(page, "Open records", "link")
      yield* opened(page, "Ships")
      yield* shows(page, "Grünfink")

      const csv = yield* saved(page, "Ships.csv", press(page, "Export CSV"))
      assert.include(csv, "2026-04-02T03:15:15+05:45")
      const copies = yield* app("Copies")
      yield* promise(() => page.goto(`${service.origin}/console/apps/${copies.app_id}/import`))
      yield* opened(page, "Import into Copies")
      const exported = join(folder, "exported.csv")
      writeFileSync(exported, csv)
      yield* choose(exported)
      yield* press(page, "Import")
      yield* press(page, "Open records", "link")
      yield* opened(page, "Copies")
      const valuesOf = (app_id: number) =>
        Effect.map(call("GET", `/record/app/${app_id}?sort_by=name`), ({ records }) =>
          records.map(({ fields }: any) =>
            fields.map(({ values }: any) => values.map((one: any) => one.start ?? one.value.text ?? one.value))
          )
        )
      assert.deepStrictEqual(yield* valuesOf(ships.app_id), [
        [["=1+1"], ["1998-06-12 00:00:00"], ["2026-04-01 21:05:00"]],
        [["Auk"]],
        [["Grünfink"], ["2026-04-01 00:00:00"], ["2026-04-01 21:30:15"], ["red; or so", "blue"], ["+43 1"]],
        [["Gull"]]
      ])
      assert.deepStrictEqual(yield* valuesOf(copies.app_id), yield* valuesOf(ships.app_id))
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
