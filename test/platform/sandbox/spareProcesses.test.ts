// SCRIPT_SPARE_PROCESSES (docs/settings.md): processes that are kept ready for organizations whose scripts have none, and none before a script.
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { asyncLimits, syncLimits } from "../../../src/platform/config/sandboxLimits.ts"
import { confinement } from "../../../src/platform/confinement/Confinement.ts"
import { make, Sandbox } from "../../../src/platform/sandbox/Sandbox.ts"
import { eventually } from "../../support/eventually.ts"
import { sync } from "./support.ts"

/** A sandbox, and how many processes it has started. */
const countedSandbox = Effect.fnUntraced(function* (spareProcesses: number) {
  const confined = yield* confinement("auto")
  const starts = { count: 0 }
  const wrap: typeof confined.way.wrap = (...args) => {
    starts.count++
    return confined.way.wrap(...args)
  }
  const sandbox = yield* make({
    sync: { ...syncLimits, wallMillis: 20_000 },
    async: asyncLimits,
    syncProcesses: 1,
    asyncProcesses: 1,
    spareProcesses,
    confined: { ...confined, way: { ...confined.way, wrap } }
  })
  const value = Effect.map(sync("6 * 7"), (result) => result.value).pipe(Effect.provideService(Sandbox, sandbox))
  return { value, startCount: Effect.sync(() => starts.count) }
})

describe("spare processes of scripts", () => {
  it.live("1: one of each kind is ready before a script, and another once it is taken", () =>
    Effect.gen(function* () {
      const { startCount, value } = yield* countedSandbox(1)
      yield* eventually("one of each kind", startCount, (count) => count === 2)
      assert.strictEqual(yield* value, 42)
      yield* eventually("another one for expressions", startCount, (count) => count === 3)
    }).pipe(Effect.scoped)
  )

  it.live("0: a script starts its own process, and nothing else is started", () =>
    Effect.gen(function* () {
      const { startCount, value } = yield* countedSandbox(0)
      assert.strictEqual(yield* value, 42)
      assert.strictEqual(yield* value, 42)
      assert.strictEqual(yield* startCount, 1)
    }).pipe(Effect.scoped)
  )
})
