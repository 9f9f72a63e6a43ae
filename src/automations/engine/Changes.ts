// Carries out what a change of an automation's state asks for (developer-api.md 7.2): deletion cancels its unfinished runs.
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { TemporalFailed } from "../../temporal/TemporalFailed.ts"
import type { AutomationChanged } from "../commands.ts"
import { Runner } from "./Runner.ts"
import { RunWorkflows } from "./RunWorkflows.ts"

export class Changes extends Context.Service<
  Changes,
  {
    readonly carryOut: (
      change: AutomationChanged,
      place: { readonly app_id: number; readonly org_id: number }
    ) => Effect.Effect<void, SqlError | TemporalFailed>
  }
>()("millrace/automations/engine/Changes") {
  static readonly layer = Layer.effect(
    Changes,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const runner = yield* Runner
      const workflows = yield* RunWorkflows

      const cancelAll = Effect.fnUntraced(function* (automationId: number) {
        const open = yield* sql<{ run_id: string; durable: boolean }>`
          SELECT run_id::text, durable FROM runs WHERE automation_id = ${automationId} AND completed_on IS NULL`
        for (const run of open) {
          yield* runner.cancel(run.run_id)
          if (run.durable) yield* workflows.wake({ run_id: run.run_id, automation_id: automationId })
        }
      })

      return Changes.of({
        carryOut: Effect.fnUntraced(function* ({ automation_id, change }) {
          if (change === "deleted") yield* cancelAll(automation_id)
        })
      })
    })
  )
}
