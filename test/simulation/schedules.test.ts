// Whatever order statements come in, and whatever fails meanwhile: nothing is lost or done twice (docs/engine.md, "Simulated schedules").
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { vi } from "vitest"
import { seedOf } from "../support/seed.ts"
import type { Plant } from "./sentBytes.ts"

vi.mock("@temporalio/workflow", async (original) => ({
  ...(await original<object>()),
  ...(await import("./workflowApi.ts")).workflowApi
}))

vi.mock("../../src/platform/sandbox/Sandbox.ts", async (original) =>
  (await import("./noScripts.ts")).withoutScripts(await original())
)

vi.mock("../../src/platform/sql/Pool.ts", async (original) =>
  (await import("./gatedPool.ts")).withGates(await original())
)

const { makeWorlds } = await import("./worlds.ts")

class Shared extends Context.Service<Shared, Effect.Success<typeof makeWorlds>>()("test/SimulatedWorlds") {
  static readonly layer = Layer.effect(Shared, makeWorlds)
}
type Kind = "webhooks" | "automations"

/** Seed and number of the schedules of each kind. */
const SUITE: Readonly<Record<Kind, readonly [seed: number, schedules: number]>> = {
  webhooks: [20_260_211, 75],
  automations: [20_260_296, 125]
}
/** Schedules of one test. */
const TOGETHER = 5
/** Schedules that are played twice. */
const REPLAYED = 5

const kinds = (Object.keys(SUITE) as ReadonlyArray<Kind>).filter(
  (kind) => (process.env["SIMULATED_KIND"] ?? kind) === kind
)
const seedOfKind = (kind: Kind) => seedOf("SIMULATED_SEED", SUITE[kind][0])
const schedulesOf = (kind: Kind) => Number(process.env["SIMULATED_SCHEDULES"] ?? SUITE[kind][1])

const play = (kind: Kind, seed: number, plant?: Plant) => Effect.flatMap(Shared, (worlds) => worlds[kind](seed, plant))

const batches = kinds.flatMap((kind) => {
  const [seed, schedules] = [seedOfKind(kind), schedulesOf(kind)]
  return Array.from({ length: Math.ceil(schedules / TOGETHER) }, (_, at) => {
    const from = seed + at * TOGETHER
    return { kind, from, to: Math.min(from + TOGETHER, seed + schedules) - 1 }
  })
})

interface Planted {
  readonly what: string
  readonly kind: Kind
  readonly plant: Plant
  /** Schedules before the first that finds it in the suite. */
  readonly skippedSchedules: number
}

const plants: ReadonlyArray<Planted> = [
  {
    ...{ what: "the claim ignores the order of a record", kind: "webhooks", skippedSchedules: 5 },
    plant: ["NOT blocked", "true       "]
  },
  {
    what: "a claim takes what is in flight",
    kind: "webhooks",
    skippedSchedules: 5,
    plant: ["fence <> $", "fence <>-$"]
  },
  {
    ...{ what: "a limit does not count runs under way", kind: "automations", skippedSchedules: 30 },
    plant: ["AND turn_wanted_on IS NULL AND wait_why", "AND turn_wanted_on < now() AND wait_why"]
  },
  {
    ...{ what: "the claim of automations ignores the order of a record", kind: "automations", skippedSchedules: 55 },
    plant: ["AND nth = 1 AND due_at", "AND nth > 0 AND due_at"]
  }
]

/** What a plant breaks, found by one of the first schedules. */
const find = Effect.fnUntraced(function* ({ skippedSchedules, kind, plant }: Planted) {
  const firstSeed = seedOfKind(kind) + skippedSchedules
  for (let seed = firstSeed; seed < firstSeed + 100; seed++) {
    const { trace, wrong } = yield* play(kind, seed, plant)
    if (wrong.length > 0) return { seed, trace, wrong }
  }
  return yield* Effect.die(new Error("no schedule finds it"))
})

layer(Shared.layer, { excludeTestServices: true })("simulated schedules", (it) => {
  it.effect.each(batches)("hold what they have to, $kind, seeds $from to $to", ({ from, kind, to }) =>
    Effect.gen(function* () {
      const wrong: Array<string> = []
      for (let seed = from; seed <= to; seed++) {
        const result = yield* play(kind, seed)
        if (schedulesOf(kind) === 1) console.log(result.trace.join("\n"))
        wrong.push(...result.wrong)
      }
      assert.deepStrictEqual(wrong, [])
    })
  )

  it.effect("have a database that notes by which commit a limit is exceeded", () =>
    Effect.gen(function* () {
      const { notedFaults } = yield* Shared
      const runs = /^3 runs of automation \d+ are under way at once, not 2$/
      const [slots, limit] = yield* notedFaults
      assert.strictEqual(slots, "3 concurrency slots are taken at once, not 2")
      assert.match(limit ?? "", runs)
    })
  )

  it.effect.each(kinds)("come to the same end, step by step, from the same seed: %s", (kind) =>
    Effect.gen(function* () {
      const firstSeed = seedOfKind(kind)
      const seeds = Array.from({ length: REPLAYED }, (_, at) => firstSeed + at)
      const traces = new Map<number, ReadonlyArray<string>>()
      for (const seed of seeds) traces.set(seed, (yield* play(kind, seed)).trace)
      for (const seed of seeds.toReversed())
        assert.deepStrictEqual((yield* play(kind, seed)).trace, traces.get(seed), `seed ${seed}`)
    })
  )

  it.effect.each(plants)("find it when $what, and find it again by their seed", (planted) =>
    Effect.gen(function* () {
      const { seed, trace, wrong } = yield* find(planted)
      const { trace: traceAgain, wrong: wrongAgain } = yield* play(planted.kind, seed, planted.plant)
      assert.deepStrictEqual(wrongAgain, wrong)
      assert.deepStrictEqual(traceAgain, trace)
    })
  )
})
