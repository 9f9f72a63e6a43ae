// developer-api.md 4.2: which option a text names, in the same time however many options there are; a cell names a thousand values at most.
import { assert, describe, it } from "@effect/vitest"
import { readText } from "../../../src/domain/imports/cellValues.ts"
import type { ReadContext } from "../../../src/domain/imports/csvField.ts"
import { optionNamed } from "../../../src/domain/imports/optionTexts.ts"

const context: ReadContext = {
  person: () => ({ id: 7 }),
  related: () => ({ id: 9 }),
  decimal: ".",
  slashes: "day first",
  toUtc: (wallTime) => wallTime
}
const fieldOf = (field_type: string, settings: object = {}) => ({
  ...{ field_id: 1, field_type, label: "Kind", external_id: "kind", config: { required: false, settings } }
})

describe("options by their texts", () => {
  it("are found by the exact text first, then by case and blanks aside, then by letters and digits alone", () => {
    const options = ["In Progress", "in progress", "Café-Bar", "Tea", "TEA!", "…"].map((text, id) => ({ id, text }))
    const idOf = (text: string) => optionNamed(text, options)
    assert.deepStrictEqual(idOf("in progress"), { id: 1 })
    assert.deepStrictEqual(idOf(" IN PROGRESS"), { refused: "“IN PROGRESS” is the text of several options" })
    assert.deepStrictEqual(idOf("cafe bar"), { id: 2 })
    assert.deepStrictEqual(idOf("tea"), { id: 3 })
    assert.deepStrictEqual(idOf("t-e-a"), { refused: "“t-e-a” is the text of several options" })
    assert.deepStrictEqual(idOf("…"), { id: 5 })
    assert.deepStrictEqual(idOf("!"), { refused: "“!” is no option", missing: ["!"] })
    assert.deepStrictEqual(optionNamed("x"), { refused: "“x” is no option", missing: ["x"] })
  })

  it("read the texts of a field's options once, not for each cell", () => {
    let reads = 0
    const options = Array.from({ length: 500 }, (_, id) => ({
      id,
      get text() {
        reads++
        return `Option ${id}`
      }
    }))
    // The API's answer of a field is made anew for each cell; the list of options is the definition's.
    for (let cell = 0; cell < 100; cell++) {
      const field = fieldOf("multi_category", { options })
      assert.deepStrictEqual(readText("option 3; OPTION-4", field, context), { input: [3, 4] })
    }
    assert.isAtMost(reads, 10 * options.length)
  })

  it("and people, records and entries are a thousand at most in one cell", () => {
    const options = [{ id: 5, text: "x" }]
    const refusal = { refused: "it names more than 1,000 values" }
    const cells = [
      ["multi_category", "x", { input: [5] }],
      ["multi_user", "x", { input: [7] }],
      ["multi_relation", "x", { input: [9] }]
    ] as const
    for (const [type, text, read] of cells) {
      const readTimes = (times: number) => readText(`${text};`.repeat(times), fieldOf(type, { options }), context)
      assert.deepStrictEqual([readTimes(1_000), readTimes(1_001)], [read, refusal], type)
    }
    for (const [type, text] of [
      ["multi_phone", "1"],
      ["checklist", "x"],
      ["multi_link", "https://x.example"],
      ["multi_email", "a@x.example"]
    ] as const) {
      assert.property(readText(`${text};`.repeat(1_000), fieldOf(type), context), "input", type)
      assert.deepStrictEqual(readText(`${text};`.repeat(1_001), fieldOf(type), context), refusal, type)
    }
    const commas = readText("x,".repeat(1_001), fieldOf("multi_category", { options }), context)
    assert.property(commas, "refused")
  })
})
