// Metrics of runs: their ends, ended steps by type, retries, credits. Counted after the commit.
import { Effect, Schema } from "effect"
import { counter, histogram } from "../../../platform/metrics/instruments.ts"
import type { Sql } from "../../../platform/sql/Sql.ts"
import type { Plan } from "../model/Plan.ts"
import { RunType } from "../model/RunScope.ts"
import type { Commit, Ending, RunRow } from "./RunRow.ts"

const durations = histogram("millrace.run.duration")
const steps = counter("millrace.step.executions")
const retries = counter("millrace.step.retries")
const credits = counter("millrace.run.credits")

/** Columns of an ended run that the metrics need. */
export const EndedRun = Schema.Struct({ type: RunType, created_on: Schema.Date })
type EndedRun = typeof EndedRun.Type

const countEnd = (status: Ending["status"], run: EndedRun, now: number): void =>
  durations.observe(Math.max(0, now - run.created_on.getTime()) / 1000, status, run.type)

/** Counts ended runs once the caller's transaction has committed. */
export const countEndsAfterCommit = (sql: Sql, status: Ending["status"], runs: ReadonlyArray<EndedRun>, at: Date) =>
  sql.afterCommit(
    Effect.sync(() => {
      for (const run of runs) countEnd(status, run, at.getTime())
    })
  )

/** @param run as it was before the commit */
export const countCommit = (run: RunRow, { nodes }: Plan, commit: Commit, now: number): void => {
  for (const { path, state } of commit.ledger) {
    const type = nodes.get(path)?.action.type ?? "unknown"
    if (state !== "started") steps.add(1, type, state === "done" ? "success" : "failure")
    else if (commit.waits?.why === "retry") retries.add(1, type)
  }
  credits.add(commit.credits)
  if (commit.ending !== null) countEnd(commit.ending.status, run, now)
}
