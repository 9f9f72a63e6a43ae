// What holds for the effects of steps: each is there as often as the ledger says; a request may go out again where its commit was not known (A1).
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Outcome } from "../Outcome.ts"
import type { Automations } from "./automationWorld.ts"
import type { DrawnAutomations } from "./drawnAutomations.ts"
import type { Run } from "./runRows.ts"

interface Counted {
  readonly automation_id: number
  readonly comments: number
  readonly records: number
}

const counts = (sql: SqlClient.SqlClient, seeded: Automations) =>
  sql<Counted>`
    SELECT automation_id::int,
      (SELECT count(*)::int FROM comments c WHERE (c.created_by ->> 'automation_id')::bigint = a.automation_id) AS comments,
      (SELECT count(*)::int FROM records r WHERE (r.created_by ->> 'automation_id')::bigint = a.automation_id) AS records
    FROM automations a WHERE org_id = ${seeded.orgId} ORDER BY automation_id`

const actionTypes = (sql: SqlClient.SqlClient, seeded: Automations) =>
  Effect.map(
    sql<{ id: string; type: string }>`
      SELECT node ->> 'id' AS id, node ->> 'type' AS type FROM automations a,
        jsonb_path_query(actions, 'strict $.** ? (exists (@.id) && exists (@.group))') AS node
      WHERE org_id = ${seeded.orgId}`,
    (rows) => new Map(rows.map(({ id, type }) => [id, type]))
  )

const gaps = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ what: string }>`
      SELECT format('record %s has %s revisions and is at revision %s', r.record_id, count(v.revision), r.revision) AS what
      FROM records r LEFT JOIN revisions v USING (record_id) WHERE r.app_id IN (SELECT app_id FROM automations)
      GROUP BY r.record_id, r.revision HAVING count(v.revision) <> r.revision + (min(v.revision) = 0)::int`,
    (rows) => rows.map(({ what }) => what)
  )

export const effectFaults = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  seeded: Automations,
  { interruptions, requests }: Outcome<DrawnAutomations>,
  runs: ReadonlyArray<Run>
) {
  const placeOf = (automationId: number) => seeded.automations.findIndex(({ id }) => id === automationId)
  const wrong: Array<string> = [...(yield* gaps(sql))]
  const types = yield* actionTypes(sql, seeded)
  const steps = runs.flatMap(({ automation_id, ledger, run_id }) =>
    ledger.map((row) => ({ ...row, automation_id, run_id, type: types.get(row.action_id) }))
  )
  const doneOf = (automationId: number, type: string) =>
    steps.filter((step) => step.automation_id === automationId && step.type === type && step.state === "done").length
  for (const { automation_id, comments, records } of yield* counts(sql, seeded)) {
    const number = placeOf(automation_id)
    const pairs = [
      ["comments", comments, doneOf(automation_id, "current_record_comment_create")],
      ["records", records, doneOf(automation_id, "record_create")]
    ] as const
    for (const [what, count, done] of pairs)
      if (count !== done) wrong.push(`automation ${number}: ${count} ${what} for ${done} steps that are done`)
  }
  const bySteps = Map.groupBy(requests, ({ id }) => id.split("@")[0]!)
  for (const { attempts, automation_id, iteration, path, run_id, state, type } of steps) {
    if (type !== "http_call") continue
    const key = `${run_id}/${path}/${iteration}`
    const stepRequests = bySteps.get(key) ?? []
    bySteps.delete(key)
    const name = `automation ${placeOf(automation_id)}: request ${key}`
    if (state === "done" && !stepRequests.some(({ status }) => status === 204))
      wrong.push(`${name} is done, and no receiver has it`)
    if (stepRequests.length > attempts)
      wrong.push(`${name} was sent ${stepRequests.length} times in ${attempts} attempts`)
    const successes = stepRequests.filter(({ status }) => status === 204).length
    if (successes > 1 + interruptions) wrong.push(`${name} was sent again after its answer, without an interruption`)
  }
  for (const key of bySteps.keys()) wrong.push(`request ${key} is of no step`)
  return wrong
})
