// docs/console.md, what a cell of a CSV file means: a dirty file of 500 rows is imported with nothing refused that a person would accept.
// Amounts with thousands and currency signs, options in another case, a status that is missing, a column that is called otherwise than its
// field, one that becomes a field; then the same file again, by its key.
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Scene } from "../../pages/chromium.ts"
import { callerOfScene, field } from "../consoleSeeds.ts"
import { complaintsOf, judgedAsItIs, openConsoleTab, opened, promise, shows } from "../consoleTab.ts"
import { openSignedIn } from "../signedIn.ts"
import { runningScene } from "./buildScene.ts"
import { counting } from "./clicks.ts"

const ROWS = 500
const amounts = ['"7,749.50"', "€ 44", "44 €", '"$1,000"', "-5", "(12.50)", "1e3"]
const values = [7749.5, 44, 44, 1000, -5, -12.5, 1000]
const stages = ["PAID", "paid", "", " Open ", "open"]
const stageTexts = ["Paid", "Paid", "Open", "Open", "Open"]
const days = ["2026-03-14", '"Mar 14, 2026"', "14.3.2026", "3/14/2026", ""]

layer(runningScene, { excludeTestServices: true })("an import of a dirty file", (it) => {
  it.effect("imports a dirty file of 500 rows with nothing refused that a person would accept", () =>
    Effect.gen(function* () {
      const { browser, service } = yield* Scene
      const call = yield* callerOfScene
      const { workspaces } = yield* call("GET", "/workspace/org")
      const { app_id, fields } = yield* call("POST", "/app", {
        workspace_id: workspaces[0].workspace_id,
        name: "Customers",
        item_name: "Customer",
        fields: [
          field("single_text", "Name", {}, true),
          { field_type: "multi_email", config: { label: "Mail", unique: true } },
          field("number", "Amount", { decimals: 2 }),
          field("status", "Stage", { options: [{ text: "Open" }, { text: "Paid", means_completed: true }] }, true),
          field("single_date", "Since")
        ]
      })
      const rowOf = (at: number) =>
        [
          ...[`Customer ${at}`, `c${at}@x.example`, amounts[at % amounts.length], stages[at % stages.length]],
          ...[days[at % days.length], at % 3 === 0 ? "Wholesale" : "Retail"]
        ].join(",")
      const rows = Array.from({ length: ROWS }, (_, at) => rowOf(at))
      const path = join(mkdtempSync(join(tmpdir(), "dirty-")), "dirty.csv")
      writeFileSync(path, `\uFEFFname,E-mail,AMOUNT,Stage,since,Channel\r\n${rows.join("\r\n")}\r\n`)
      const tab = yield* openConsoleTab(browser)
      const { page } = tab
      yield* openSignedIn(tab, `${service.origin}/console/apps/${app_id}/import`, "Harbor Works")
      yield* opened(page, "Import into Customers")
      const { choose, clicks, press, pressAt } = counting(page)
      const give = Effect.gen(function* () {
        const chooser = page.waitForFileChooser()
        yield* pressAt("input[type=file]")
        yield* promise(async () => (await chooser).accept([path]))
        yield* shows(page, "500 rows")
      })
      yield* give
      const targets = yield* promise(() =>
        page.$$eval("select[aria-label$='goes to']", (all) => all.map((one) => one.selectedOptions[0]?.textContent))
      )
      assert.deepStrictEqual(targets, ["Name", "Mail", "Amount", "Stage", "Since", "Nowhere"])
      // A column without a field becomes one of the type that its values have.
      yield* choose("Channel goes to", "New field (choice)")
      yield* judgedAsItIs(page, "import-dirty")
      yield* promise(() => page.setViewport({ width: 360, height: 740 }))
      yield* judgedAsItIs(page, "import-dirty-phone")
      yield* promise(() => page.setViewport({ width: 1280, height: 800 }))
      yield* press("Import")
      yield* shows(page, "500 records created")
      assert.strictEqual(clicks(), 4)
      assert.deepStrictEqual(yield* promise(() => page.$$eval("details", (all) => all.length)), 0)
      const { records, total } = yield* call("GET", `/record/app/${app_id}?limit=500&sort_by=app_record_id`)
      assert.strictEqual(total, ROWS)
      for (const [at, record] of records.entries()) {
        const entry = (name: string) => record.fields.find(({ external_id }: any) => external_id === name)?.values[0]
        assert.deepStrictEqual(
          [entry("mail").value, entry("amount").value, entry("stage").value.text, entry("since")?.start_date],
          [
            ...[`c${at}@x.example`, values[at % values.length], stageTexts[at % stageTexts.length]],
            at % days.length === 4 ? undefined : "2026-03-14"
          ]
        )
        assert.strictEqual(entry("channel").value.text, at % 3 === 0 ? "Wholesale" : "Retail")
      }
      // The same file again, by its key: nothing is doubled.
      yield* press("Import another file", "link")
      yield* give
      yield* choose("Update by", "Mail")
      yield* press("Import")
      yield* shows(page, "0 records created, 500 updated")
      assert.strictEqual((yield* call("GET", `/record/app/${app_id}?limit=0`)).total, ROWS)
      assert.isTrue(fields.some(({ config }: any) => config.unique))
      assert.deepStrictEqual(complaintsOf(tab), [])
    }).pipe(Effect.scoped)
  )
})
