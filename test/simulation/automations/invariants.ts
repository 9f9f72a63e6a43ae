// What holds after every schedule of automations, whatever has gone wrong in it (docs/engine.md, "Simulated schedules").
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Outcome } from "../Outcome.ts"
import type { Automations } from "./automationWorld.ts"
import type { DrawnAutomations } from "./drawnAutomations.ts"
import { effectFaults } from "./effects.ts"
import { type Event, eventsOf, type Run, runsOf } from "./runRows.ts"
import { runFaults } from "./runs.ts"

/** Limits that a commit has exceeded. */
const exceeded = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ what: string }>`SELECT DISTINCT what FROM observed_faults ORDER BY what`, (rows) =>
    rows.map(({ what }) => what)
  )

export const violations = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  seeded: Automations,
  outcome: Outcome<DrawnAutomations>
) {
  const runs: ReadonlyArray<Run> = yield* runsOf(sql)
  const events: ReadonlyArray<Event> = yield* eventsOf(sql)
  return [
    ...(yield* exceeded(sql)),
    ...runFaults(seeded, outcome.drawn, events, runs),
    ...(yield* effectFaults(sql, seeded, outcome, runs))
  ]
})
