// developer-api.md 7.11 rule 7: as much is under way as is taken up in time; the limit falls fast, grows slowly, and never to nothing.
import { assert, describe, it } from "vitest"
import { makeAdaptiveLimit } from "../../../src/platform/fairness/AdaptiveLimit.ts"

const OPTIONS = { least: 2, first: 10, most: 12, slowMillis: 100 }

describe("a limit that follows latency", () => {
  it("falls by a fifth when something was slow, once for all that had begun before", () => {
    const { limit, saw } = makeAdaptiveLimit(OPTIONS)
    for (let i = 0; i < 10; i++) saw({ from: i, now: 200 + i, reached: true })
    assert.strictEqual(limit(), 8)
    saw({ from: 300, now: 500, reached: true })
    assert.strictEqual(limit(), 6)
  })

  it("grows by one in a round in which it was reached, up to its most", () => {
    const { limit, saw } = makeAdaptiveLimit(OPTIONS)
    for (let i = 0; i < 11; i++) saw({ from: i, now: i + 50, reached: true })
    assert.strictEqual(limit(), 11)
    for (let i = 0; i < 100; i++) saw({ from: i, now: i + 50, reached: true })
    assert.strictEqual(limit(), 12)
  })

  it("stays where fewer were under way than may be: that more would be borne is not known", () => {
    const { limit, saw } = makeAdaptiveLimit(OPTIONS)
    for (let i = 0; i < 100; i++) saw({ from: i, now: i + 50, reached: false })
    assert.strictEqual(limit(), 10)
  })

  it("leaves some to begin however slow it is, by which it finds out that it has become faster", () => {
    const { limit, saw } = makeAdaptiveLimit(OPTIONS)
    for (let i = 0; i < 100; i++) saw({ from: i * 1000, now: i * 1000 + 500, reached: true })
    assert.strictEqual(limit(), 2)
    for (let i = 0; i < 3; i++) saw({ from: 200_000, now: 200_010, reached: true })
    assert.strictEqual(limit(), 3)
  })
})
