// docs/console.md, CSV: a text means what it says as a whole, or it is refused; nothing of it is dropped.
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { CsvField } from "../../../../console/src/pages/records/csv/csvField.ts"
import { readText } from "../../../../console/src/pages/records/csv/csvValues.ts"
import { readMoment } from "../../../../console/src/pages/records/csv/dateTexts.ts"
import { joined, partsOf } from "../../../../console/src/pages/records/csv/listTexts.ts"
import { names } from "./fieldSamples.ts"

const fieldOf = (field_type: string, settings: object = {}): CsvField => ({
  ...{ field_id: 1, field_type, label: "F", external_id: "f", config: { required: false, settings } }
})
const reading = { slashes: "month first", zone: "UTC" } as const
const read = (text: string, field_type: string, settings: object = {}) => {
  const got = readText(text, fieldOf(field_type, settings), { ...reading, ...names })
  return got === undefined ? undefined : "input" in got ? got.input : `refused: ${got.refused}`
}

const moments: ReadonlyArray<readonly [text: string, moment: string | undefined]> = [
  ["2026-04-01", "2026-04-01"],
  ["2026/4/1", "2026-04-01"],
  ["1.4.2026", "2026-04-01"],
  ["3/4/2026", "2026-03-04"],
  ["3-4-2026", "2026-03-04"],
  ["Jun 12 1998", "1998-06-12"],
  ["June 12, 1998", "1998-06-12"],
  ["12-Jun-1998", "1998-06-12"],
  ["12th June 1998", "1998-06-12"],
  ["Tuesday, 1. March 2022", "2022-03-01"],
  ["Tue, 01 Mar 2022 10:15:30 GMT", "2022-03-01 10:15:30"],
  ["2026-04-01T23:30:15+02:00", "2026-04-01 21:30:15"],
  ["2026-04-01T23:30:15.123-0530", "2026-04-02 05:00:15"],
  ["2026-04-01 10:15:30Z", "2026-04-01 10:15:30"],
  ["2026-04-01 9:05 PM", "2026-04-01 21:05:00"],
  ["2026-04-01, 12 a.m.", "2026-04-01 00:00:00"],
  ["4/1/2026 12:30 pm", "2026-04-01 12:30:00"],
  ["3/4/2026 2:30 PM", "2026-03-04 14:30:00"],
  ["1.4.2026 14:30", "2026-04-01 14:30:00"],
  ["Apr 1 2026 at 9:05 PM UTC+2", "2026-04-01 19:05:00"],
  // No dates, or not known to their end.
  ["Room 5", undefined],
  ["May 5", undefined],
  ["5", undefined],
  ["2026", undefined],
  ["Feb 30 2026", undefined],
  ["2026-02-30", undefined],
  ["31.4.2026", undefined],
  ["13/13/2026", undefined],
  ["2026-04-01 or later", undefined],
  ["ca. 2026-04-01", undefined],
  ["2026-04-01 25:00", undefined],
  ["2026-04-01 13:05 PM", undefined],
  ["2026-04-01 0:05 AM", undefined],
  ["2026-04-01 10", undefined],
  ["2026-04-01 10:00 CEST", undefined],
  ["2026-04-01 10:00 +99:00", undefined],
  ["2026-04/01", undefined],
  ["4/1/26", undefined],
  ["Monday, 1. March 2022", undefined],
  ["Mayhem 5 2026", undefined],
  ["0026-04-01", undefined]
]

