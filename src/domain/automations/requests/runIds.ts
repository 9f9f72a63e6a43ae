// Reserves ids of requested runs (developer-api.md 7.3), so that the response names the future run. No id is reserved if a later check may
// leave no run.
import { Effect, Schema } from "effect"
import { rowOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { AutomationRow } from "../definitions/StoredAutomation.ts"

const Drawn = Schema.Struct({ run_id: Schema.String })

/** The record's latest comment is read when the run begins; without one there is no run. */
const needsComment = (automation: Pick<AutomationRow, "trigger">) =>
  automation.trigger?.type === "record_comment_or_reply_created"

export const makeRunIds = (sql: Sql) => {
  const draw = Effect.map(
    rowOf(Drawn)(sql`SELECT nextval('runs_run_id_seq')::text AS run_id`),
    (drawn) => drawn!.run_id
  )
  /** @param filtered true if the automation's filter may still reject it */
  return (filtered: boolean, automation: Pick<AutomationRow, "trigger"> = { trigger: null }) =>
    filtered || needsComment(automation) ? Effect.succeed(null) : draw
}

/** Part of the fire command that carries the id. */
export const withRunId = (run_id: string | null) => (run_id === null ? {} : { run_id })
