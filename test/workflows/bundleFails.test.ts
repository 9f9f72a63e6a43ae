// A workflow bundle that could not be built, for want of memory or of room on the disk: the next attempt at the worker asks for it again.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"
import { behaviour } from "../engine/actors/support/behaviour.ts"
import { countWhere, eventually, layerWorker } from "../engine/actors/support/harness.ts"
import { freshSetting } from "../engine/actors/support/setting.ts"
import { append, makeTestKind } from "../engine/actors/support/testKind.ts"

const builds = vi.hoisted(() => ({ asked: 0 }))
vi.mock("../../src/engine/temporal/workflowBundle.ts", async (original) => {
  const { bundlePath } = await original<typeof import("../../src/engine/temporal/workflowBundle.ts")>()
  return {
    bundlePath: () => (builds.asked++ === 0 ? Promise.reject(new Error("no space left on device")) : bundlePath())
  }
})

describe("a worker whose bundle could not be built", () => {
  it.live("works as soon as it can be", () =>
    Effect.gen(function* () {
      const setting = yield* freshSetting()
      yield* Effect.gen(function* () {
        yield* append([{ app: 1, record: 1 }])
        yield* eventually("done", countWhere("test_done", "true"), (n) => n === 1)
        assert.isAbove(builds.asked, 1)
      }).pipe(Effect.provide(layerWorker(setting, makeTestKind(behaviour))))
    }).pipe(Effect.scoped)
  )
})
