// Expressions that the service evaluates itself give what a script process would (developer-api.md 8.1).
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { evaluateSimple } from "../../../src/platform/sandbox/evaluateSimple.ts"
import { DEPTH, seedOf } from "../../support/seed.ts"
import { SandboxTest, sync } from "./support.ts"

const numbers = fc.oneof(
  fc.integer({ min: -1000, max: 1000 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 0.1, 2.5, -2.5, 1e21, 1e-7, Number.MAX_SAFE_INTEGER)
)
const texts = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom("", "7", " ", "\ud800", 'quote " and \\'))
const values = fc.oneof(
  { weight: 6, arbitrary: numbers },
  { weight: 4, arbitrary: texts },
  { weight: 1, arbitrary: fc.constantFrom(null, true, [1], { a: 1 }) }
)

const { expression } = fc.letrec<{ expression: string }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom("$ref0", "$ref1", "var_a", "25", "0.5", "1e3", "' for '", '"é\\n"', "`x`"),
    fc
      .tuple(tie("expression"), fc.constantFrom("+", "-", "*", "/", "%"), tie("expression"))
      .map(([left, sign, right]) => `${left} ${sign} ${right}`),
    tie("expression").map((inside) => `(${inside})`),
    tie("expression").map((inside) => `- ${inside}`),
    tie("expression").map((inside) => `\`a \${${inside}} b\``),
    fc
      .tuple(
        fc.constantFrom("abs", "ceil", "floor", "max", "min", "round", "trunc"),
        fc.array(tie("expression"), { minLength: 1, maxLength: 3 })
      )
      .map(([name, inputs]) => `Math.${name}(${inputs.join(", ")})`)
  )
}))
const cases = fc.record({ source: expression, bindings: fc.record({ $ref0: values, $ref1: values, var_a: values }) })

const bindings = { $ref0: 130, $ref1: "Oslo", var_a: 1.5, list: [1] }

describe("an expression of numbers and texts", () => {
  it.each([
    ["Math.ceil($ref0 / 25)", 6],
    ["$ref0 + ' for ' + $ref1", "130 for Oslo"],
    [`\`\${$ref1}: \${$ref0 * 2} // \${var_a}\``, "Oslo: 260 // 1.5"],
    ["0.1 + 0.2", 0.1 + 0.2],
    ["'5' + 2", "52"],
    ["-var_a % 1 // why", -0.5],
    ["Math.max(1, $ref0, Math.round(2.5)) ; ", 130],
    ["- 0", 0]
  ])("%s", (source, value) => {
    assert.strictEqual(evaluateSimple(source, bindings), value)
  })

  it.each([
    ["a text as a number", "$ref1 * 2"],
    ["a list", "list + 1"],
    ["a name that is not bound", "var_b + 1"],
    ["another function", "Math.random() + Math.sqrt(4)"],
    ["a method", "$ref1.toUpperCase()"],
    ["a computed member", "Math['ceil'](1.5)"],
    ["a condition", "$ref0 > 1 ? 'a' : 'b'"],
    ["a number that JSON lacks", "1 / 0"],
    ["a number of another base, which the parser rounds in its own way", "0xdd1d98fe0dd9044 + $ref0"],
    ["what does not parse", "1 +"],
    ["more than one expression", "1)); ((() => 2"],
    ["a long source", `${"1 + ".repeat(200)}1`],
    ["a deep source", `${"(".repeat(240)}1${")".repeat(240)}`.padEnd(501)]
  ])("leaves %s to a script process", (_, source) => {
    assert.isUndefined(evaluateSimple(source, bindings))
  })

  it("leaves long texts and a `Math` of the author's to a script process", () => {
    const long = "x".repeat(1_001)
    assert.isUndefined(evaluateSimple("$ref0 + 1", { $ref0: long }))
    assert.isUndefined(evaluateSimple("$ref0 + $ref0", { $ref0: long.slice(0, 600) }))
    assert.isUndefined(evaluateSimple("Math.ceil(1.5)", { Math: { ceil: 1 } }))
  })
})

layer(SandboxTest, { excludeTestServices: true })("a script process", (it) => {
  it.effect("gives the same value", () =>
    Effect.gen(function* () {
      const drawn = fc.sample(cases, { seed: seedOf("expressions"), numRuns: 300 * DEPTH })
      let compared = 0
      for (const { bindings, source } of drawn) {
        const value = evaluateSimple(source, bindings)
        if (value === undefined) continue
        compared++
        const result = yield* sync(source, bindings)
        assert.deepStrictEqual(
          { value, logs: [] as ReadonlyArray<unknown> },
          { value: result.value, logs: result.logs },
          JSON.stringify({ source, bindings })
        )
      }
      assert.isAbove(compared, 50)
    })
  )
})
