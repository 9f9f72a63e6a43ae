// developer-api.md 7.11 rule 7: what comes while there is too much to do costs little, since it is looked at together; where a look is
// quick nobody waits for it.
import { assert, describe, it } from "vitest"
import { makePollPacing } from "../../../src/platform/fairness/pollPacing.ts"

describe("looks for work", () => {
  it("begin when they like at first", () => {
    assert.isBelow(makePollPacing().next(), 0)
  })

  it("let others gather for twice as long as the last one took, where it found few", () => {
    const { looked, next } = makePollPacing()
    looked({ from: 1000, to: 1004, found: 1 })
    assert.strictEqual(next(), 1012)
    looked({ from: 2000, to: 2050, found: 0 })
    assert.strictEqual(next(), 2150)
  })

  it("never for longer than a quarter of a second after the last one began", () => {
    const { looked, next } = makePollPacing()
    looked({ from: 1000, to: 1240, found: 1 })
    assert.strictEqual(next(), 1250)
  })

  it("follow each other where there is much to find", () => {
    const { looked, next } = makePollPacing()
    looked({ from: 1000, to: 1100, found: 1 })
    looked({ from: 1300, to: 1400, found: 500 })
    assert.isBelow(next(), 0)
  })
})
