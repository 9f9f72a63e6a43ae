// Merges the commits of several steps of one run into one commit.
import type { Commit } from "../run/RunRow.ts"
import { lastOf } from "../run/runEntries.ts"

export const mergedCommit = (all: ReadonlyArray<Commit>): Commit => {
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
