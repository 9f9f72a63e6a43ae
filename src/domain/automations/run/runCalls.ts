// Rows of the calls of a step that waits for their results (developer-api.md 7.13 `wait_for_result`).
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { rowsOf } from "../../../platform/sql/rows.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import { runHolder } from "../../records/files/File.ts"
import type { AwaitedBy } from "../model/fireCommand.ts"
import type { Plan, PlanNode } from "../model/Plan.ts"
import { RunType } from "../model/RunScope.ts"
import { RunStatus } from "./RunRow.ts"
import { summaryColumn } from "./runSummary.ts"
import { RunAddress } from "./runWorkflowId.ts"

export const awaitsResult = ({ action, kind }: PlanNode): boolean =>
  kind === "call" && action.config["wait_for_result"] === true

export const awaitsResults = ({ nodes }: Plan): boolean => [...nodes.values()].some(awaitsResult)

export type CallPlace = Pick<AwaitedBy, "run_id" | "path" | "iteration">

/** Call of a step, and the run that it started. */
const RunCall = Schema.Struct({
  record_id: Schema.Int,
  called_run_id: Schema.NullOr(Schema.String),
  /** Reason why the call started no run, in the words of the filter decision. */
  refused: Schema.NullOr(Schema.String),
  /** Null: there is no run, or it was deleted. */
  status: Schema.NullOr(RunStatus),
  error_message: Schema.NullOr(Schema.String)
})
export type RunCall = typeof RunCall.Type

/** Run whose workflow is started by the caller's workflow. */
const ReadyRun = Schema.Struct({
  ...RunAddress.fields,
  record_id: Schema.NullOr(Schema.Int),
  type: RunType,
  root_run_id: Schema.NullOr(Schema.String),
  filtering_on: Schema.NullOr(Schema.Date),
  summary: Schema.String
})
export type ReadyRun = typeof ReadyRun.Type

const Declared = Schema.Struct({ custom_type: Schema.String, label: Schema.String })
const OpenCaller = Schema.Struct({ run_id: Schema.String })

export const isOpen = ({ called_run_id, refused, status }: RunCall): boolean =>
  refused === null && (called_run_id === null || status === "pending" || status === "running")

export const makeRunCalls = (sql: Sql) => {
  const matchesPlace = ({ iteration, path, run_id }: CallPlace) =>
    sql`c.run_id = ${run_id}::bigint AND c.path = ${path} AND c.iteration = ${iteration}`

  /** Inserts the calls; call it in their transaction. */
  const begin = ({ iteration, path, run_id }: CallPlace, recordIds: ReadonlyArray<number>) =>
    sql`INSERT INTO run_calls (run_id, path, iteration, record_id)
      SELECT ${run_id}::bigint, ${path}, ${iteration}, id
      FROM unnest(${recordIds.map(String)}::text[]::bigint[]) WITH ORDINALITY AS r (id, n) ORDER BY n
      ON CONFLICT DO NOTHING`

  /** Returns the calls in the order in which they were made. */
  const loadCalls = (place: CallPlace): Effect.Effect<ReadonlyArray<RunCall>, SqlError> =>
    rowsOf(RunCall)(sql`
    SELECT c.record_id, c.called_run_id::text, c.refused, r.status, r.error_message
    FROM run_calls c LEFT JOIN runs r ON r.run_id = c.called_run_id WHERE ${matchesPlace(place)} ORDER BY c.call_id`)

  const loadReady = (place: CallPlace): Effect.Effect<ReadonlyArray<ReadyRun>, SqlError> =>
    rowsOf(ReadyRun)(sql`
    SELECT r.run_id::text, r.automation_id, r.org_id, r.app_id, r.record_id, r.type, r.root_run_id::text, r.filtering_on,
      ${summaryColumn(sql)}
    FROM run_calls c JOIN runs r ON r.run_id = c.called_run_id JOIN automations a USING (automation_id)
    WHERE ${matchesPlace(place)} AND c.ready AND r.completed_on IS NULL ORDER BY c.call_id`)

  /** Returns the variables that the step's calls have set, in this iteration and in earlier ones. */
  const declared = ({ path, run_id }: Pick<CallPlace, "run_id" | "path">) =>
    rowsOf(Declared)(sql`
      SELECT DISTINCT v.custom_type, v.label FROM run_calls c JOIN run_variables v ON v.run_id = c.called_run_id
      WHERE c.run_id = ${run_id}::bigint AND c.path = ${path}`)

  /** Marks calls that started no run, with the reason. */
  const refuse = (refused: ReadonlyArray<AwaitedBy & { readonly why: string }>) =>
    sql`UPDATE run_calls c SET refused = i.why
      FROM jsonb_to_recordset(${JSON.stringify(refused)}::jsonb) AS i (run_id bigint, path text, iteration text,
        record_id bigint, why text)
      WHERE c.run_id = i.run_id AND c.path = i.path AND c.iteration = i.iteration AND c.record_id = i.record_id`

  /** Returns the calling runs that are still open, locked so that they cannot end before this transaction does. */
  const openCallers = (runIds: ReadonlyArray<string>) =>
    Effect.map(
      rowsOf(OpenCaller)(sql`SELECT run_id::text FROM runs WHERE run_id = ANY(${[...runIds]}::text[]::bigint[])
        AND completed_on IS NULL ORDER BY run_id FOR SHARE`),
      (rows) => new Set(rows.map(({ run_id }) => run_id))
    )

  const startable = (runId: string) => sql`UPDATE run_calls SET ready = true WHERE called_run_id = ${runId}::bigint`

  /** Gives the caller the files that the variables of called runs name (decisions A21). */
  const holdFilesOf = (runId: string, called: ReadonlyArray<string>) =>
    sql`INSERT INTO file_holds (file_id, holder)
      SELECT DISTINCT file_id, ${runHolder(runId)} FROM file_holds WHERE holder = ANY(${called.map(runHolder)}::text[])
      ON CONFLICT DO NOTHING`

  return { holdFilesOf, begin, declared, of: loadCalls, ready: loadReady, refuse, openCallers, startable }
}
