// Whatever order statements come in, and whatever fails meanwhile: nothing is lost or done twice (docs/engine.md, "Simulated schedules").
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { vi } from "vitest"
import { seedOf } from "../support/seed.ts"
import type { Plant } from "./GatedSession.ts"

vi.mock("@temporalio/workflow", async (original) => ({
  ...(await original<object>()),
  ...(await import("./workflowApi.ts")).workflowApi
}))

vi.mock("../../src/platform/sandbox/Sandbox.ts", async (original) =>
  (await import("./noScripts.ts")).withoutScripts(await original())
)

const { runSchedule } = await import("./schedule.ts")
const { violations } = await import("./invariants.ts")
const { makeWorld } = await import("./world.ts")

class Shared extends Context.Service<Shared, Effect.Success<typeof makeWorld>>()("test/SimulatedWorld") {
  static readonly layer = Layer.effect(Shared, makeWorld)
}

const SEED = seedOf("SIMULATED_SEED")
const SCHEDULES = Number(process.env["SIMULATED_SCHEDULES"] ?? 75)
/** Schedules of one test. */
const TOGETHER = 5

const judged = Effect.fnUntraced(function* (seed: number, plant?: Plant) {
  const world = yield* Shared
  const outcome = yield* runSchedule(world, seed, plant)
  return { outcome, wrong: (yield* violations(world, outcome)).map((what) => `seed ${seed}: ${what}`) }
})

const batches = Array.from({ length: Math.ceil(SCHEDULES / TOGETHER) }, (_, at) => {
  const from = SEED + at * TOGETHER
  return { from, to: Math.min(from + TOGETHER, SEED + SCHEDULES) - 1 }
})

/** What a plant breaks, found by one of the first schedules. */
const find = Effect.fnUntraced(function* (plant: Plant) {
  for (let seed = SEED; seed < SEED + 100; seed++) {
    const { outcome, wrong } = yield* judged(seed, plant)
    if (wrong.length > 0) return { seed, trace: outcome.trace, wrong }
  }
  return yield* Effect.die(new Error("no schedule finds it"))
})

const plants: ReadonlyArray<readonly [name: string, plant: Plant]> = [
  ["the claim ignores the order of a record", ["NOT blocked", "true       "]],
  ["a claim takes what is in flight", ["fence <> $", "fence <>-$"]]
]

layer(Shared.layer, { excludeTestServices: true })("simulated schedules", (it) => {
  it.effect.each(batches)("hold what they have to, seeds $from to $to", ({ from, to }) =>
    Effect.gen(function* () {
      const wrong: Array<string> = []
      for (let seed = from; seed <= to; seed++) {
        const result = yield* judged(seed)
        if (SCHEDULES === 1) console.log(result.outcome.trace.join("\n"))
        wrong.push(...result.wrong)
      }
      assert.deepStrictEqual(wrong, [])
    })
  )

  it.effect("come to the same end, step by step, from the same seed", () =>
    Effect.gen(function* () {
      for (let seed = SEED; seed < SEED + 5; seed++) {
        const { outcome } = yield* judged(seed)
        const { outcome: again } = yield* judged(seed)
        assert.deepStrictEqual(again.trace, outcome.trace, `seed ${seed}`)
      }
    })
  )

  it.effect.each(plants)("find it when %s, and find it again by their seed", ([, plant]) =>
    Effect.gen(function* () {
      const { seed, trace, wrong } = yield* find(plant)
      const { outcome: again, wrong: wrongAgain } = yield* judged(seed, plant)
      assert.deepStrictEqual(wrongAgain, wrong)
      assert.deepStrictEqual(again.trace, trace)
    })
  )
})
