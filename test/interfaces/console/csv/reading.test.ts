// docs/console.md, CSV: the letters, cells and lines of a file are what it says, whoever wrote it; a row that says too much or is not
// well formed is refused with its line, never cut.
import { assert, describe, it } from "@effect/vitest"
import { detectFormat, sampleRows } from "../../../../src/domain/imports/csvFormat.ts"
import { isEmptyRow } from "../../../../src/domain/imports/csvWindow.ts"
import { detectEncoding } from "../../../../src/domain/imports/encodings.ts"
import { readingOf } from "../../../../src/domain/imports/readContext.ts"
import { readRecord } from "../../../../src/domain/imports/rowReading.ts"
import { definitionOf } from "../../../../src/domain/records/model/AppDefinition.ts"
import { fields, names } from "./fieldSamples.ts"

const bytesOf = (text: string | Uint8Array) => (typeof text === "string" ? Buffer.from(text) : text)
const rowsOf = (text: string | Uint8Array) => {
  const sample = { bytes: bytesOf(text), isLast: true }
  return sampleRows(sample, detectFormat(sample, {})).rows
}
const cellsOf = (text: string | Uint8Array) => rowsOf(text).map(({ cells }) => cells)

const utf16 = (text: string, bigEndian = false) => {
  const bytes = Buffer.from(text, "utf16le")
  return new Uint8Array(bigEndian ? bytes.swap16() : bytes)
}

describe("the encoding of a CSV file", () => {
  it("is found by its mark, its zeros or its letters", () => {
    const detect = (bytes: Uint8Array | string, language = "en-US") => detectEncoding(bytesOf(bytes), language, true)
    const latin = new Uint8Array(Buffer.from("Name\r\nMüller\r\n", "latin1"))
    assert.strictEqual(detect("Name\r\nMüller\r\n"), "utf-8")
    assert.strictEqual(detect("\uFEFFName\r\n"), "utf-8")
    assert.strictEqual(detect(utf16("\uFEFFName")), "utf-16le")
    assert.strictEqual(detect(utf16("\uFEFFName", true)), "utf-16be")
    assert.strictEqual(detect(utf16("Name;Ort\r\nMüller;Wien\r\n")), "utf-16le")
    assert.strictEqual(detect(utf16("Name;Ort\r\nMüller;Wien\r\n", true)), "utf-16be")
    assert.strictEqual(detect(latin), "windows-1252")
    assert.strictEqual(detect(latin, "pl"), "windows-1250")
    assert.strictEqual(detect(latin, "ja-JP"), "shift_jis")
    assert.strictEqual(detect(""), "utf-8")
    // The byte that tells comes late.
    assert.strictEqual(detect(new Uint8Array([...Buffer.from("a,b\n".repeat(200_000)), 0xe9])), "windows-1252")
  })

  it("is shown, and rows that are in another one are refused", () => {
    const sample = { bytes: new Uint8Array(Buffer.from("Name,Ort\r\nGr\xfcn,Wien\r\n", "latin1")), isLast: true }
    const format = detectFormat(sample, { language: "de" })
    assert.strictEqual(format.encoding, "windows-1252")
    assert.deepStrictEqual(sampleRows(sample, format).rows[1]!.cells, ["Grün", "Wien"])
    const [, wrongRow] = sampleRows(sample, { ...format, encoding: "utf-8" }).rows
    assert.strictEqual(wrongRow!.fault, "it is not in the encoding Unicode (UTF-8); choose another one")
  })

  it("cuts no letter, wherever a piece ends", () => {
    const text = `Name,Note\r\n${"漢字é😀".repeat(90_000)},x\r\n`
    assert.deepStrictEqual(cellsOf(text), [
      ["Name", "Note"],
      ["漢字é😀".repeat(90_000), "x"]
    ])
  })
})

describe("the rows of a CSV file", () => {
  it("know their lines, with empty lines and cells of several lines before them", () => {
    const rows = rowsOf('A,B\r\n\r\n"1\r\n1\n1\r1",2\n   \n3,4\r5,6')
    assert.deepStrictEqual(
      rows.map(({ cells, line }) => [line, cells.join("|")]),
      [
        [1, "A|B"],
        [3, "1\r\n1\n1\r1|2"],
        [8, "3|4"],
        [9, "5|6"]
      ]
    )
  })

  it("are separated as the file does it", () => {
    assert.deepStrictEqual(cellsOf("A;B\n1,5;x\n2,5;y\n"), [
      ["A", "B"],
      ["1,5", "x"],
      ["2,5", "y"]
    ])
    assert.deepStrictEqual(cellsOf("A\tB\n1\t2\n"), [
      ["A", "B"],
      ["1", "2"]
    ])
    assert.deepStrictEqual(cellsOf("sep=;\r\nA;B\r\n1;2\r\n"), [
      ["A", "B"],
      ["1", "2"]
    ])
    assert.deepStrictEqual(cellsOf('A,B\n"x;y;z",2\n'), [
      ["A", "B"],
      ["x;y;z", "2"]
    ])
    assert.deepStrictEqual(cellsOf("A\n1\n2\n"), [["A"], ["1"], ["2"]])
  })

  it("that are not well formed say why, with the line", () => {
    const faults = (text: string) => rowsOf(text).flatMap(({ fault, line }) => (fault ? [[line, fault]] : []))
    const [stray] = faults('A,B\n1,2\n"x"y,3\n4,5\n')
    assert.deepStrictEqual(stray, [
      3,
      "behind the quote that was opened on line 3 more text follows; a quote within quotes is written twice"
    ])
    assert.deepStrictEqual(faults('A,B\n5" disk,x\n'), [])
  })

  it("with cells beyond the head are refused, without any are empty", () => {
    const [field] = fields.filter(({ field_type }) => field_type === "single_text")
    const definition = definitionOf({} as never, [field!])
    const format = { encoding: "utf-8", separator: ",", decimal: ".", day_first: false, time_zone: "UTC" } as const
    const reading = { definition, targets: [field, undefined], context: readingOf(format, names) }
    const [, ...rows] = rowsOf("A,B\n1,2,,\n1,2,,x\n1\n,\n")
    const read = (row: (typeof rows)[number]) => {
      const { fault, inputs } = readRecord(row, reading)
      return fault ?? inputs[field!.slug]
    }
    assert.deepStrictEqual(
      rows.map(({ line }) => line),
      [2, 3, 4, 5]
    )
    assert.deepStrictEqual(rows.slice(0, 3).map(read), [
      "1",
      "it has 4 cells where the first line names 2; “x” is in none of the columns",
      "1"
    ])
    assert.deepStrictEqual(rows.map(isEmptyRow), [false, false, false, true])
  })
})
