// developer-api.md 4.2: the preview of an import tells by column what would become of the first rows, and writes nothing; files by URL.
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { makeImportSources } from "../../../src/domain/imports/importSources.ts"
import { Outbound } from "../../../src/platform/outbound/Outbound.ts"
import type { OutboundRequest, OutboundResponse } from "../../../src/platform/outbound/requests.ts"
import { callerOf } from "../../support/records.ts"
import { jobsLayer } from "../jobs/jobSupport.ts"
import { importSetting } from "./importSupport.ts"

layer(jobsLayer, { excludeTestServices: true })("developer-api.md 4.2: previews of imports", (it) => {
  it.effect("name the field, the type and what does not fit of each column, and how the file is read", () =>
    Effect.gen(function* () {
      const { fieldIds, preview, records } = yield* importSetting
      const csv = [
        "Name;E-mail;Amount;Due;Kind;Site",
        "Ada;ada@x.example;1.234,50;31/12/2026;Retail;https://x.example",
        "Bob;nobody;7,5;1/2/2026;Wholesale;https://y.example",
        "Cem;;viel;;;"
      ].join("\r\n")
      const answer = yield* preview(Buffer.from(csv, "latin1"))
      assert.strictEqual(answer.status, 200, answer.text)
      const { columns, format, problems, rows, rows_estimated, rows_skipped } = answer.json
      assert.deepStrictEqual(format, {
        ...{ encoding: "utf-8", separator: ";", decimal: ",", day_first: true, time_zone: "UTC" }
      })
      assert.deepStrictEqual(
        { problems, rows, rows_estimated, rows_skipped },
        { problems: [], rows: 3, rows_estimated: 3, rows_skipped: 0 }
      )
      assert.deepStrictEqual(
        columns.map((one: any) => [one.column, one.field_id, one.guessed_type, one.fits, one.empty, one.misfits]),
        [
          ["Name", fieldIds["name"], "single_text", 3, 0, 0],
          ["E-mail", fieldIds["mail"], "single_text", 1, 1, 1],
          ["Amount", fieldIds["amount"], "single_text", 2, 0, 1],
          ["Due", fieldIds["due"], "single_date", 2, 1, 0],
          ["Kind", fieldIds["kind"], "single_text", 1, 1, 1],
          ["Site", null, "multi_link", 2, 1, 0]
        ]
      )
      assert.deepStrictEqual(columns[1].problems, [
        { line: 3, value: "nobody", message: "“nobody” is no email address" }
      ])
      assert.deepStrictEqual(columns[4].missing_options, ["Wholesale"])
      assert.deepStrictEqual(yield* records, [])
    })
  )

  it.effect(
    "tell what the import does: of options that cannot be added, of lines that are none, and long cells in brief",
    () =>
      Effect.gen(function* () {
        const { begin, imported, preview, records } = yield* importSetting
        const long = "x".repeat(600)
        const csv = `Name,Kind,Amount\nAda,Wholesale,1\nBob,${long},2\nCem,Retail,${long}\n`
        const body = { create_missing_options: true }
        const { columns } = (yield* preview(csv, body)).json
        assert.deepStrictEqual([columns[1].fits, columns[1].misfits, columns[1].missing_options], [2, 1, ["Wholesale"]])
        const quote = `“${"x".repeat(80)}…”`
        assert.deepStrictEqual(
          columns.flatMap(({ problems }: any) => problems.map(({ line, message }: any) => [line, message])),
          [
            [3, `${quote} is no option`],
            [4, `${quote} is no number`]
          ]
        )
        const job = yield* imported(csv, body)
        assert.deepStrictEqual(job.counts, { created: 3, cells_left_empty: 2, options_added: 1 })
        assert.deepStrictEqual(job.report, [
          { id: "3", message: `Left empty: Kind: ${quote} is no option` },
          { id: "4", message: `Left empty: Amount: ${quote} is no number` }
        ])

        const recordCount = (yield* records).length
        const endless = `Name,Amount\nAda,1\n${"y".repeat(5_000_000)}\nBob,2\n`
        const refusal = "file_id: Line 3 is longer than 4 MB; the file is none of rows."
        for (const answer of [yield* preview(endless), yield* begin(endless)])
          assert.deepStrictEqual([answer.status, answer.json.error_message], [400, refusal])
        assert.strictEqual((yield* records).length, recordCount)
      })
  )

  it.effect("keep what is chosen; an upload is previewed often and imported once", () =>
    Effect.gen(function* () {
      const { call, fieldIds, path, uploaded } = yield* importSetting
      const file_id = yield* uploaded("Name,Sum\nAda,1.234\n")
      const body = { file_id, columns: [{ column: 2, field_id: fieldIds["amount"] }], format: { decimal: "," } }
      for (const _ of [1, 2]) {
        const { columns, format } = (yield* call("POST", `${path}/preview`, body)).json
        assert.deepStrictEqual([columns[1].field_id, format.decimal], [fieldIds["amount"], ","])
      }
      assert.strictEqual((yield* call("POST", path, body)).status, 202)
      const secondPreview = yield* call("POST", path, body)
      assert.strictEqual(secondPreview.status, 400)
      assert.include(secondPreview.text, "file_id: no temporary file")
    })
  )

  it.effect("refuse with the place what cannot be: no file, two files, an address that is private or not https", () =>
    Effect.gen(function* () {
      const { call, fieldIds, path, preview } = yield* importSetting
      const messageOf = (body: object) =>
        Effect.map(
          call("POST", `${path}/preview`, body),
          ({ json, status }) => `${status} ${json.error_message ?? json.message ?? JSON.stringify(json)}`
        )
      assert.match(yield* messageOf({}), /^400 .*file_id: name a file or a url, one of them/)
      assert.match(yield* messageOf({ url: "http://example.com/x.csv" }), /^400 .*url: .*https/)
      assert.match(yield* messageOf({ url: "https://127.0.0.1/x.csv" }), /^400 .*url: /)
      const messageOfFile = (body: object) =>
        Effect.map(preview("Name\nAda\n", body), ({ status, text }) => `${status} ${text}`)
      assert.match(yield* messageOfFile({ update_by: [fieldIds["name"]] }), /^400 .*update_by\[0\]/)
      assert.match(yield* messageOfFile({ format: { time_zone: "Mars" } }), /^400 .*format.time_zone/)
      assert.match(yield* messageOfFile({ columns: [{ column: 9, field_id: null }] }), /^400 .*columns\[0\].column/)
    })
  )

  it.effect("take a file by its address, over https and within bounds, and keep it like an upload", () =>
    Effect.gen(function* () {
      const { call, owner, path } = yield* importSetting
      const requests: Array<OutboundRequest> = []
      const answerWith =
        (status: number): Outbound["Service"]["request"] =>
        (request) =>
          Effect.sync(() => {
            requests.push(request)
            const headers = { "content-disposition": 'attachment; filename="list.csv"' }
            const body = Buffer.from("Name\nAda\n")
            return {
              status,
              url: request.url,
              method: "GET",
              headers,
              cookies: [],
              body
            } as unknown as OutboundResponse
          })
      const sourcesWith = (status: number) =>
        Effect.flatMap(Outbound, (outbound) =>
          makeImportSources.pipe(Effect.provideService(Outbound, { ...outbound, request: answerWith(status) }))
        )
      const caller = callerOf(owner)
      const url = "https://files.example/100%.csv"
      const file = yield* (yield* sourcesWith(200)).open(caller, { url })
      assert.deepStrictEqual([file.name, file.size], ["list.csv", 9])
      assert.deepInclude(requests[0]!.policy, { secure: true, overrun: "fail", maxBytes: 25 * 1024 * 1024 })
      const preview = yield* call("POST", `${path}/preview`, { file_id: file.temporary_id })
      assert.deepStrictEqual(preview.json.columns[0].samples, ["Ada"])
      const refusal = yield* Effect.flip((yield* sourcesWith(404)).open(caller, { url }))
      assert.strictEqual(refusal.message, "url: files.example answers with 404.")
    })
  )
})
