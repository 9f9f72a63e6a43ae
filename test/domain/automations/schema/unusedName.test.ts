// decisions P8: names for what a script refers to, in linear time.
import { assert, it } from "@effect/vitest"
import { unusedName } from "../../../../src/domain/automations/schema/unusedName.ts"
import { cpuMillis } from "../../../support/turns.ts"

it("a name that the text does not hold, short whatever it holds", () => {
  const texts = ["1 + 1", "$ref", "$ref0_ + $ref1_", "$ref$ref0_", "$ref00_", `$ref${"$".repeat(200_000)}`]
  const many = Array.from({ length: 30_000 }, (_, n) => `$ref${n}_`).join("")
  const spent = cpuMillis(() => {
    for (const text of [...texts, many, `$ref${"1".repeat(200_000)}`]) {
      const name = unusedName(text)
      assert.isFalse(text.includes(name), name)
      assert.isBelow(name.length, 12)
    }
  })
  assert.strictEqual(unusedName("a"), "$ref")
  assert.isBelow(spent, 1_000)
})
