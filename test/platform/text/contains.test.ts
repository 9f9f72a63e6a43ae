// decisions P8: whether a text stands in another, in linear time.
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { contains } from "../../../src/platform/text/contains.ts"
import { cpuMillis } from "../../support/turns.ts"

const LONG = 150_000

it.prop(
  "says what the runtime says",
  [Schema.String, Schema.String, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 200 }))],
  ([one, other, times]) => {
    const [text, wanted] = [`${one}${other.repeat(times)}${one}`, `${other.repeat(times >> 1)}${one}`]
    assert.strictEqual(contains(text, wanted), text.includes(wanted))
    assert.isTrue(contains(text, text))
    assert.strictEqual(contains(wanted, text), wanted.includes(text))
  }
)

it("a text that nearly stands everywhere takes no longer than any other", () => {
  const text = "a".repeat(LONG)
  const half = "a".repeat(LONG / 4)
  const spent = cpuMillis(() => {
    assert.isFalse(contains(text, `${half}b${half}`))
    assert.isFalse(contains("ab".repeat(LONG / 2), `bb${"ab".repeat(LONG / 8)}`))
    assert.isTrue(contains(`${text}b${half}`, `${half}b${half}`))
  })
  // Compared at each place it is some seconds.
  assert.isBelow(spent, 500)
})
