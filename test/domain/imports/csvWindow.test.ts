// developer-api.md 4.2: rows of a CSV file are the same wherever reading is broken off and taken up again; what is not well formed is bounded.
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type CsvFormat, readRows } from "../../../src/domain/imports/csvWindow.ts"

const unit = fc.constantFrom("a", '"', ",", "\n", "\r", "\r\n", "é", "漢", " ")
const format: CsvFormat = { encoding: "utf-8", separator: "," }

/** All rows, read `most` at a time; each window begins where the last rows ended. */
const readAll = (bytes: Uint8Array, csvFormat: CsvFormat, most: number) => {
  const rows = []
  let position = { byte: 0, line: 1 }
  let unclosed = 0
  while (position.byte < bytes.length) {
    const window = { bytes: bytes.subarray(position.byte), isLast: true, position }
    const read = readRows(window, csvFormat, most)
    assert.isAbove(read.next.byte, position.byte)
    rows.push(...read.rows)
    position = read.next
    unclosed += read.unclosed ? 1 : 0
  }
  return { rows, unclosed }
}

describe("rows of a CSV file", () => {
  it("are the same, with their lines, whether they are read at once or one at a time, in every encoding", () =>
    fc.assert(
      fc.property(
        fc.array(unit).map((parts) => parts.join("")),
        fc.constantFrom("utf-8", "utf-16le"),
        (text, encoding) => {
          const bytes = Buffer.from(text, encoding === "utf-8" ? "utf8" : "utf16le")
          const csvFormat = { ...format, encoding } as CsvFormat
          assert.deepStrictEqual(readAll(bytes, csvFormat, 1), readAll(bytes, csvFormat, 1_000))
        }
      ),
      { numRuns: 500 }
    ))

  it("of a window that is not the last are those that end in it", () => {
    const bytes = Buffer.from('a,b\n"1\n2",3\n4,5')
    for (let length = 0; length <= bytes.length; length++) {
      const read = readRows(
        { bytes: bytes.subarray(0, length), isLast: false, position: { byte: 0, line: 1 } },
        format,
        9
      )
      const restWindow = { bytes: bytes.subarray(read.next.byte), isLast: true, position: read.next }
      assert.deepStrictEqual(
        [...read.rows, ...readRows(restWindow, format, 9).rows].map(({ cells, line }) => [line, ...cells]),
        [
          [1, "a", "b"],
          [2, "1\n2", "3"],
          [4, "4", "5"]
        ]
      )
    }
  })

  it("with a quote that is never closed are one refused row; the lines behind it are read", () => {
    const { rows, unclosed } = readAll(Buffer.from('A,B\n1,"2\n3,4\n5,6\n'), format, 100)
    assert.deepStrictEqual(
      rows.map(({ cells, fault, line }) => [line, cells.join("|"), fault ?? ""]),
      [
        [1, "A|B", ""],
        [2, "1|2\n", "the quote that was opened on line 2 is never closed"],
        [3, "3|4", ""],
        [4, "5|6", ""]
      ]
    )
    assert.strictEqual(unclosed, 1)
  })

  it("that are not in the encoding are refused by themselves", () => {
    const bytes = Buffer.concat([Buffer.from("Grün\n"), Buffer.from("Gr\xfcn\n", "latin1"), Buffer.from("Blau\n")])
    assert.deepStrictEqual(
      readAll(bytes, format, 100).rows.map(({ fault }) => fault),
      [undefined, "it is not in the encoding Unicode (UTF-8); choose another one", undefined]
    )
  })
})