describe("texts of a CSV file", () => {
  it("are moments as a whole or none", () => {
    for (const [text, moment] of moments) assert.strictEqual(readMoment(text, reading), moment, text)
    assert.strictEqual(readMoment("3/4/2026 2:30 PM", { ...reading, slashes: "day first" }), "2026-04-03 14:30:00")
  })

  it("are times of the reader's zone where that was chosen; one that a clock change leaves out is refused", () => {
    const previousZone = process.env["TZ"]
    process.env["TZ"] = "Europe/Vienna"
    try {
      const local = { ...reading, zone: "local" } as const
      assert.strictEqual(readMoment("2026-07-01 10:00", local), "2026-07-01 08:00:00")
      assert.strictEqual(readMoment("2026-07-01 10:00Z", local), "2026-07-01 10:00:00")
      assert.strictEqual(readMoment("2026-07-01", local), "2026-07-01")
      assert.strictEqual(readMoment("2026-03-29 02:30", local), undefined)
    } finally {
      if (previousZone === undefined) delete process.env["TZ"]
      else process.env["TZ"] = previousZone
    }
  })

  it("of a public data set are all understood", () => {
    const movies: ReadonlyArray<{ readonly "Release Date": string | null }> = JSON.parse(
      readFileSync(new URL("../../../../node_modules/vega-datasets/data/movies.json", import.meta.url), "utf8")
    )
    const strange = movies.filter((movie) => {
      const date = movie["Release Date"]
      return date !== null && readMoment(date, reading) !== new Date(`${date} UTC`).toISOString().slice(0, 10)
    })
    assert.deepStrictEqual(strange, [])
  })

  it("lose no time in a field that takes none", () => {
    assert.strictEqual(read("2026-04-01 00:00:00", "single_date"), "2026-04-01")
    assert.strictEqual(
      read("2026-04-01 10:00", "single_date"),
      "refused: “2026-04-01 10:00” must be a date without a time"
    )
    assert.match(String(read("2026-04-01", "single_date", { time: "required" })), /must have a time/)
    assert.match(String(read("2026-04-02 - 2026-04-01", "range_date")), /must not end before it starts/)
    assert.match(String(read("2026-04-01", "range_date", { end: "required" })), /must have an end/)
  })

  it("are numbers as the API reads them", () => {
    const numbers = { "1 234 567.5": "1234567.5", "-5": "-5", "1'000": "1000", "1e3": "1e3", ".5": ".5" }
    for (const [text, number] of Object.entries(numbers)) assert.strictEqual(read(text, "number"), number)
    for (const text of ["1 2", "a lot", "1,5", "12 kg", "--1", "1e", "0x10", "Infinity"])
      assert.strictEqual(read(text, "number"), `refused: “${text}” is no number`)
    assert.match(String(read("12345678901234567890123", "number")), /more digits than are kept exactly/)
  })

  it("name one option, person or record, or are refused", () => {
    const options = ["Open", "open", "Done; really", "Done"].map((text, at) => ({ id: at + 1, text }))
    assert.strictEqual(read("open", "single_category", { options }), 2)
    assert.match(String(read("OPEN", "single_category", { options })), /the text of several options/)
    assert.deepStrictEqual(read("Done; really", "multi_category", { options }), [3])
    assert.deepStrictEqual(read('"Done; really"; Done', "multi_category", { options }), [3, 4])
    assert.match(String(read("Twin", "single_user")), /name of several people; name one by the mail address, such as/)
    assert.strictEqual(read("two@x.example", "single_user"), 4)
  })

  it("are judged by what the API takes of addresses and entries", () => {
    assert.match(String(read("a@b.example; nobody", "multi_email")), /“nobody” is no email address/)
    assert.match(String(read("example.com", "multi_link")), /is no web address/)
    assert.deepStrictEqual(read("mobile: +43 1; 12", "multi_phone"), [
      { type: "mobile", phone: "+43 1" },
      { type: "work", phone: "12" }
    ])
    assert.match(String(read("x".repeat(501), "single_text")), /longer than 500/)
  })

  it("of several values keep semicolons and quotes", () => {
    const values = ["a", "b;c", '"d"', " e ", "f\ng", 'h"i', ""]
    assert.deepStrictEqual(partsOf(joined(values)), values)
    assert.deepStrictEqual(partsOf('a;; "b" c ;\n"d'), ["a", '"b" c', '"d'])
  })
})
