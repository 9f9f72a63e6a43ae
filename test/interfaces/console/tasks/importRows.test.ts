// docs/console.md, "Tasks": import the public data set of 3,201 rows (movies of vega-datasets), as CSV, with rows among them that
// cannot be records; the import goes on without the page; and take it out again as CSV.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import Papa from "papaparse"
import { Scene } from "../../pages/chromium.ts"
import { saved } from "../../pages/saved.ts"
import { callerOfScene, field } from "../consoleSeeds.ts"
import { complaintsOf, judged, judgedAsItIs, openConsoleTab, opened, promise, shows } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { runningScene } from "./buildScene.ts"
import { counting } from "./clicks.ts"

const movies: ReadonlyArray<Record<string, unknown>> = JSON.parse(
  readFileSync(new URL("../../../../node_modules/vega-datasets/data/movies.json", import.meta.url), "utf8")
)
const columns = ["Title", "Release Date", "US Gross", "MPAA Rating", "Director"]
const ratings = [...new Set(movies.map((movie) => movie["MPAA Rating"]).filter((one) => typeof one === "string"))]

layer(runningScene, { excludeTestServices: true })("an import of 3,201 rows", (it) => {
  it.effect("takes 6 clicks, tells what does not fit, goes on without the page, and comes out as it went in", () =>
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
      yield* openSignedIn(tab, `${service.origin}/console`, "Harbor Works")
      yield* opened(page, "Home")
      const { clicks, press, pressAt } = counting(page)
      yield* press("Apps", "link")
      yield* press("Movies", "link")
      yield* press("Import", "link")
      yield* opened(page, "Import into Movies")
      const chooser = page.waitForFileChooser()
      yield* pressAt("input[type=file]")
      yield* promise(async () => (await chooser).accept([path]))
      yield* shows(page, "the first 500 were looked at")
      assert.strictEqual((yield* call("GET", `/record/app/${app_id}?limit=0`)).total, 0)
      yield* judgedAsItIs(page, "import-looked")
      yield* press("Import")
      yield* shows(page, "It goes on when this page is closed")
      // Another page and back: the import is where it was, whoever looked.
      yield* promise(() => page.reload())
      yield* shows(page, `${(3_202 - untitled).toLocaleString("en-US")} records created`)
      yield* promise(() => page.$eval("details", (details) => details.setAttribute("open", "")))
      yield* shows(page, "Not imported: Title: it needs a value")
      yield* judgedAsItIs(page, "import-over")
      yield* press("Open records", "link")
      yield* opened(page, "Movies")
      yield* shows(page, `${(3_202 - untitled).toLocaleString("en-US")} records`)
      assert.strictEqual(clicks(), 6)
      const { records, total } = yield* call("GET", `/record/app/${app_id}?limit=500`)
      assert.strictEqual(total, 3_202 - untitled)
      assert.deepStrictEqual(
        records[0].fields.filter(({ values }: any) => values.length > 0).map(({ external_id }: any) => external_id),
        ["title"]
      )
      const lastMovie = movies.at(-1)!
      const valuesById = Object.fromEntries(
        records[1].fields.map(({ external_id, values }: any) => [external_id, values[0]])
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
      assert.strictEqual(data.length, 3_202 - untitled + 2)
      assert.deepStrictEqual(data[1], ["'=1+1", "", "-5", "", ""])
      assert.deepStrictEqual(data[3]![0], lastMovie["Title"])
      const cookies = yield* promise(() => page.browserContext().cookies())
      const address = `${service.origin}/console/apps/${app_id}/import`
      yield* judged(browser, { address, heading: "Import into Movies", name: "import", cookies })
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
