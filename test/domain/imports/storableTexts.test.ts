// developer-api.md 4.2: characters that the database cannot hold (U+0000, half of a surrogate pair) are bad cells, wherever they stand: they
// hold up no import.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { as, createApp, field } from "../../support/records.ts"
import { jobsLayer } from "../jobs/jobSupport.ts"
import { carryOut, importSetting, upload } from "./importSupport.ts"

const nul = (field: string) => `${field}: “a\ufffdb” contains the character U+0000`

layer(jobsLayer, { excludeTestServices: true })("developer-api.md 4.2: texts that cannot be stored", (it) => {
  it.effect("are reported with their line; the rows beside them are imported", () =>
    Effect.gen(function* () {
      const { app, owner, workspaceId } = yield* importSetting
      const call = as(owner)
      const { app_id } = yield* createApp(owner, workspaceId, [
        field("single_text", "Name"),
        field("single_text", "Code", undefined, { unique: true }),
        field("number", "Amount"),
        field("single_relation", "Order", { referenced_apps: [{ app_id: app.app_id }] }),
        field("single_user", "Owner"),
        field("single_category", "Kind", { options: [{ text: "Retail" }] }),
        field("multi_phone", "Phone"),
        field("multi_link", "Site")
      ])
      const bad = "a\0b"
      const cut = `${"x".repeat(79)}😀`
      const csv = [
        "Name,Code,Amount,Order,Owner,Kind,Phone,Site,No\0te",
        `${bad},1,,,,,,,`,
        "Ada,2,,,,Whole,,,",
        `Bob,${bad},,,,,,,`,
        `Cem,3,${bad},,,,,,`,
        `Dan,4,,${bad},,,,,`,
        `Eva,5,,,${bad},,,,`,
        `Fay,6,,,,${bad},,,`,
        `Gus,7,,,,,"[{""phone"":""1\\u00002""}]","[{""url"":""https://x.example/\\u0000""}]",`,
        `Hal,8,,,,,,,${bad}`,
        `Ida,9,,,,,,,,${cut}`,
        `Jan,10,,,,,"[{""phone"":""1"",""type"":""\\u0000""}]",,`,
        "Kim,11,,,,,,,"
      ].join("\n")
      const path = `/v1/record/app/${app_id}/import`
      const body = { create_missing_options: true, update_by: [] }
      const preview = yield* call("POST", `${path}/preview`, { file_id: yield* upload(owner.key, csv), ...body })
      assert.strictEqual(preview.status, 200, preview.text)
      assert.strictEqual(preview.json.columns[8].column, "No\ufffdte")
      const startReply = yield* call("POST", path, { file_id: yield* upload(owner.key, csv), ...body })
      assert.strictEqual(startReply.status, 202, startReply.text)
      yield* carryOut(startReply.json.job_id)
      const { counts, report, status } = (yield* call("GET", `/v1/job/${startReply.json.job_id}`)).json
      assert.strictEqual(status, "completed")
      const messageByLine = Object.fromEntries(report.map(({ id, message }: any) => [id, message]))
      const stray = `it has 10 cells where the first line names 9; “${"x".repeat(79)}\ufffd…” is in none of the columns`
      assert.deepStrictEqual(
        { ...messageByLine, 9: "", 12: "" },
        {
          ...{ 2: `Left empty: ${nul("Name")}`, 4: `Left empty: ${nul("Code")}`, 5: `Left empty: ${nul("Amount")}` },
          ...{ 6: `Left empty: ${nul("Order")}`, 7: `Left empty: ${nul("Owner")}`, 8: `Left empty: ${nul("Kind")}` },
          ...{ 9: "", 11: `Not imported: ${stray}`, 12: "" }
        }
      )
      assert.match(messageByLine[9], /^Left empty: Phone: .*cannot be stored; Site: /)
      assert.match(messageByLine[12], /^Left empty: Phone: /)
      assert.deepStrictEqual(counts, { created: 11, skipped: 1, cells_left_empty: 9, options_added: 1 })
    })
  )

  it.effect("in a key by which records are updated and in the encoding UTF-16 hold nothing up", () =>
    Effect.gen(function* () {
      const { fieldIds, imported } = yield* importSetting
      const keyed = yield* imported("Name,Mail\nAda,a\0@x.example\nBob,b@x.example\n", {
        update_by: [fieldIds["mail"]]
      })
      assert.deepStrictEqual([keyed.status, keyed.counts], ["completed", { created: 2, cells_left_empty: 1 }])
      const halves = Buffer.from(`\ufeffName\nA\ud83d\nBob\n`, "utf16le")
      const wide = yield* imported(halves)
      assert.deepStrictEqual([wide.status, wide.counts], ["completed", { created: 1, skipped: 1 }])
      assert.match(wide.report[0].message, /it is not in the encoding Unicode \(UTF-16/)
    })
  )
})
