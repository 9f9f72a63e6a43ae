// Tells an operator all about a run at once: what failed and why, what it waits for, who or what started it, on which record, and what
// cancelling and terminating would do or have done (developer-api.md 7.11; docs/operations.md).
import { Effect, Schema } from "effect"
import type { TriggerData } from "../../domain/automations/model/RunScope.ts"
import { Runs } from "../../domain/automations/requests/Runs.ts"
import type { LogView, RunView } from "../../domain/automations/requests/runViews.ts"
import { interventions } from "../../engine/temporal/interventions.ts"
import { formatDateTime } from "../../platform/primitives/dates.ts"
import { jsonb } from "../../platform/sql/columns.ts"
import { rowOf, rowsOf } from "../../platform/sql/rows.ts"
import { Sql } from "../../platform/sql/Sql.ts"

const Facts = Schema.Struct({
  durable: Schema.Boolean,
  cancel_requested_on: Schema.NullOr(Schema.Date),
  /** True if nothing executes the run at the moment. */
  idle: Schema.Boolean,
  data: Schema.NullOr(jsonb<TriggerData>()),
  done: Schema.Int,
  /** Runs that it has called and waits for. */
  called: Schema.Int
})
type Facts = typeof Facts.Type

const UserName = Schema.Struct({ name: Schema.String })

/** Describes the wait in words: `delay until 2026-01-01 10:00:00, at "Wait", item 2`. */
const waitText = ({ waiting }: Pick<RunView, "waiting">): string | null => {
  if (waiting === null) return null
  const until = waiting.until === null ? "" : ` until ${waiting.until}`
  const iterationText = waiting.iteration.length === 0 ? "" : `, item ${waiting.iteration.map((i) => i + 1).join(".")}`
  return `${waiting.why}${until}${waiting.label === null ? "" : `, at "${waiting.label}"${iterationText}`}`
}

/** Explains the state of the run in one line: the cause of its end, or what it waits for. */
export const whyOf = (run: RunView): string | null =>
  waitText(run) ?? ([run.failure_reason, run.error_message].filter((part) => part !== null).join(": ") || null)

const count = (n: number, word: string) => `${n} ${word}${n === 1 ? "" : "s"}`

/** The step that ended it, or the last that failed without ending it. */
const failureOf = (logs: ReadonlyArray<LogView>): string | null => {
  const failed = logs.findLast(({ status, type }) => status === "failure" && type === "action")
  if (failed === undefined) return null
  const cause = failed.messages.findLast(({ level }) => level === "error")?.message ?? "no cause is given"
  return `"${failed.label}": ${cause}`
}

const endOf = (run: RunView, { done }: Facts): string => {
  switch (run.status) {
    case "completed":
      return `completed at ${run.completed_at}`
    case "failed":
      return `failed at ${run.completed_at} (${run.failure_reason}); ${count(done, "finished step")} stayed`
    case "cancelled":
      return `cancelled at ${run.completed_at}: ${run.error_message ?? "somebody asked for it"}; ${count(done, "finished step")} stayed`
    default:
      return run.waiting === null ? run.status : `${run.status}, waits`
  }
}

const cancelText = (run: RunView, { called, cancel_requested_on, done, idle }: Facts): string => {
  if (run.completed_at !== null) return "it is over: nothing"
  const calledRunsText = called === 0 ? "" : `; so do ${count(called, "run")} that it waits for`
  const stay = `${count(done, "finished step")} stay${calledRunsText}`
  if (cancel_requested_on !== null)
    return `asked for at ${formatDateTime(cancel_requested_on)}: it ends before its next step`
  return idle ? `it ends at once; ${stay}` : `the step under way is finished, then it ends; ${stay}`
}

const terminateText = (run: RunView, { durable }: Facts): string =>
  run.completed_at !== null
    ? "it is over: nothing"
    : durable
      ? interventions.automationRun.terminate.replaceAll("`", "")
      : "it has no workflow of its own: its app's actor executes it"

