// Whatever order statements come in, and whoever dies meanwhile: nothing is lost or done twice (docs/engine.md, "Simulated schedules").
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { vi } from "vitest"

vi.mock("@temporalio/workflow", async (original) => ({ ...(await original<object>()), ...(await import("./workflowApi.ts")).workflowApi }))

const { runSchedule } = await import("./schedule.ts")
const { violations } = await import("./invariants.ts")
const { makeWorld } = await import("./world.ts")

it.live("schedules", () =>
  Effect.gen(function* () {
    const world = yield* makeWorld
    for (let seed = Number(process.env["SEED"] ?? 1); seed < Number(process.env["UNTIL"] ?? 4); seed++) {
      const cpu = process.cpuUsage()
      const outcome = yield* runSchedule(world, seed)
      const wrong = yield* violations(world, outcome)
      const used = process.cpuUsage(cpu)
      console.log(seed, (used.user + used.system) / 1000, outcome.trace.length, outcome.requests.length, outcome.drained, outcome.trace.at(-1), wrong)
      if (process.env["TRACE"]) console.log(outcome.trace.join("\n"))
    }
  }).pipe(Effect.scoped)
)
