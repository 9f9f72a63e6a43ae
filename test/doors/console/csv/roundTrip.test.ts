// docs/console.md, CSV: what is exported and imported again is what it was, for fields of all types, whatever their texts hold, wherever
// the file is cut, in whatever zone its reader is.
import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import Papa from "papaparse"
import { cellText } from "../../../../console/src/pages/records/csv/csvCells.ts"
import { formatOf, piecesOf } from "../../../../console/src/pages/records/csv/csvFile.ts"
import { guessed, recordOf } from "../../../../console/src/pages/records/csv/mapping.ts"
import { BOM, csvOf, unmarked } from "../../../../console/src/ui/csvText.ts"
import { asRead, comparable, fields, inputs, names, stored } from "./fieldSamples.ts"

const ZONES = ["UTC", "Europe/Vienna", "America/New_York", "Asia/Kathmandu", "Africa/Monrovia"]
const app = { fields: fields.map(asRead) }
const head = app.fields.map(({ label }) => label)
const context = { ...names, slashes: "month first", zone: "UTC" } as const

async function* cut(bytes: Uint8Array, size: number) {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size)
}
const rowsIn = async (bytes: Uint8Array, size: number) => {
  const format = await formatOf(new Blob([bytes as Uint8Array<ArrayBuffer>]), "en")
  const rows = []
  for await (const piece of piecesOf(cut(bytes, size), format)) rows.push(...piece)
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
            const read = await rowsIn(Buffer.from(BOM + text, encoding as BufferEncoding), size)
            assert.deepStrictEqual(read[0]!.cells, head)
            assert.strictEqual(read.length, kept.length + 1)
            for (const [at, row] of read.slice(1).entries()) {
              const record = recordOf(app, head, guessed(app, head), context, row)
              if ("why" in record) return assert.fail(record.why)
              for (const [place, field] of fields.entries()) {
                const input = record.fields[field.slug]
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
      fc.asyncProperty(
        fc.array(
          fc.array(fc.string({ unit: fc.constantFrom("a", '"', ",", "\n", "\r", ";", "é", " ") }), {
            minLength: 2,
            maxLength: 2
          }),
          { minLength: 1 }
        ),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        async (rows, size, ours) => {
          const text = ours ? csvOf(rows) : Papa.unparse(rows, { quotes: true, newline: "\n" })
          const read = []
          for await (const piece of piecesOf(cut(Buffer.from(text), size), { encoding: "utf-8", separator: "," }))
            read.push(...piece)
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
