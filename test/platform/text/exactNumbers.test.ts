// Numbers of JSON that a double cannot hold (decisions A29): what the one reader of all entry points makes of them.
import { assert, describe, it } from "@effect/vitest"
import { open } from "../../../src/interfaces/mcp/rpcEnvelope.ts"
import { quoteInexact } from "../../../src/platform/text/exactNumbers.ts"

const read = (text: string): unknown => JSON.parse(quoteInexact(text))

describe("numbers that JavaScript would change (A29)", () => {
  const texts = [
    "9007199254740993",
    "-9007199254740993",
    "7615917337495251231",
    // Held by a double, and still one of many ids.
    "9007199254740994",
    "10000000000000000",
    "1e400",
    "-1e400",
    "1E+400",
    "1e99999",
    "1e-400",
    "0.12345678901234567890",
    "12345678901234567.5",
    "123456789012345678.0"
  ]
  for (const literal of texts)
    it(`${literal} arrives as it is written`, () => {
      assert.strictEqual(read(literal), literal)
      assert.deepStrictEqual(read(`{"a":[ ${literal} ,1],"b":{"c":${literal}}}`), {
        a: [literal, 1],
        b: { c: literal }
      })
    })

  const numbers = ["0", "-0", "1.5", "9007199254740991", "9007199254740992", "1e22", "1.0e3", "5e-324", "0.1", "1e0005"]
  for (const literal of [...numbers, "0.30000000000000004", "1.7976931348623157e308", "0.00000000000000000000"])
    it(`${literal} is a number`, () => assert.strictEqual(read(`[${literal}]`) instanceof Array, true))
  it("and the very one", () => {
    for (const literal of numbers) assert.deepStrictEqual(read(`[${literal}]`), [JSON.parse(literal)])
  })

  it("nothing within a string changes, and what is no JSON does not become it", () => {
    const text = '{"a":"9007199254740993, \\"1e400","9007199254740993":1}'
    assert.strictEqual(quoteInexact(text), text)
    for (const broken of [
      "{9007199254740993 : 1}",
      "[12345678901234567-1]",
      "[01234567890123456789]",
      "[1234567890123456789.]"
    ])
      assert.throws(() => read(broken), SyntaxError, undefined, broken)
  })

  it("so do arguments of MCP tools, which are bodies of the API", () => {
    const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"amount":9007199254740993}}}`
    assert.include(JSON.stringify(open(call, {} as never)), `"amount":"9007199254740993"`)
  })

  it("takes linear time, whatever the exponents are: 200,000 of them are read at once", () => {
    const cpuBefore = process.cpuUsage()
    assert.lengthOf(read(`[${Array.from({ length: 200_000 }, () => "1e300").join()}]`) as Array<unknown>, 200_000)
    assert.isBelow(process.cpuUsage(cpuBefore).user / 1000, 2_000)
  })
})
