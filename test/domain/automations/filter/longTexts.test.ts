// decisions A6, A11, P8: texts as long as a record holds them, under as many conditions as there may be.
import { assert, it } from "@effect/vitest"
import { type ComparedSubject, decide } from "../../../../src/domain/automations/filter/comparison.ts"
import { cpuMillis } from "../../../support/turns.ts"

const LONG = 150_000
const CONDITIONS = 1_000

const text = (one: string): ComparedSubject => ({ set: "TEXT", texts: [one], cased: true })
const has = (subject: ComparedSubject, wanted: string) => decide(subject, "contains", { type: "text", text: wanted })

it("a text is brought to the form in which it is compared once, not for each condition", () => {
  const long = text("Salt  and rope\n".repeat(LONG / 15))
  const spent = cpuMillis(() => {
    for (let n = 0; n < CONDITIONS; n++) assert.isFalse(has(long, `rope ${n}`))
    assert.isTrue(has(long, "ROPE   salt"))
  })
  assert.isBelow(spent, 5_000)
})

it("a value that nearly stands everywhere in the text takes no longer than any other", () => {
  const half = "a".repeat(LONG / 4)
  const spent = cpuMillis(() => assert.isFalse(has(text("a".repeat(LONG)), `${half}b${half}`)))
  assert.isBelow(spent, 500)
})
