// How `npm run bench` judges its rounds (issue: two commands, "Two harnesses").
import { assert, describe, it } from "@effect/vitest"
import type { Row } from "../../bench/support/Row.ts"
import { markdown, median, summarize } from "../../bench/support/statistics.ts"

const row = (more: boolean, aim: number): Row =>
  ({ name: "reads", work: "", peer: "Peer", measure: "rate", unit: "requests/s", more, aim }) as unknown as Row

describe("the table of the bench", () => {
  it("takes medians, of two middle numbers their mean", () => {
    assert.strictEqual(median([3, 1, 2]), 2)
    assert.strictEqual(median([4, 1, 3, 2]), 2.5)
  })

  it("compares the sides within each round, so that a machine that slows down changes no ratio", () => {
    const summary = summarize(row(true, 1), [
      { ours: { rate: 1000 }, peer: { rate: 500 } },
      { ours: { rate: 100 }, peer: { rate: 50 } },
      { ours: { rate: 400 }, peer: { rate: 200 } }
    ])
    assert.deepStrictEqual(summary.ratio, { median: 2, least: 2, most: 2 })
    assert.deepStrictEqual([summary.ours.median, summary.theirs.median, summary.met], [400, 200, true])
    assert.match(markdown([summary]), /\| reads \| 400 \(100–1000\) \| 200 \(50\.0–500\) Peer \| requests\/s \| 2\.00/)
  })

  it("holds an aim where less is better from above", () => {
    const rounds = [{ ours: { rate: 12 }, peer: { rate: 10 } }]
    assert.isTrue(summarize(row(false, 1.25), rounds).met)
    assert.isFalse(summarize(row(false, 1.1), rounds).met)
    assert.isFalse(summarize(row(true, 1.25), rounds).met)
  })
})
