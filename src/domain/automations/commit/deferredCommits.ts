// Keeps what a step leaves in memory until the run's next commit, which writes it with its own (docs/architecture/runs.md, "How runs share
// transactions"). A process that dies before has done nothing: the steps are executed again (decisions A1).
import type { RunContext } from "../run/RunContext.ts"
import type { Commit, RunRow } from "../run/RunRow.ts"
import { lastOf } from "../run/runEntries.ts"

/** Merges the commits of several steps of one run into one commit. */
const mergedCommit = (all: ReadonlyArray<Commit>): Commit => {
  const apps = all.every(({ lazy }) => lazy !== null) ? all.flatMap(({ lazy }) => lazy!.apps) : null
  const sum = (of: (one: Commit) => number) => all.reduce((total, one) => total + of(one), 0)
  return {
    ...all.at(-1)!,
    ledger: lastOf(
      all.flatMap(({ ledger }) => ledger),
      ({ iteration, path }) => `${path} ${iteration}`
    ),
    logs: all.flatMap(({ logs }) => logs),
    variables: lastOf(
      all.flatMap(({ variables }) => variables),
      ({ custom_type, label }) => `${custom_type} ${label}`
    ),
    outputs: lastOf(
      all.flatMap(({ outputs }) => outputs),
      ({ app_id, type }) => `${type} ${app_id}`
    ),
    credits: sum(({ credits }) => credits),
    executedMs: sum(({ executedMs }) => executedMs),
    lazy: apps === null ? null : { apps: [...new Set(apps)] }
  }
}

/** Returns the run's row as it is after the commit. */
export const stepped = (run: RunRow, commit: Commit): RunRow => ({
  ...run,
  cursor: commit.cursor,
  log_seq: run.log_seq + commit.logs.length,
  credits: run.credits + commit.credits,
  executed_ms: run.executed_ms + commit.executedMs,
  most_recent_error: commit.mostRecentError,
  wait_why: commit.waits?.why ?? null,
  wait_until: commit.waits?.until ?? null,
  status: commit.ending?.status ?? "running"
})

/** Shows the step's values to later steps; the caller has loaded those of earlier ones. */
export const defer = (context: RunContext, commit: Commit): void => {
  context.deferredCommits = [...context.deferredCommits, commit]
  context.run = stepped(context.run, commit)
  context.passedMs = 0
  context.absorb(commit)
}

/** Returns the row to commit from, and everything that is to be written. @param last output of a step that is not deferred */
export const dueCommit = ({ deferredCommits, inboxRow, storedRun }: RunContext, last: ReadonlyArray<Commit>) => ({
  run: storedRun,
  commit: mergedCommit([...deferredCommits, ...last]),
  inboxRow
})

/** Call it once everything has been committed. */
export const settle = (context: RunContext, run: RunRow): void => {
  context.run = run
  context.storedRun = run
  context.deferredCommits = []
}
