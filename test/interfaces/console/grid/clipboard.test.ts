// Blocks on the clipboard (docs/console.md, "Copy and paste"): tab-separated text as spreadsheets write and read it, and where a block goes.
import { assert, describe, it } from "@effect/vitest"
import { pasteTargets, tooMuch } from "../../../../console/src/pages/records/clip/pasteTargets.ts"
import { reportOf } from "../../../../console/src/pages/records/clip/report.ts"
import { readTsv, writeHtml, writeTsv } from "../../../../console/src/pages/records/clip/tsv.ts"

const range = (top: number, left: number, bottom: number, right: number) => ({ top, left, bottom, right })

describe("tab-separated text", () => {
  it("reads what Excel and Google Sheets put there: quoted cells, line ends in them, a last line end", () => {
    assert.deepStrictEqual(readTsv("a\tb\r\nc\td\r\n"), [
      ["a", "b"],
      ["c", "d"]
    ])
    assert.deepStrictEqual(readTsv('"two\nlines"\t"a ""quote"""\n\tlast'), [
      ["two\nlines", 'a "quote"'],
      ["", "last"]
    ])
    assert.deepStrictEqual(readTsv("one"), [["one"]])
    assert.deepStrictEqual(readTsv("a\t\t"), [["a", "", ""]])
  })

  it("a quote that encloses no cell is text", () => {
    assert.deepStrictEqual(readTsv('5" pipe\t"Gull" she said\n"open\tx'), [
      ['5" pipe', '"Gull" she said'],
      ['"open', "x"]
    ])
  })

  it("what is written is read again", () => {
    const block = [
      ["plain", 'with "quotes"', '"begins with one'],
      ["tab\there", "two\nlines", ""],
      ["", "", 'ends with "']
    ]
    assert.deepStrictEqual(readTsv(writeTsv(block)), block)
    assert.strictEqual(
      writeHtml([["<b>", "a\nb"]]),
      '<table data-source="millrace"><tr><td>&lt;b&gt;</td><td>a<br>b</td></tr></table>'
    )
  })

  it.each([1, 2, 3])("is read in linear time, whatever its %i quotes in a row enclose", (quotes) => {
    const text = `${'"'.repeat(quotes)}a\t`.repeat(300_000)
    assert.strictEqual(readTsv(text)[0]!.length > 0, true)
  })
})

describe("the cells that a block is pasted into", () => {
  it("begin at the corner of the selection and stop at the last column", () => {
    const { cutColumns, range: cells } = pasteTargets({ rows: 3, columns: 4 }, range(2, 1, 2, 1), 4)
    assert.deepStrictEqual([cells, cutColumns], [range(2, 1, 4, 3), 1])
  })

  it("are the whole selection where the block fits into it several times", () => {
    const oneCell = pasteTargets({ rows: 1, columns: 1 }, range(0, 0, 4, 2), 5)
    assert.deepStrictEqual([oneCell.range, oneCell.sourceOf(3, 2)], [range(0, 0, 4, 2), { row: 0, column: 0 }])
    const two = pasteTargets({ rows: 2, columns: 1 }, range(1, 1, 6, 2), 5)
    assert.deepStrictEqual([two.range, two.sourceOf(4, 2)], [range(1, 1, 6, 2), { row: 1, column: 0 }])
    assert.deepStrictEqual(pasteTargets({ rows: 2, columns: 1 }, range(1, 1, 3, 1), 5).range, range(1, 1, 2, 1))
  })

  it("are bounded, and the refusal says how", () => {
    assert.isUndefined(tooMuch(range(0, 0, 999, 49)))
    assert.strictEqual(
      tooMuch(range(0, 0, 1_000, 2)),
      "At most 1,000 rows and 50 columns are changed at once; these are 1,001 and 3."
    )
  })

  it("are told with what did not fit", () => {
    const problem = { place: "Length, row 2", reason: "“wide” is no number" }
    assert.strictEqual(reportOf("pasted", 9, [problem, problem]).summary, "7 of 9 cells pasted; 2 did not fit.")
    assert.strictEqual(reportOf("pasted", 1, [], 1).summary, "1 cell pasted. 1 new record.")
  })
})
