// Times of a run's steps (docs/console.md): from the seconds of the log and the exact durations; and the search of their values.
import { assert, describe, it } from "@effect/vitest"
import { timelineOf } from "../../../console/src/pages/runs/timeline.ts"
import { MOST_MATCHES, searchJson } from "../../../console/src/ui/json/jsonSearch.ts"

const millis = (text: string) => Date.parse(`${text.replace(" ", "T")}Z`)
const entry = (at: string, duration_ms?: unknown) => ({ at: millis(at), detail: { duration_ms } })

describe("the timeline of a run", () => {
  it("steps begin where the one before ended, and gaps of more than a second are waits", () => {
    const log = [
      entry("2026-04-01 09:00:00"),
      entry("2026-04-01 09:00:00", 120),
      entry("2026-04-01 09:00:00", 80),
      entry("2026-04-01 09:05:00", 2_000)
    ]
    assert.deepStrictEqual(timelineOf(log, millis("2026-04-01 09:00:00"), millis("2026-04-01 09:05:01")), {
      steps: [
        { begin: 0, took: 0, waited: 0 },
        { begin: 0, took: 120, waited: 0 },
        { begin: 120, took: 80, waited: 0 },
        { begin: 298_000, took: 2_000, waited: 297_800 }
      ],
      length: 301_000
    })
  })

  it("begins with its first step where no beginning is named", () => {
    const { length, steps } = timelineOf([entry("2026-04-01 09:00:09", 9_000), entry("2026-04-01 09:00:10", 1_000)])
    assert.deepStrictEqual(
      steps.map(({ begin }) => begin),
      [0, 9_000]
    )
    assert.strictEqual(length, 10_000)
  })

  it("durations that are no numbers count as none, and ten thousand steps are in order", () => {
    const odd = [entry("2026-04-01 09:00:00", "12"), entry("2026-04-01 09:00:00", -4), entry("2026-04-01 09:00:00")]
    assert.deepStrictEqual(
      timelineOf(odd).steps.map(({ took }) => took),
      [0, 0, 0]
    )
    const { length, steps } = timelineOf(Array.from({ length: 10_000 }, () => entry("2026-04-01 09:00:00", 3)))
    assert.strictEqual(length, 30_000)
    assert.isTrue(steps.every(({ begin }, i) => begin === i * 3))
  })
})

describe("the search of a JSON value", () => {
  it("finds names and values in their order, whatever the case, with the way to each", () => {
    const value = { order: { Name: "Tern", lines: [{ name: "rope" }, { sku: "NAME-7" }] }, total: null }
    assert.deepStrictEqual(searchJson(value, " name "), {
      firstMatches: [
        { path: "order.Name", value: "Tern" },
        { path: "order.lines.0.name", value: "rope" },
        { path: "order.lines.1.sku", value: "NAME-7" }
      ],
      total: 3
    })
    assert.strictEqual(searchJson(value, "harbor").total, 0)
  })

  it("shows the first hundred of many, and looks into values that are nested a hundred thousand deep", () => {
    const { firstMatches: shown, total } = searchJson(
      Array.from({ length: 5_000 }, (_, id) => ({ id })),
      "id"
    )
    assert.deepStrictEqual([shown.length, total], [MOST_MATCHES, 5_000])
    let deep: unknown = "rope"
    for (let i = 0; i < 100_000; i++) deep = { in: deep }
    assert.strictEqual(searchJson(deep, "rope").firstMatches[0]?.path.split(".").length, 100_000)
  })
})
