// decisions P7: sizes are looked at before items, and the first that is exceeded is named.
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { bounds, countNodes, isMaxNodes, storedBounds } from "../../../src/platform/bounds/Bounds.ts"
import { cut } from "../../../src/platform/bounds/cut.ts"
import { textExcess } from "../../../src/platform/bounds/jsonText.ts"
import { anything, json, list, map, text, token } from "../../../src/platform/bounds/sized.ts"

const Item = Schema.Struct({ name: token, values: Schema.optionalKey(list(Schema.Int, 3)) })
const Body = Schema.Struct({ items: list(Item, 2), more: Schema.optionalKey(map(json(4), 2)), note: text(5) })
const findExcess = bounds(Body)

describe("decisions P7: what is too large", () => {
  it("lists, maps, texts and free values, each named by its path", () => {
    const item = { name: "a" }
    const excessOf = (body: object) => findExcess({ items: [], note: "", ...body })
    assert.isUndefined(excessOf({ items: [item, item], more: { a: [1, 2, 3], b: "x" }, note: "12345" }))
    assert.deepStrictEqual(excessOf({ items: [item, item, item] }), {
      path: ["items"],
      message: "expected at most 2 entries"
    })
    assert.deepStrictEqual(excessOf({ items: [item, { name: "b", values: [1, 2, 3, 4] }] }), {
      path: ["items", 1, "values"],
      message: "expected at most 3 entries"
    })
    assert.deepStrictEqual(excessOf({ note: "123456" }), { path: ["note"], message: "expected at most 5 characters" })
    assert.deepStrictEqual(excessOf({ more: { a: [1, 2, 3, 4] } }), {
      path: ["more", "a"],
      message: "expected at most 4 values in all"
    })
    const strays = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`stray_${index}`, 1]))
    assert.deepStrictEqual(excessOf(strays), { path: ["stray_0"], message: "unknown key, and many more" })
  })

  it("what is to be stored holds no half of a surrogate pair, named by its path; free values are their readers'", () => {
    const shape = Schema.Struct({ texts: list(text(9), 3), free: anything(9) })
    const value = { texts: ["a", "b\ud800"], free: ["\ud800"] }
    assert.deepStrictEqual(storedBounds(shape)(value)?.path, ["texts", 1])
    assert.isUndefined(bounds(shape)(value))
    assert.isUndefined(storedBounds(shape)({ ...value, texts: ["\ud83d\ude00"] }))
  })

  it("what the schema refuses anyhow is left to it", () => {
    for (const body of [null, 1, "text", [], { items: "no list" }, { items: [[]] }])
      assert.isUndefined(findExcess(body))
  })

  it("takes no longer for a body of a million items than the limit asks for", () => {
    const many = { items: Array.from({ length: 1_000_000 }, () => ({})), note: "" }
    const wide = { items: [], note: "", more: { a: Array.from({ length: 1_000_000 }, () => []) } }
    const cpuBefore = process.cpuUsage()
    for (let i = 0; i < 100; i++) {
      assert.isDefined(findExcess(many))
      assert.isDefined(findExcess(wide))
    }
    assert.isBelow(process.cpuUsage(cpuBefore).user / 1000, 3_000)
  })

  it("the same sizes hold when decoded without a look, and JSON Schema shows them", () => {
    assert.throws(
      () => Schema.decodeUnknownSync(Body)({ items: [], more: { a: [1, 2, 3, 4] }, note: "" }),
      /at most 4 values/
    )
    const { schema } = Schema.toJsonSchemaDocument(Body) as { schema: any }
    assert.strictEqual(schema.properties.items.maxItems, 2)
    assert.strictEqual(schema.properties.note.allOf?.[0]?.maxLength ?? schema.properties.note.maxLength, 5)
  })

  it("a whole may have a size besides those of its parts", () => {
    const findExcessNodes = bounds(list(list(Schema.Int, 10), 10).check(isMaxNodes(20)))
    assert.isUndefined(findExcessNodes([[1, 2, 3], [1]]))
    assert.deepStrictEqual(findExcessNodes(Array.from({ length: 10 }, () => [1, 2])), {
      path: [],
      message: "expected at most 20 values in all"
    })
  })

  it("values are counted up to the limit and no further; a text is cut for a message", () => {
    assert.strictEqual(countNodes({ a: [1, { b: null }], c: "x" }, 100), 6)
    assert.strictEqual(countNodes(Array.from({ length: 1000 }), 10), 11)
    assert.strictEqual(cut("x".repeat(100), 3), "xxx…")
    assert.strictEqual(cut("xxx", 3), "xxx")
  })
})

describe("decisions P7: JSON text before it is parsed", () => {
  it("counts values and levels outside of strings", () => {
    assert.isUndefined(textExcess(`{"a":"${",".repeat(300_000)}"}`))
    assert.isUndefined(textExcess(`{"a":"\\"${"[".repeat(1_000)}"}`))
    assert.strictEqual(textExcess(`[${"1,".repeat(200_000)}1]`), "holds more than 200000 values")
    assert.strictEqual(textExcess(`[${"{},".repeat(150_000)}{}]`), "holds more than 200000 values")
    const object = (keys: number) => `{${Array.from({ length: keys }, (_, index) => `"${index}:":1`).join()}}`
    assert.isUndefined(textExcess(`[${object(10_000)},${object(10_000)}]`))
    assert.strictEqual(textExcess(`[${object(10_001)}]`), "holds an object of more than 10000 keys")
    assert.strictEqual(textExcess("[".repeat(201)), "nests deeper than 200 levels")
    assert.isUndefined(textExcess("[".repeat(200)))
  })
})
