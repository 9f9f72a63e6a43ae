// docs/console.md, "Twelve tasks": import the public data set of 3,201 rows (movies of vega-datasets), as CSV, with rows among them that are
// refused; stop it and go on without anything doubled; and take it out again as CSV.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import Papa from "papaparse"
import { eventually } from "../../../support/eventually.ts"
import { Scene, sceneWith } from "../../pages/chromium.ts"
import { saved } from "../../pages/saved.ts"
import { callerOfScene, field } from "../consoleSeeds.ts"
import { complaintsOf, judged, judgedAsItIs, openConsoleTab, opened, promise, shows, signInTo } from "../consoleTab.ts"
import { counting } from "./clicks.ts"

const movies: ReadonlyArray<Record<string, unknown>> = JSON.parse(
  readFileSync(new URL("../../../../node_modules/vega-datasets/data/movies.json", import.meta.url), "utf8")
)
const columns = ["Title", "Release Date", "US Gross", "MPAA Rating", "Director"]
const ratings = [...new Set(movies.map((movie) => movie["MPAA Rating"]).filter((one) => typeof one === "string"))]

layer(sceneWith({ RATE_BUDGET: "1000000" }), { excludeTestServices: true })("an import of 3,201 rows", (it) => {
  it.effect("takes 9 clicks, tells what it refuses, is stopped and taken up again, and comes out as it went in", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      const { workspaces } = yield* call("GET", "/workspace/org")
      const { app_id } = yield* call("POST", "/app", {
        workspace_id: workspaces[0].workspace_id,
        name: "Movies",
        item_name: "Movie",
        fields: [
          field("single_text", "Title", {}, true),
          field("single_date", "Release Date"),
          field("number", "US Gross"),
          field("single_category", "MPAA Rating", { options: ratings.map((text) => ({ text })) }),
          field("single_text", "Director")
        ]
      })
      assert.strictEqual(movies.length, 3_201)
      const untitled = movies.filter((movie) => String(movie["Title"] ?? "").trim() === "").length
      const folder = mkdtempSync(join(tmpdir(), "movies-"))
      const path = join(folder, "movies.csv")
      const bad = { Title: "A “quoted”, two-lined\nname", "US Gross": "a lot", "MPAA Rating": "Unheard of" }
      writeFileSync(
        path,
        Papa.unparse([...movies, bad].map((movie) => columns.map((name) => (movie as any)[name] ?? "")) as any, {})
      )
      writeFileSync(path, `${columns.join(",")}\r\n${readFileSync(path, "utf8")}`)
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* signInTo(tab, `${service.origin}/console`, "Harbor Works")
      yield* opened(page, "Home")
      const { clicks, press, pressAt } = counting(page)
      yield* press("Apps", "link")
      yield* press("Movies", "link")
      yield* press("Import", "link")
      yield* opened(page, "Import into Movies")
      const chooser = page.waitForFileChooser()
      yield* pressAt("input[type=file]")
      yield* promise(async () => (await chooser).accept([path]))
      yield* press("Check the file")
      yield* shows(page, `${(3_201 - untitled).toLocaleString("en-US")} of ${(3_202).toLocaleString("en-US")} rows`)
      assert.strictEqual((yield* call("GET", `/record/app/${app_id}?limit=0`)).total, 0)
      yield* promise(() => page.$eval("details", (details) => details.setAttribute("open", "")))
      yield* shows(page, "US Gross: “a lot” is no number; MPAA Rating: “Unheard of” is no option")
      yield* judgedAsItIs(page, "import-looked")
      yield* press(`Import ${(3_201 - untitled).toLocaleString("en-US")} rows`)
      yield* eventually(
        "some rows to be written",
        call("GET", `/record/app/${app_id}?limit=0`),
        ({ total }: any) => total >= 200
      )
      yield* press("Stop")
      yield* shows(page, "It was stopped.")
      yield* press("Go on")
      yield* press("Open records", "link")
      yield* opened(page, "Movies")
      yield* shows(page, `${(3_201 - untitled).toLocaleString("en-US")} records`)
      assert.strictEqual(clicks(), 9)
      const { records, total } = yield* call("GET", `/record/app/${app_id}?limit=500`)
      assert.strictEqual(total, 3_201 - untitled)
      const lastMovie = movies.at(-1)!
      const valuesById = Object.fromEntries(
        records[0].fields.map(({ external_id, values }: any) => [external_id, values[0]])
      )
      assert.deepStrictEqual(
        [
          valuesById.title.value,
          valuesById.us_gross.value,
          valuesById.release_date.start_date,
          valuesById.mpaa_rating.value.text
        ],
        [
          lastMovie["Title"],
          lastMovie["US Gross"],
          new Date(`${lastMovie["Release Date"]} UTC`).toISOString().slice(0, 10),
          lastMovie["MPAA Rating"]
        ]
      )
      // Neither is a formula to a spreadsheet that opens the file: the text is marked, the number is one.
      yield* call("POST", `/record/app/${app_id}`, { fields: { title: "=1+1", us_gross: -5 } })
      const csv = yield* saved(page, "Movies.csv", press("Export CSV"))
      const { data } = Papa.parse<Array<string>>(csv.replace("\uFEFF", ""), { skipEmptyLines: true })
      assert.deepStrictEqual(data[0], columns)
      assert.strictEqual(data.length, 3_201 - untitled + 2)
      assert.deepStrictEqual(data[1], ["'=1+1", "", "-5", "", ""])
      assert.deepStrictEqual(data[2]![0], lastMovie["Title"])
      const cookies = yield* promise(() => page.browserContext().cookies())
      const address = `${service.origin}/console/apps/${app_id}/import`
      yield* judged(browser, { address, heading: "Import into Movies", name: "import", cookies })
      // The batch that was stopped may still be at its end when it is sent again.
      const isConflict = (one: string) => /status of 409/.test(one)
      assert.deepStrictEqual(
        complaintsOf(tab).filter((one) => !isConflict(one)),
        []
      )
    }).pipe(Effect.scoped)
  )
})
