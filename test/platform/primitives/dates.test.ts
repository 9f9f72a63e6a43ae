// developer-api.md 1.3: `YYYY-MM-DD HH:mm:ss` in UTC.
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { formatDateTime, parseDateTime } from "../../../src/platform/primitives/dates.ts"

const bySlices = (date: Date) => date.toISOString().slice(0, 19).replace("T", " ")

describe("formatDateTime", () => {
  it("is what ISO 8601 says, of any instant, one after another", () => {
    const instants = fc.oneof(
      fc.date({ noInvalidDate: true }),
      fc.integer({ min: -5, max: 5 }).map((n) => new Date(n * 43_200_000 + n)),
      fc.constantFrom(
        new Date("9999-12-31T23:59:59.999Z"),
        new Date(Date.UTC(10_000, 0, 1)),
        new Date("0001-01-01T00:00:00Z")
      )
    )
    fc.assert(
      fc.property(fc.array(instants, { minLength: 2, maxLength: 6 }), (dates) => {
        assert.deepStrictEqual(dates.map(formatDateTime), dates.map(bySlices))
      })
    )
  })

  it("takes no date that is none", () => {
    assert.throws(() => formatDateTime(new Date(Number.NaN)), RangeError)
  })
})

describe("parseDateTime", () => {
  it("takes the years from 100 on, and none for one of the twentieth century", () => {
    for (const text of ["0000-01-01", "0050-01-01", "0099-12-31 23:59"]) assert.isUndefined(parseDateTime(text), text)
    assert.strictEqual(parseDateTime("0100-01-01")?.date.toISOString(), "0100-01-01T00:00:00.000Z")
  })
})
