// docs/console.md, CSV: a text means what it says as a whole, or it is refused; nothing of it is dropped.
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { readText } from "../../../../src/domain/imports/cellValues.ts"
import type { CsvField } from "../../../../src/domain/imports/csvField.ts"
import { guessSlashes, readMoment } from "../../../../src/domain/imports/dateTexts.ts"
import { joined, partsOf } from "../../../../src/domain/imports/listTexts.ts"
import { guessDecimal, readNumber } from "../../../../src/domain/imports/numberTexts.ts"
import { readingOf } from "../../../../src/domain/imports/readContext.ts"
import { names } from "./fieldSamples.ts"

const fieldOf = (field_type: string, settings: object = {}): CsvField => ({
  ...{ field_id: 1, field_type, label: "F", external_id: "f", config: { required: false, settings } }
})
const format = { encoding: "utf-8", separator: ",", decimal: ".", day_first: false, time_zone: "UTC" } as const
const reading = readingOf(format, names)
const read = (text: string, field_type: string, settings: object = {}) => {
  const got = readText(text, fieldOf(field_type, settings), reading)
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
    const local = readingOf({ ...format, time_zone: "Europe/Vienna" }, names)
    assert.strictEqual(readMoment("2026-07-01 10:00", local), "2026-07-01 08:00:00")
    assert.strictEqual(readMoment("2026-07-01 10:00Z", local), "2026-07-01 10:00:00")
    assert.strictEqual(readMoment("2026-07-01", local), "2026-07-01")
    assert.strictEqual(readMoment("2026-03-29 02:30", local), undefined)
  })

  it("tell by the ones that can be read in one way alone how the others are meant", () => {
    assert.strictEqual(guessSlashes(["1/2/2026", "31/1/2026"]), "day first")
    assert.strictEqual(guessSlashes(["1/2/2026", "1/31/2026"]), "month first")
    assert.isUndefined(guessSlashes(["1/2/2026"]))
    assert.strictEqual(guessDecimal(["1,234", "7,5"]), ",")
    assert.strictEqual(guessDecimal(["1.234", "1.234.567"]), ",")
    assert.strictEqual(guessDecimal(["1,234", "7.5"]), ".")
    assert.strictEqual(guessDecimal(["1,234"]), ".")
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

  it("are amounts as people and spreadsheets write them, or none", () => {
    const amounts: ReadonlyArray<readonly [text: string, number: string | undefined, withComma?: string]> = [
      ...([
        ["1 234 567.5", "1234567.5"],
        ["-5", "-5"],
        ["1'000", "1000"],
        ["1e3", "1e3"],
        [".5", ".5"]
      ] as const),
      ...([
        ["7,749.50", "7749.50"],
        ["€ 44", "44"],
        ["44 €", "44"],
        ["-€ 44", "-44"],
        ["EUR 1.234,56", "1234.56"]
      ] as const),
      ...([
        ["$1,000", "1000", "1.000"],
        ["CHF 1’234.50", "1234.50"],
        ["1,00,000", "100000"],
        ["1.234.567", "1234567"]
      ] as const),
      ...([
        ["1,234", "1234", "1.234"],
        ["1.234", "1.234", "1234"],
        ["1,5", "1.5"],
        ["0,123", "0.123"]
      ] as const),
      ...([
        ["(1,234.50)", "-1234.50"],
        ["−5", "-5"],
        ["12 %", "12"],
        ["44,-", "44"]
      ] as const),
      ...["1 2", "a lot", "12 kg", "--1", "1e", "0x10", "Infinity", "1,2,3", "REF 5", "5-", "1.2.3"].map(
        (text) => [text, undefined] as const
      )
    ]
    for (const [text, number, withComma = number] of amounts) {
      assert.strictEqual(readNumber(text, "."), number, text)
      assert.strictEqual(readNumber(text, ","), withComma, text)
    }
    assert.strictEqual(read("a lot", "number"), "refused: “a lot” is no number")
    assert.match(String(read("12345678901234567890123", "number")), /more digits than are kept exactly/)
  })

  it("name one option, person or record, or are refused", () => {
    const options = ["Open", "open", "Done; really", "Done"].map((text, at) => ({ id: at + 1, text }))
    assert.strictEqual(read("open", "single_category", { options }), 2)
    assert.match(String(read("OPEN", "single_category", { options })), /the text of several options/)
    assert.deepStrictEqual(read("Done; really", "multi_category", { options }), [3])
    assert.deepStrictEqual(read('"Done; really"; Done', "multi_category", { options }), [3, 4])
    assert.deepStrictEqual(read("Open, Done", "multi_category", { options }), [1, 4])
    const stages = ["In progress", "Zürich"].map((text, at) => ({ id: at + 1, text }))
    assert.strictEqual(read("IN-PROGRESS", "status", { options: stages }), 1)
    assert.strictEqual(read("zurich", "status", { options: stages }), 2)
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
