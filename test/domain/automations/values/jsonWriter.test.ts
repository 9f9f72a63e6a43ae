// decisions "JSON in templates": what a reference puts into JSON text is one value at its place, whoever wrote it.
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { jsonWriter } from "../../../../src/domain/automations/values/jsonWriter.ts"

type Part = string | { readonly ref: string }
const write = (parts: ReadonlyArray<Part>) => {
  const writer = jsonWriter()
  return parts.map((part) => (typeof part === "string" ? writer.literal(part) : writer.reference(part.ref))).join("")
}

it.prop("any text stays within its place, quoted or not", [Schema.String, Schema.String], ([one, other]) => {
  const text = write(['{"a": "', { ref: one }, '", "b": ', { ref: `x${other}` }, ', "c": [', { ref: `x${one}` }, "]}"])
  assert.deepStrictEqual(JSON.parse(text), { a: one, b: `x${other}`, c: [`x${one}`] })
})

it("what is JSON stands as it is; in a list several values; at the top and among members everything", () => {
  const cases: ReadonlyArray<readonly [ReadonlyArray<Part>, string]> = [
    [['{"n": ', { ref: "2.5" }, ', "o": ', { ref: '{"a":[1]}' }, "}"], '{"n": 2.5, "o": {"a":[1]}}'],
    [['{"t": ', { ref: "Open" }, "}"], '{"t": "Open"}'],
    [['{"t": ', { ref: "" }, "}"], '{"t": }'],
    [["[", { ref: "1, 2" }, ", ", { ref: "a, b" }, "]"], '[1, 2, "a, b"]'],
    [["[", { ref: "" }, "]"], "[]"],
    [['{"n": ', { ref: "1" }, { ref: "2" }, "}"], '{"n": 12}'],
    [["{", { ref: '"a": 1' }, "}"], '{"a": 1}'],
    [[{ ref: "challenge" }], "challenge"],
    [['{"\\"q": "', { ref: '"' }, '", "k": ', { ref: "1, 2" }, "}"], '{"\\"q": "\\"", "k": "1, 2"}']
  ]
  for (const [parts, text] of cases) assert.strictEqual(write(parts), text)
})
