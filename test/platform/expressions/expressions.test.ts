// developer-api.md 11.3: the language of expressions, what it computes and what it refuses.
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { resultCell } from "../../../src/domain/records/calculations/calculationValues.ts"
import type { CalculationSettings } from "../../../src/domain/records/fields/types/calculation.ts"
import { compileExpression, EXPRESSION_CHARS } from "../../../src/platform/expressions/compileExpression.ts"
import { newBudget, newScope } from "../../../src/platform/expressions/Expression.ts"
import { evaluateExpression } from "../../../src/platform/expressions/evaluateExpression.ts"
import { textMethods } from "../../../src/platform/expressions/functions.ts"
import { isNumber, numberValue, type Value } from "../../../src/platform/expressions/Value.ts"
import { numberOfRational } from "../../../src/platform/primitives/rational.ts"

const fields: Readonly<Record<string, Value>> = {
  price: numberValue(0.1),
  quantity: numberValue(3),
  name: "Ada",
  due: "2026-01-31",
  tags: ["red", "blue"],
  done: true,
  empty: null
}
const lines = [
  { field: (name: string): Value => (name === "amount" ? numberValue(0.1) : name === "kind" ? "a" : null) },
  { field: (name: string): Value => (name === "amount" ? numberValue(0.2) : name === "kind" ? "b" : null) }
]
const record = { field: (name: string): Value => fields[name] ?? null }
const surroundings = { record, related: () => lines, today: "2026-02-02" }

const textSettings = {
  expression: "",
  result: "text",
  decimals: null,
  unit: null,
  unit_location: "suffix"
} satisfies CalculationSettings

const plain = (value: Value): unknown =>
  isNumber(value) ? numberOfRational(value) : Array.isArray(value) ? value.map(plain) : value
const valueOf = (source: string): unknown => {
  const expression = Result.getOrThrowWith(compileExpression(source), (problem) => new Error(problem))
  return Result.match(evaluateExpression(expression, surroundings), {
    onFailure: (message) => ({ error: message }),
    onSuccess: plain
  })
}
const problemOf = (source: string): string => {
  const expression = compileExpression(source)
  return Result.isFailure(expression) ? expression.failure : assert.fail(`${source} is accepted`)
}

