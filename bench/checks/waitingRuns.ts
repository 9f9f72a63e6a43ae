// Measures the time that many runs take to wait in a delay: from the commit of their events until each has stored its wait
// (developer-api.md 7.6), and until each has its workflow. The service has a user's settings: fifty runs of an organization execute at
// once.
import { Effect } from "effect"
import { created, makeBed } from "../support/bed.ts"
import type { Check } from "../support/Check.ts"
import { processorOf, shareOf } from "../support/processor.ts"
import { median } from "../support/statistics.ts"

const RUNS = 200
const ROUNDS = 4

export const waitingRuns: Check = {
  name: "waiting-runs",
  work: `${RUNS} runs whose first step is a delay, begun: from the events to their waits`,
  seconds: 0,
  run: Effect.fnUntraced(function* (_, say) {
    const bed = yield* makeBed("bench-waiting")
    const waitSeconds: Array<number> = []
    const workflows: Array<number> = []
    for (let round = 0; round < ROUNDS; round++) {
      // An app of its own for each, so that no round finds what the one before has made.
      const app = yield* bed.app(`Waiting ${round}`)
      const id = yield* bed.automation(app.appId, {
        trigger: created,
        actions: [{ type: "delay", config: { delay_ms: 86_400_000 } }]
      })
      const count = (which: "wait_until" | "workflow_started_on") =>
        Effect.map(
          bed.sql<{ n: number }>`
            SELECT count(${bed.sql(which)})::int AS n FROM runs WHERE automation_id = ${id}
              AND (workflow_started_on IS NOT NULL OR ${which === "wait_until"})`,
          ([row]) => row!.n
        )
      const [from, used] = [performance.now(), processorOf(bed.machine)]
      yield* bed.records(app, RUNS, true)
      yield* bed.until("waits", count("wait_until"), RUNS, 20)
      const waited = (performance.now() - from) / 1000
      yield* bed.until("workflows", count("workflow_started_on"), RUNS, 20)
      const started = (performance.now() - from) / 1000
      const cpuShares = shareOf(used, processorOf(bed.machine), started)
      const parts = (["main", "threads", "postgres", "temporal"] as const).map(
        (part) => `${part} ${cpuShares[part].toFixed(0)} %`
      )
      say(`round ${round}: waiting after ${waited.toFixed(2)} s, with workflows after ${started.toFixed(2)} s`)
      say(`  of a processor: ${parts.join(", ")}`)
      // The first is the machine's, which has done nothing of it yet.
      if (round > 0) {
        waitSeconds.push(waited)
        workflows.push(started)
      }
    }
    return [
      { what: `until ${RUNS} runs wait`, value: median(waitSeconds), unit: "s", atMost: 5 },
      { what: "until each has its workflow", value: median(workflows), unit: "s", atMost: 5 }
    ]
  }, Effect.scoped)
}