export const storyOf = Effect.fnUntraced(function* (runId: string) {
  const sql = yield* Sql
  const run = yield* Runs.use((runs) => runs.get("operator", runId))
  const facts = (yield* rowOf(Facts)(sql`
    SELECT r.durable, r.cancel_requested_on, t.data,
      r.status = 'pending' OR r.wait_why IS NOT NULL OR r.wait_until IS NOT NULL AS idle,
      (SELECT count(*)::int FROM run_ledger l WHERE l.run_id = r.run_id AND l.state = 'done') AS done,
      (SELECT count(*)::int FROM run_calls c JOIN runs k ON k.run_id = c.called_run_id
        WHERE c.run_id = r.run_id AND k.completed_on IS NULL) AS called
    FROM runs r LEFT JOIN run_triggers t USING (run_id) WHERE r.run_id = ${runId}::bigint`))!

  const authorText = Effect.fnUntraced(function* (author: { readonly type: string } | null | undefined) {
    if (author == null) return null
    if ("automation_id" in author) return `automation ${author.automation_id}`
    const { user_id } = author as { readonly user_id?: number }
    const [user] = yield* rowsOf(UserName)(sql`SELECT name FROM users WHERE user_id = ${user_id ?? 0}`)
    return user === undefined ? `user ${user_id}` : `user ${user_id} "${user.name}"`
  })

  const starter = Effect.gen(function* () {
    const { data } = facts
    if (run.retry_of_run_id !== null) return `a retry of run ${run.retry_of_run_id}`
    if (data?.failed_run_id !== undefined) return `run ${data.failed_run_id}, because it failed`
    const what = run.logs.find(({ type }) => type === "trigger")?.label ?? data?.type ?? "by hand"
    const by =
      data?.scheduled_at !== undefined
        ? `due at ${formatDateTime(new Date(data.scheduled_at))}`
        : data?.weblink !== undefined
          ? `click ${data.weblink.click_count}`
          : yield* authorText(data?.comment?.created_by ?? data?.record?.last_modified_by ?? data?.record?.created_by)
    const cause = run.caused_by_run_id === undefined ? [] : [`run ${run.caused_by_run_id}`]
    return [run.type === "manual" ? `${what}, by hand` : what, ...(by === null ? [] : [by]), ...cause]
      .join(", by ")
      .replace(", by due", ", due")
  })

  const { automation_id, automation_name, chain_run_id, child_run_ids, triggered_on_record_id: record } = run
  return {
    run,
    answers: {
      run: run.id,
      status: endOf(run, facts),
      failed_step: failureOf(run.logs),
      cause: run.error_message,
      waits: run.waiting === null ? null : `${waitText(run)}, since ${run.waiting.since}`,
      at_step:
        run.present_step === undefined ? null : `"${run.present_step.label}", attempts: ${run.present_step.attempts}`,
      automation: `${automation_id} "${automation_name}", revision ${run.automation_revision_id}, app ${run.app_id} "${run.app_name}"`,
      started_by: yield* starter,
      record:
        record === null
          ? null
          : `${record} "${facts.data?.record?.title ?? ""}", revision ${run.triggered_on_record_revision_id ?? "-"}`,
      chain:
        chain_run_id === undefined
          ? null
          : `began with run ${chain_run_id}${child_run_ids === undefined ? "" : `; has called ${child_run_ids.join(", ")}`}`,
      cancel: cancelText(run, facts),
      terminate: terminateText(run, facts),
      created_at: run.created_at,
      started_at: run.started_at,
      took: `${run.execution_duration_ms} ms at work, ${run.waiting_duration_ms} ms waiting, ${count(run.num_consumed_actions, "action")}`
    }
  }
})

/** The runs of a chain, each below the one that caused it. */
export const chainOf = Effect.fnUntraced(function* (runId: string, limit: number) {
  const runs = yield* Runs
  const { chain_run_id = runId } = yield* runs.get("operator", runId)
  const page = yield* runs.page("operator", { kind: "all" }, { chain_run_ids: [chain_run_id] }, limit)
  const runIds = new Set(page.automation_runs.map(({ id }) => id))
  const below = new Map<string, Array<RunView>>()
  for (const run of page.automation_runs.toReversed()) {
    const above = run.caused_by_run_id !== undefined && runIds.has(run.caused_by_run_id) ? run.caused_by_run_id : ""
    below.set(above, [...(below.get(above) ?? []), run])
  }
  const shownRuns: Array<{ readonly run: RunView; readonly depth: number }> = []
  const pendingRuns = (below.get("") ?? []).map((run) => ({ run, depth: 0 }))
  for (let next = pendingRuns.shift(); next !== undefined; next = pendingRuns.shift()) {
    const { depth, run } = next
    shownRuns.push(next)
    pendingRuns.unshift(...(below.get(run.id) ?? []).map((child) => ({ run: child, depth: depth + 1 })))
  }
  return { shown: shownRuns, total: page.total }
})
