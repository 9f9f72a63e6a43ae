// Wall clocks of zones: what a local time means that occurs twice or not at all.
import { assert, describe, it } from "@effect/vitest"
import { toInstant, toLocal } from "../../../src/platform/primitives/zones.ts"

const millisOf = (text: string) => Date.parse(`${text}Z`)
const utcTextOf = (millis: number) => new Date(millis).toISOString().slice(0, 19)

describe("a local time", () => {
  it("that occurs twice is the first", () => {
    for (const leftOut of ["moved", "next"] as const) {
      const instant = toInstant(millisOf("2026-10-25T02:30"), "Europe/Vienna", leftOut)
      assert.strictEqual(utcTextOf(instant), "2026-10-25T00:30:00")
    }
  })

  it("that is left out is moved by the gap (A9), or is the first instant after it (7.5 rule 2)", () => {
    const leftOut = millisOf("2026-03-29T02:20")
    assert.strictEqual(utcTextOf(toInstant(leftOut, "Europe/Vienna", "moved")), "2026-03-29T01:20:00")
    assert.strictEqual(utcTextOf(toInstant(leftOut, "Europe/Vienna", "next")), "2026-03-29T01:00:00")
  })

  it("is read back where offsets have seconds, up to their end", () => {
    // Monrovia was 44 minutes and 30 seconds behind until 7 January 1972.
    for (const local of ["1972-01-06T12:00:00", "1972-01-06T23:59:59", "1972-01-07T00:44:30"]) {
      const instant = toInstant(millisOf(local), "Africa/Monrovia", "next")
      assert.strictEqual(utcTextOf(toLocal(instant, "Africa/Monrovia")), local)
    }
    assert.strictEqual(
      utcTextOf(toInstant(millisOf("1972-01-06T12:00:00"), "Africa/Monrovia", "moved")),
      "1972-01-06T12:44:30"
    )
  })
})
