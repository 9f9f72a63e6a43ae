// decisions P1: what commands print is readable in a terminal of 80 columns and more.
import { assert, describe, it } from "@effect/vitest"
import { memberTable, table } from "../../../src/interfaces/cli/tables.ts"

const words = (n: number) => Array.from({ length: n }, (_, i) => `word${i}`).join(" ")

describe("tables", () => {
  const rows = [
    { id: 1, name: "Close the deal", why: words(40), at: new Date("2026-03-01T10:00:00Z") },
    { id: 22, name: "Open", why: null, at: null }
  ]

  for (const width of [80, 100, 120]) {
    it(`no line is wider than ${width} columns, and nothing is left out`, () => {
      const printedTable = table(rows, width)
      for (const textLine of printedTable.split("\n")) assert.isAtMost(textLine.length, width)
      for (const word of [...words(40).split(" "), "Close the deal", "2026-03-01 10:00:00"])
        assert.include(printedTable, word)
      assert.match(printedTable, /^id {2}name +why +at$/m)
      assert.match(printedTable, /^22 {2}Open +- +-$/m)
    })
  }

  it("what has more columns than fit is shown row by row", () => {
    const wide = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`member_number_${i}`, `value of ${i}`]))
    assert.strictEqual(table([wide, wide], 80), `${memberTable(wide, 80)}\n\n${memberTable(wide, 80)}`)
    assert.include(memberTable(wide, 80), "member_number_3: value of 3\n")
  })

  it("a link stays whole, however long, so that it can be copied", () => {
    const link = `https://millrace.example/set-password/${"a".repeat(100)}`
    assert.strictEqual(memberTable({ link, expires: null }, 80), `link: ${link}\nexpires: -`)
    assert.include(memberTable({ told: `${words(30)} ${link} ${words(2)}` }, 80), link)
  })

  it("no rows are none", () => assert.strictEqual(table([], 80), "(none)"))
})
