// What several steps leave is kept once for each key, and in order (developer-api.md 7.6: the last output is the one that is meant).
import { assert, describe, it } from "@effect/vitest"
import { lastOf } from "../../../../src/domain/automations/run/runEntries.ts"

describe("outputs of steps that are committed together", () => {
  it("stand where they came last, not where they came first", () => {
    const appSteps = ["app 9", "app 4", "app 9"].map((app, step) => ({ app, step }))
    assert.deepStrictEqual(
      lastOf(appSteps, ({ app }) => app),
      [
        { app: "app 4", step: 1 },
        { app: "app 9", step: 2 }
      ]
    )
  })
})
