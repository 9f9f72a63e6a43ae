// Ids of runs that are asked for (developer-api.md 7.3): drawn with the request, so that its answer names the run that comes of it. Where
// something is still to be judged that may leave no run, none is drawn.
import { Effect, Schema } from "effect"
import { rowOf } from "../../../ground/sql/rows.ts"
import type { Sql } from "../../../ground/sql/Sql.ts"
import type { AutomationRow } from "../definitions/StoredAutomation.ts"

const Drawn = Schema.Struct({ run_id: Schema.String })

/** The record's latest comment is looked for as the run begins; without one there is no run. */
const needsComment = (automation: Pick<AutomationRow, "trigger">) =>
  automation.trigger?.type === "record_comment_or_reply_created"

export const makeGivenRunIds = (sql: Sql) => {
  const draw = Effect.map(
    rowOf(Drawn)(sql`SELECT nextval('runs_run_id_seq')::text AS run_id`),
    (drawn) => drawn!.run_id
  )
  /** @param filtered whether the automation's filter may still reject it */
  return (filtered: boolean, automation: Pick<AutomationRow, "trigger"> = { trigger: null }) =>
    filtered || needsComment(automation) ? Effect.succeed(null) : draw
}

/** As part of what fires. */
export const withRunId = (run_id: string | null) => (run_id === null ? {} : { run_id })
