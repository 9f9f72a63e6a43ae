// Exact sums and arithmetic, and numbers as people read them (decisions A30).
import { assert, describe, it } from "@effect/vitest"
import { arithmetic, namesIn } from "../../../src/platform/primitives/arithmetic.ts"
import { numberText } from "../../../src/platform/primitives/decimals.ts"
import { numberOfRational, sumOf } from "../../../src/platform/primitives/rational.ts"

const values: Record<string, unknown> = { a: 0.1, b: 0.2, text: "1", nothing: null }
const computed = (source: string) => arithmetic(source, (name) => values[name])

describe("exact decimals (A30)", () => {
  it("sums of any size and order are those of the decimals", () => {
    const sum = (...numbers: ReadonlyArray<number>) => numberOfRational(sumOf(numbers))
    assert.strictEqual(sum(0.1, 0.6, 0.7), 1.4)
    assert.strictEqual(sum(1.1, 0.3), 1.4)
    assert.strictEqual(sum(...Array.from({ length: 1000 }, () => 0.1)), 100)
    assert.strictEqual(sum(1e21, 1, -1e21), 1)
    assert.strictEqual(sum(-0.1, 0.1), 0)
    assert.strictEqual(sum(1e-320, 5e-324, 1e308), 1e308)
    assert.strictEqual(sum(), 0)
    // Cents of integers, in every combination of a few hundred.
    for (let cents = 0; cents < 300; cents += 7)
      for (let other = 0; other < 300; other += 11)
        assert.strictEqual(sum(cents / 100, other / 100), (cents + other) / 100)
  })

  const results: ReadonlyArray<readonly [string, number]> = [
    ...([
      ["a + b", 0.3],
      ["1.1 * 3", 3.3],
      ["100*1.1", 110],
      ["1.4 - 0.4", 1],
      ["a - -b", 0.3],
      ["-(a + b)*10", -3]
    ] as const),
    ...([
      ["1 / 3 * 3", 1],
      ["2 / 3", 2 / 3],
      ["7.5 % 2", 1.5],
      ["-7.5 % 2", -1.5],
      ["1e3 + .5", 1000.5],
      ["1.", 1]
    ] as const)
  ]
  for (const [source, value] of results) it(`${source} is ${value}`, () => assert.strictEqual(computed(source), value))

  it("whatever is more than arithmetic of numbers is left to JavaScript", () => {
    const unchangedTexts = [
      "a--b",
      "2 ** 3",
      "1 / 0",
      "text + a",
      "nothing + 1",
      "a.b + 1",
      "1px + 1",
      "5n + 1",
      "a // b",
      "010 + 1"
    ]
    for (const source of [
      ...unchangedTexts,
      "a + ",
      "(a",
      "a b",
      "1e308 * 10",
      "unknown + 1",
      "a ? b : 1",
      "'a' + 1",
      ""
    ])
      assert.isUndefined(computed(source), source)
    assert.isUndefined(computed("(".repeat(100_000)))
    assert.isUndefined(computed(Array.from({ length: 90 }, () => "1e300").join("*")))
    assert.deepStrictEqual([namesIn("a * (b - 1)"), namesIn("a"), namesIn("f(a) + 1, 2")], [["a", "b"], null, null])
  })

  it("a text of a number has no exponent, and the decimals that its field has", () => {
    const rows: ReadonlyArray<readonly [number, number | undefined, string]> = [
      [0.00000012, undefined, "0.00000012"],
      [0.00000012, 8, "0.00000012"],
      [1e21, undefined, "1000000000000000000000"],
      [1.4, undefined, "1.4"],
      [1.4, 2, "1.40"],
      [5, 2, "5.00"],
      [5, 0, "5"],
      [2.345, 2, "2.35"],
      [-0.001, 2, "0.00"],
      [-1.005, 2, "-1.01"]
    ]
    for (const [value, decimals, text] of rows) assert.strictEqual(numberText(value, decimals), text)
  })
})
