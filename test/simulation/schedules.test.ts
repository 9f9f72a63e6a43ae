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
    const stats = world.sql`SELECT relname FROM pg_stat_user_tables WHERE n_tup_ins + n_tup_upd + n_tup_del > 0 ORDER BY 1`
    yield* world.sql`SELECT pg_stat_reset()`
    for (let seed = Number(process.env["SEED"] ?? 1); seed < Number(process.env["UNTIL"] ?? 4); seed++) {
      const t0 = performance.now()
      yield* world.reset({ hooks: [] } as never)
      console.log("reset", performance.now() - t0)
      const cpu = process.cpuUsage()
      const outcome = yield* runSchedule(world, seed)
      const wrong = yield* violations(world, outcome)
      const used = process.cpuUsage(cpu)
      console.log(seed, (used.user + used.system) / 1000, outcome.trace.length, outcome.requests.length, outcome.drained, outcome.trace.at(-1), wrong)
      if (process.env["TWICE"]) {
        const again = yield* runSchedule(world, seed)
        const at = outcome.trace.findIndex((line, i) => line !== again.trace[i])
        if (at >= 0) console.log("DIFFERS at", at, outcome.trace.slice(at - 3, at + 4), again.trace.slice(at - 3, at + 4))
        else console.log("same", again.trace.length)
      }
      if (process.env["TRACE"]) console.log(outcome.trace.join("\n"))
    }
    yield* world.sql`SELECT pg_stat_force_next_flush()`
    console.log("TABLES", (yield* stats).map((r: any) => r.relname).join(" "))
  }).pipe(Effect.scoped)
)
