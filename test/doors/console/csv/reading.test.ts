// docs/console.md, CSV: the letters, cells and lines of a file are what it says, whoever wrote it; a row that says too much or is not
// well formed is refused with its line, never cut.
import { assert, describe, it } from "@effect/vitest"
import { formatOf, isEmpty, lookAt, piecesOf } from "../../../../console/src/pages/records/csv/csvFile.ts"
import { bytesOf, type Encoding, encodingOf } from "../../../../console/src/pages/records/csv/encodings.ts"
import { recordOf } from "../../../../console/src/pages/records/csv/mapping.ts"

const blob = (text: string | Uint8Array) => new Blob([text as string])
const rowsOf = async (file: Blob, encoding?: Encoding) => {
  const rows = []
  const format = await formatOf(file, "en", encoding === undefined ? {} : { encoding })
  for await (const piece of piecesOf(bytesOf(file), format)) rows.push(...piece)
  return rows
}
const cellsOf = async (text: string | Uint8Array) => (await rowsOf(blob(text))).map(({ cells }) => cells)

const utf16 = (text: string, bigEndian = false) => {
  const bytes = Buffer.from(text, "utf16le")
  return new Uint8Array(bigEndian ? bytes.swap16() : bytes)
}

describe("the encoding of a CSV file", () => {
  it("is found by its mark, its zeros or its letters", async () => {
    const detect = (bytes: Uint8Array | string, language = "en-US") => encodingOf(bytesOf(blob(bytes)), language)
    const latin = new Uint8Array(Buffer.from("Name\r\nMüller\r\n", "latin1"))
    assert.strictEqual(await detect("Name\r\nMüller\r\n"), "utf-8")
    assert.strictEqual(await detect("\uFEFFName\r\n"), "utf-8")
    assert.strictEqual(await detect(utf16("\uFEFFName")), "utf-16le")
    assert.strictEqual(await detect(utf16("\uFEFFName", true)), "utf-16be")
    assert.strictEqual(await detect(utf16("Name;Ort\r\nMüller;Wien\r\n")), "utf-16le")
    assert.strictEqual(await detect(utf16("Name;Ort\r\nMüller;Wien\r\n", true)), "utf-16be")
    assert.strictEqual(await detect(latin), "windows-1252")
    assert.strictEqual(await detect(latin, "pl"), "windows-1250")
    assert.strictEqual(await detect(latin, "ja-JP"), "shift_jis")
    assert.strictEqual(await detect(""), "utf-8")
    // The byte that tells comes late.
    assert.strictEqual(await detect(new Uint8Array([...Buffer.from("a,b\n".repeat(200_000)), 0xe9])), "windows-1252")
  })

  it("is shown with texts that tell whether it is right, and a wrong one is refused", async () => {
    const file = blob(new Uint8Array(Buffer.from("Name,Ort\r\nGr\xfcn,Wien\r\n", "latin1")))
    const format = await formatOf(file, "de")
    assert.deepStrictEqual(format, { encoding: "windows-1252", separator: "," })
    assert.deepStrictEqual(await lookAt(file, format), {
      ...{ head: ["Name", "Ort"], rows: [["Grün", "Wien"]], letters: ["Grün"] }
    })
    const refusal = await lookAt(file, { ...format, encoding: "utf-8" }).catch(String)
    assert.strictEqual(refusal, "Error: It is not in the encoding Unicode (UTF-8). Choose another one.")
  })

  it("cuts no letter, wherever a piece ends", async () => {
    const text = `Name,Note\r\n${"漢字é😀".repeat(90_000)},x\r\n`
    assert.deepStrictEqual(await cellsOf(text), [
      ["Name", "Note"],
      ["漢字é😀".repeat(90_000), "x"]
    ])
  })
})

describe("the rows of a CSV file", () => {
  it("know their lines, with empty lines and cells of several lines before them", async () => {
    const rows = await rowsOf(blob('A,B\r\n\r\n"1\r\n1\n1\r1",2\n   \n3,4\r5,6'))
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

  it("are separated as the file does it", async () => {
    assert.deepStrictEqual(await cellsOf("A;B\n1,5;x\n2,5;y\n"), [
      ["A", "B"],
      ["1,5", "x"],
      ["2,5", "y"]
    ])
    assert.deepStrictEqual(await cellsOf("A\tB\n1\t2\n"), [
      ["A", "B"],
      ["1", "2"]
    ])
    assert.deepStrictEqual(await cellsOf("sep=;\r\nA;B\r\n1;2\r\n"), [
      ["A", "B"],
      ["1", "2"]
    ])
    assert.deepStrictEqual(await cellsOf('A,B\n"x;y;z",2\n'), [
      ["A", "B"],
      ["x;y;z", "2"]
    ])
    assert.deepStrictEqual(await cellsOf("A\n1\n2\n"), [["A"], ["1"], ["2"]])
  })

  it("that are not well formed say why, with the line", async () => {
    const faults = async (text: string) =>
      (await rowsOf(blob(text))).flatMap(({ fault, line }) => (fault ? [[line, fault]] : []))
    const [stray] = await faults('A,B\n1,2\n"x"y,3\n4,5\n')
    assert.deepStrictEqual(stray, [
      3,
      "behind the quote that was opened on line 3 more text follows; a quote within quotes is written twice"
    ])
    assert.deepStrictEqual(await faults('A,B\n1,"2\n3,4\n5,6\n'), [
      [2, "the quote that was opened on line 2 is never closed"]
    ])
    assert.deepStrictEqual(await faults('A,B\n5" disk,x\n'), [])
  })

  it("with cells beyond the head are refused, without any are empty", async () => {
    const field = {
      field_id: 1,
      field_type: "single_text",
      label: "A",
      external_id: "a",
      config: { required: false, settings: {} }
    }
    const context = {
      slashes: "month first",
      zone: "UTC",
      person: () => ({ refused: "" }),
      related: () => ({ refused: "" })
    } as const
    const [head, ...rows] = await rowsOf(blob("A,B\n1,2,,\n1,2,,x\n1\n,\n"))
    const read = (row: (typeof rows)[number]) =>
      recordOf({ fields: [field] }, head!.cells, [field, undefined], context, row)
    assert.deepStrictEqual(read(rows[0]!), { fields: { a: "1" } })
    assert.deepInclude(read(rows[1]!), {
      ...{ line: 3, why: "it has 4 cells where the first line names 2; “x” is in none of the columns" }
    })
    assert.deepStrictEqual(read(rows[2]!), { fields: { a: "1" } })
    assert.deepStrictEqual(rows.map(isEmpty), [false, false, false, true])
  })
})
