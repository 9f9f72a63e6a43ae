// docs/console.md, CSV: what is exported and imported again is what it was, for fields of all types, whatever their texts hold, wherever
// the file is cut, in whatever zone its reader is.
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import Papa from "papaparse"
import { cellText } from "../../../../console/src/pages/records/csv/csvCells.ts"
import { guessFields } from "../../../../src/domain/imports/columnGuess.ts"
import { detectFormat, headEnd, sampleRows } from "../../../../src/domain/imports/csvFormat.ts"
import { BOM, csvOf, unmarked } from "../../../../src/domain/imports/csvText.ts"
import { type CsvFormat, type CsvPosition, readRows } from "../../../../src/domain/imports/csvWindow.ts"
import { readingOf } from "../../../../src/domain/imports/readContext.ts"
import { asRead, readRecord } from "../../../../src/domain/imports/rowReading.ts"
import { definitionOf } from "../../../../src/domain/records/model/AppDefinition.ts"
import { comparable, fields, inputs, names, stored } from "./fieldSamples.ts"

const ZONES = ["UTC", "Europe/Vienna", "America/New_York", "Asia/Kathmandu", "Africa/Monrovia"]
const app = { fields: fields.map(asRead) }
const head = app.fields.map(({ label }) => label)
const definition = definitionOf({} as never, fields)

/** Rows from a position on, a few at a time, each time from bytes alone. */
const rowsFrom = (bytes: Uint8Array, format: CsvFormat, most: number, start: CsvPosition = { byte: 0, line: 1 }) => {
  const rows = []
  for (let position = start; position.byte < bytes.length; ) {
    const read = readRows({ bytes: bytes.subarray(position.byte), isLast: true, position }, format, most)
    rows.push(...read.rows)
    position = read.next
  }
  return rows
}

const inZone = async <A>(zone: string, work: () => Promise<A>): Promise<A> => {
  const previousZone = process.env["TZ"]
  process.env["TZ"] = zone
  try {
    return await work()
  } finally {
    if (previousZone === undefined) delete process.env["TZ"]
    else process.env["TZ"] = previousZone
  }
}

describe("an export as CSV", () => {
  it("is imported as what it was, for all field types", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(inputs, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 1, max: 70 }),
        fc.constantFrom("utf-8", "utf16le"),
        fc.constantFrom(...ZONES),
        (records, size, encoding, zone) =>
          inZone(zone, async () => {
            const cells = records.map((record) =>
              fields.map((field, at) => (record[at] === undefined ? [] : stored(field, record[at])))
            )
            const kept = cells.filter((record) => record.some((values) => values.length > 0))
            const rows = kept.map((record) =>
              record.map((values, at) =>
                cellText({ field_type: fields[at]!.field_type, values }, app.fields[at]!, names)
              )
            )
            const text = csvOf([head, ...rows])
            const bytes = Buffer.from(BOM + text, encoding as BufferEncoding)
            const sample = { bytes, isLast: true }
            const format = detectFormat(sample, {})
            assert.deepStrictEqual(sampleRows(sample, format).rows[0]!.cells, head)
            const read = rowsFrom(bytes, format, size, headEnd(sample, format))
            assert.strictEqual(read.length, kept.length)
            const guesses = guessFields(app.fields, head).map((field) => definition.byId.get(field!.field_id))
            const context = readingOf({ ...format, decimal: ".", day_first: false }, names)
            for (const [at, row] of read.entries()) {
              const record = readRecord(row, { definition, targets: guesses, context })
              assert.deepStrictEqual([record.fault, record.badCells], [undefined, []])
              for (const [place, field] of fields.entries()) {
                const input = record.inputs[field.slug]
                const values = input === undefined ? [] : stored(field, input)
                assert.deepStrictEqual(
                  comparable(values),
                  comparable(kept[at]![place]!),
                  `${field.label}: ${rows[at]![place]}`
                )
              }
            }
          })
      ),
      { numRuns: 150 }
    ))

  it("is what other programs read too, and theirs is read alike, wherever it is cut", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.array(fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", ";", "é", " ") }), {
            minLength: 2,
            maxLength: 2
          }),
          { minLength: 1 }
        ),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (rows, size, ours) => {
          const text = ours ? csvOf(rows) : Papa.unparse(rows, { quotes: true, newline: "\n" })
          const read = rowsFrom(Buffer.from(text), { encoding: "utf-8", separator: "," }, size)
          assert.deepStrictEqual(
            read.map(({ cells }) => cells),
            rows
          )
          if (ours)
            assert.deepStrictEqual(
              Papa.parse<Array<string>>(text, { delimiter: ",", newline: "\r\n" })
                .data.slice(0, -1)
                .map((row) => row.map(unmarked)),
              rows
            )
        }
      ),
      { numRuns: 300 }
    ))
})