describe("expressions", () => {
  it.each<[string, unknown]>([
    ["price * quantity", 0.3],
    ["0.1 + 0.2", 0.3],
    ["1 / 3 * 3", 1],
    ["9007199254740993 - 9007199254740992", 1],
    ["0.10000000000000000001 - 0.1 > 0", true],
    ["0x20000000000001 + 0b11 + 0o17 + 017 - 9_007_199_254_740_992", 34],
    ["1.5e3 + .5 + 5. + 089", 1594.5],
    ["1e-400 > 0", true],
    ["7 % 4 - -2", 5],
    ["empty + 1", 1],
    ["name + ' ' + empty", "Ada "],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression
    ["`${name}: ${price * 2}`", "Ada: 0.2"],
    ["price > 1 ? 'dear' : 'cheap'", "cheap"],
    ["empty ?? 'none'", "none"],
    ["name === 'Ada' && !empty", true],
    ["due < today()", true],
    ["days_between(due, today())", 2],
    ["add_months(due, 1)", "2026-02-28"],
    ["add_days(due, -31)", "2025-12-31"],
    ["year(due) * 100 + month(due)", 202601],
    ["weekday(due)", 6],
    ["round(2.345, 2)", 2.35],
    ["Math.round(-2.5)", -3],
    ["floor(-1.2)", -2],
    ["ceil(1.2)", 2],
    ["(2.5).toFixed(2)", "2.50"],
    ["max(price, quantity, 2)", 3],
    ["min(['2026-02-01', due])", "2026-01-31"],
    ["tags.length", 2],
    ["tags.join(' + ')", "red + blue"],
    ["tags.includes('red')", true],
    ["name.toUpperCase().slice(0, 2)", "AD"],
    ["[1, 2, 3].map((n) => n * price)", [0.1, 0.2, 0.3]],
    ["sum([1, 2, 3].filter((n) => n > 1))", 5],
    ["average([1, 2, empty])", 1.5],
    ["median([3, 1, 2, 10])", 2.5],
    ["count_all([1, empty]) + count_empty([1, empty])", 3],
    ["percent_not_empty([1, empty])", 50],
    ["sum(related(lines).amount)", 0.3],
    ["related(lines).filter((line) => line.kind === 'b').length", 1],
    ["Number('12.50') + 1", 13.5],
    ["field('price') + field(\"quantity\");", 3.1],
    ["price / 0", { error: "division by zero" }],
    ["name * 2", { error: "expects a number, and there is a text" }],
    ["due + 1", "2026-01-311"],
    ["add_days('soon', 1)", { error: "expects a date `YYYY-MM-DD` or `YYYY-MM-DD HH:mm`" }]
  ])("%s", (source, value) => {
    assert.deepStrictEqual(valueOf(source), value)
  })

  it.each<[string, RegExp]>([
    ["", /must not be empty/],
    ["1 +", /^at 4: /],
    ["price price", /^at 7: must be one expression/],
    ["eval('1')", /^at 1: there is no function eval/],
    ["price.constructor", /^at 7: there is no such member/],
    ["name.__proto__.x()", /^at 16: there is no method x/],
    ["(function () {})()", /only functions that have a name/],
    ["x = 1", /^at 1: is not part of the language/],
    ["[1].map(async (x) => x)", /takes a function of one item/],
    ["new Date()", /is not part of the language/],
    ["/a+/.test(name)", /is no value of the language/],
    ["field(name + 'x')", /as it is written/],
    ["round()", /round takes 1 to 2 values/],
    ["`$" + "{`".repeat(200), /./],
    ["(".repeat(1500), /nests too deep/],
    [`${"!".repeat(3000)}1`, /nests too deep|too long/],
    ["1?1:".repeat(900), /./],
    ["1+".repeat(EXPRESSION_CHARS), /at most 4000 characters/]
  ])("refuses %s", (source, problem) => {
    assert.match(problemOf(source), problem)
  })

  it("is bounded in steps, in the size of texts, and in the size of numbers", () => {
    const many = "related(lines)"
    const cubed = `${many}.map((a) => ${many}.map((b) => ${many}.map((c) => ${many}.map((d) => 1))))`
    const crowd = { record, related: () => Array.from({ length: 500 }, () => lines[0]!), today: "2026-02-02" }
    const expression = Result.getOrThrow(compileExpression(cubed))
    const result = evaluateExpression(expression, crowd)
    assert.deepStrictEqual(result, Result.fail("takes too many steps"))
    const doubled = Array.from({ length: 30 }, () => ".replaceAll('a', 'aaaa')").join("")
    assert.match(JSON.stringify(valueOf(`'a'${doubled}`)), /more than 150000 characters/)
    const squared = `[1e300].map((a) => a * a).map((a) => a * a).map((a) => a * a)`
    assert.deepStrictEqual(valueOf(squared), { error: "the number is too large" })
    assert.match(problemOf("1e400"), /too large/)
    assert.match(problemOf(`0x${"f".repeat(2000)}`), /too large/)
    assert.match(problemOf("1e-999999999"), /too many digits/)
    assert.match(problemOf(`0.${"1".repeat(3000)}`), /too many digits/)
  })

  it("a text made of nested lists takes a step for each value in it", () => {
    const nested = (depth: number) => `[0]${".map((a) => [a, a])".repeat(depth)}`
    for (const list of [nested(18), nested(60)]) {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: an expression
      const template = "`${LIST}`"
      for (const source of [
        "LIST.join()",
        "String(LIST)",
        "Number(LIST)",
        "concat(name, LIST)",
        "name + LIST",
        "LIST + name",
        template,
        "name.includes(LIST)",
        "name.startsWith(LIST)",
        "name.split(LIST)",
        "name.replaceAll('a', LIST)"
      ])
        assert.deepStrictEqual(valueOf(source.replace("LIST", list)), { error: "takes too many steps" }, source)
      const value = evaluateExpression(Result.getOrThrow(compileExpression(list)), surroundings)
      assert.deepStrictEqual(
        Result.flatMap(value, (one) => resultCell(one, textSettings, newBudget())),
        Result.fail("takes too many steps")
      )
    }
    assert.strictEqual(valueOf("[[1, 'a'], [], empty, [true, [2]]].join('; ')"), "1, a; ; ; true, 2")
    const long = Array.from({ length: 10 }, () => "'x'.padStart(20000)").join(", ")
    assert.deepStrictEqual(valueOf(`[[${long}]].join()`), { error: "makes a text of more than 150000 characters" })
  })

  it("a search pays for what it may compare, by the length of both texts", () => {
    const sought = (length: number) => `${"a".repeat(length)}b${"a".repeat(length)}`
    const steps = (method: string, text: string, ...rest: ReadonlyArray<string>) => {
      const { budget, ...scope } = newScope(surroundings, newBudget())
      const before = budget.left
      textMethods[method]!.run([text, ...rest], { ...scope, budget })
      return before - budget.left
    }
    for (const [method, ...rest] of [["includes"], ["split"], ["replaceAll", "c"]] as const) {
      assert.isAtLeast(steps(method, "a".repeat(50_000), sought(1_000), ...rest), (48_000 * 2_000) / 10_000)
      assert.isAtMost(steps(method, "a".repeat(5_000), "aab", ...rest), 105)
      const source = `'a'.padStart(150000, 'a').${method}('${sought(600)}'.padStart(20001, 'a')${rest.map((one) => `, '${one}'`)})`
      assert.deepStrictEqual(valueOf(source), { error: "takes too many steps" }, method)
    }
    assert.isTrue(valueOf("'a'.padStart(5000, 'a').includes('a'.padStart(5000, 'a'))"))
    assert.isFalse(valueOf("name.includes('a'.padStart(150000))"))
  })

  it("long numbers and the comparison of long texts pay for the time that they take", () => {
    const fractions = (count: number) =>
      Array.from({ length: count }, (_, at) => `1 / ${10 ** 9 + 2 * at + 1}`).join(" + ")
    const many = "related(lines).map((a) => [1, 2, 3, 4, 5, 6, 7, 8].map((b) => EACH)).length"
    const each = (list: string, source: string) => `[${list}].map((one) => ${many.replace("EACH", source)}).length`
    const crowd = { record, related: () => Array.from({ length: 100 }, () => lines[0]!), today: "2026-02-02" }
    const resultOf = (source: string) =>
      evaluateExpression(Result.getOrThrow(compileExpression(source)), crowd).pipe(Result.map(plain))
    const spent = Result.fail("takes too many steps")
    const long = `(${fractions(120)})`
    const text = "'a'.padStart(100000, 'a')"
    for (const source of ["one + 1", "one * 2", "one > 1", "one + ''", "sum([one, one])", "max([one, one])"]) {
      assert.deepStrictEqual(resultOf(each("1 / 3", source)), Result.succeed(1), source)
      assert.deepStrictEqual(resultOf(each(long, source)), spent, source)
    }
    for (const source of ["one === (one + 'b')", "one.startsWith(one)", "[one].includes(one)", "max([one, one])"])
      assert.deepStrictEqual(resultOf(each(text, source)), spent, source)
    // Long denominators have a common divisor that takes long to find.
    const [one, other] = [fractions(60), fractions(60).replaceAll("1 / 1", "1 / 3")]
    const ofBoth = (source: string) =>
      resultOf(
        `[${one}].map((a) => [${other}].map((b) => related(lines).map((line) => ${source}).length).length).length`
      )
    assert.deepStrictEqual(ofBoth("a * b"), Result.succeed(1))
    assert.deepStrictEqual(ofBoth("a + b"), spent)
  })

  it("sums of fractions over many records stay exact and affordable", () => {
    const records = Array.from({ length: 1_000 }, (_, at) => ({
      field: (name: string): Value => numberValue(name === "price" ? at / 100 : 1 + (at % 300))
    }))
    const result = evaluateExpression(
      Result.getOrThrow(compileExpression("round(average(related(lines).map((one) => one.price / one.quantity)), 6)")),
      { record, related: () => records, today: "2026-02-02" }
    )
    const expectedSum = records.reduce((sum, _, at) => sum + at / 100 / (1 + (at % 300)), 0) / 1_000
    assert.closeTo(plain(Result.getOrThrow(result)) as number, expectedSum, 0.000_001)
  })

  it("fails where JavaScript comes to a bound of its own", () => {
    const beyond = { field: (): Value => "x".repeat(2 ** 30) }
    const expression = Result.getOrThrow(compileExpression("name"))
    assert.deepStrictEqual(
      evaluateExpression(expression, { ...surroundings, record: beyond }),
      Result.fail("gives a text or number that is too large, or nests too deep")
    )
  })

  it("names what it uses", () => {
    const { uses } = Result.getOrThrow(compileExpression("price + sum(related('lines').amount) + day(today())"))
    assert.deepStrictEqual(
      [[...uses.fields], [...uses.relations], [...uses.members], uses.today],
      [["price"], ["lines"], ["amount"], true]
    )
  })
})
