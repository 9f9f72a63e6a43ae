// Calls the automation that handles failures when a run fails (developer-api.md 7.13 `on_failure_automation_id`). The call is a link of the
// chain like any other and is appended in the transaction of the failure. A run that was itself called for a failure calls no automation
// when it fails.
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Outbox } from "../../../engine/outbox/Outbox.ts"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { callEvent } from "../model/fireCommand.ts"
import { variableName } from "../model/RunScope.ts"
import { causeOf } from "./RunRow.ts"
import { RunAddress } from "./runWorkflowId.ts"

export interface FailedRun {
  readonly run_id: string
  /** Label of the step at which the run failed; null: it failed before its first step. */
  readonly label: string | null
}

const Row = Schema.Struct({
  ...RunAddress.fields,
  record_id: Schema.NullOr(Schema.Int),
  depth: Schema.Int,
  chain: Schema.Array(Schema.Int),
  root_run_id: Schema.NullOr(Schema.String),
  traceparent: Schema.NullOr(Schema.String),
  error_message: Schema.NullOr(Schema.String),
  called_id: Schema.Int
})
type Row = typeof Row.Type

export const makeFailureCalls = (sql: Sql, outbox: Outbox["Service"]) => {
  const eventOf = (run: Row, label: string | null) => {
    const { automation_id, record_id, run_id } = run
    const args = {
      failed_run_id: run_id,
      failed_automation_id: automation_id,
      failed_action_label: label,
      error_message: run.error_message
    }
    return callEvent(run, causeOf(run), {
      automation_id: run.called_id,
      linked: true,
      data: {
        failed_run_id: run_id,
        arguments: Object.fromEntries(Object.entries(args).map(([name, value]) => [variableName(name), value]))
      },
      record_id,
      triggering_record_id: record_id
    })
  }

  /** Appends the calls; call it in the transaction in which the runs have ended as failed. */
  return Effect.fnUntraced(function* (failed: ReadonlyArray<FailedRun>): Effect.fn.Return<void, SqlError> {
    const rows = yield* rowsOf(Row)(sql`
      SELECT r.run_id::text, r.org_id, r.app_id, r.automation_id, r.record_id, r.depth, r.chain, r.root_run_id::text,
        r.traceparent, r.error_message, f.automation_id AS called_id
      FROM runs r JOIN automations a USING (automation_id) JOIN run_triggers t USING (run_id)
        JOIN automations f ON f.automation_id = a.on_failure_automation_id AND f.app_id = a.app_id AND f.deleted_on IS NULL
      WHERE r.run_id = ANY(${failed.map(({ run_id }) => run_id)}::text[]::bigint[])
        AND r.status = 'failed' AND r.type <> 'simulation' AND NOT t.data ? 'failed_run_id'
      ORDER BY r.run_id`)
    const labels = new Map(failed.map(({ label, run_id }) => [run_id, label]))
    yield* outbox.append(
      rows.map((row) => ({ ...eventOf(row, labels.get(row.run_id) ?? null), traceparent: row.traceparent }))
    )
  })
}
