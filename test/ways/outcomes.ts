// What has come of the events of a way: for each hook its log, what it was sent and left out; for each automation its runs.
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { eventually } from "../support/eventually.ts"
import { Receiver, type World } from "./world.ts"

/** Nothing of it is on its way: what waits for a hook that is paused, or for the end of changes, stays. */
export const settled = ({ appId }: World) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    eventually(
      "nothing is on its way",
      sql`
        SELECT 'outbox' AS what FROM outbox WHERE app_id = ${appId}
        UNION ALL SELECT 'bundle' FROM webhook_bundles WHERE app_id = ${appId}
        UNION ALL SELECT 'delivery' FROM webhook_queue q JOIN hooks h USING (hook_id)
          WHERE q.app_id = ${appId} AND h.status = 'active' AND h.paused_on IS NULL
        UNION ALL SELECT 'event' FROM automation_inbox WHERE app_id = ${appId} AND NOT parked
        UNION ALL SELECT 'run' FROM runs WHERE app_id = ${appId} AND completed_on IS NULL AND debounced_until IS NULL`,
      (rows) => rows.length === 0
    )
  )

/** Of a record or an event itself, not of what is made of it. */
const OWN = ["app_record_id", "occurred_on", "created_on", "last_modified_on"]

/** Ids of the way's own records by their place. */
const toComparable = (value: unknown, records: ReadonlyArray<number>) =>
  JSON.stringify(value, (key, one) => {
    if (OWN.includes(key)) return undefined
    return key === "record_id" && records.includes(one) ? `record ${records.indexOf(one)}` : one
  })

/** By record, in the order given. */
const inOrder = (all: ReadonlyArray<{ readonly record_id: number | null; readonly what: unknown }>) =>
  Object.fromEntries(
    [...Map.groupBy(all, ({ record_id }) => record_id)]
      .sort(([a], [b]) => (a ?? 0) - (b ?? 0))
      .map(([, ofRecord], at) => [at, ofRecord.map(({ what }) => what)])
  )

const leftOutOf = (hookId: number) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql<{ n: number }>`SELECT coalesce(sum(count), 0)::int AS n FROM hook_mismatches WHERE hook_id = ${hookId}`,
      ([row]) => row!.n
    )
  )

/** Where it stands before the events of a way; `from` is an id before theirs. */
export const standing = Effect.fnUntraced(function* ({ hooks }: World) {
  const sql = yield* SqlClient.SqlClient
  const receiver = yield* Receiver
  const [next] = yield* sql<{ id: number }>`SELECT nextval('outbox_event_id_seq') AS id`
  return {
    from: next!.id,
    sent: hooks.map(({ path }) => receiver.of(path).length),
    leftOut: yield* Effect.forEach(hooks, ({ hookId }) => leftOutOf(hookId))
  }
})

/** @param all the records of the way, the last of them for what wakes its actors */
export const outcomes = Effect.fnUntraced(function* (
  world: World,
  all: ReadonlyArray<number>,
  before: Effect.Success<ReturnType<typeof standing>>
) {
  const sql = yield* SqlClient.SqlClient
  const receiver = yield* Receiver
  const { from } = before
  const [records, spare] = [all.slice(0, -1), all.at(-1)!]
  const hooks = []
  for (const [at, { hookId, path }] of world.hooks.entries()) {
    const log = yield* sql<{ record_id: number | null }>`
      SELECT type, status, record_id, payload, num_attempts,
        (SELECT jsonb_agg(jsonb_build_array(a.status_code, a.error)) FROM webhook_attempts a
          WHERE a.hook_id = d.hook_id AND a.event_id = d.event_id) AS attempts
      FROM webhook_deliveries d WHERE hook_id = ${hookId} AND event_id > ${from} AND record_id IS DISTINCT FROM ${spare}
      ORDER BY event_id`
    const sentBodies = receiver
      .of(path)
      .slice(before.sent[at])
      .map(({ body, headers }) => {
        const { record_id = null } = JSON.parse(body)
        return { record_id, what: `${headers["x-dock"]} ${toComparable(JSON.parse(body), records)}` }
      })
      .filter(({ record_id }) => record_id !== spare)
    const bodies = log.map(({ ...row }: any) => ({ ...row, payload: JSON.parse(row.payload) }))
    hooks.push({
      log: JSON.parse(toComparable(bodies, records)),
      sent: inOrder(sentBodies.filter(({ record_id }) => record_id !== null)),
      ofNoRecord: sentBodies.flatMap(({ record_id, what }) => (record_id === null ? [what] : [])).sort(),
      leftOut: (yield* leftOutOf(hookId)) - before.leftOut[at]!
    })
  }
  const automations = []
  for (const id of world.automations) {
    const runs = yield* sql<{ record_id: number | null; run_id: string; data: any }>`
      SELECT r.run_id::text, r.event_id, r.status, r.failure_reason, r.record_id, r.record_revision, r.depth, r.debounced_until IS NOT NULL AS gathers,
        (SELECT data FROM run_triggers t WHERE t.run_id = r.run_id) AS data,
        (SELECT jsonb_agg(jsonb_build_array(l.type, l.status, l.label) ORDER BY seq) FROM run_logs l WHERE l.run_id = r.run_id) AS log
      FROM runs r WHERE automation_id = ${id} AND event_id > ${from} AND record_id <> ${spare} ORDER BY r.event_id`
    const order = [...runs].sort((a, b) => Number(a.run_id) - Number(b.run_id))
    automations.push({
      runs: runs.map(({ event_id, run_id: _, ...run }: any) => JSON.parse(toComparable(run, records))),
      order: inOrder(
        order.map(({ data, record_id }) => ({ record_id, what: [data.comment?.comment_id, data.record?.revision] }))
      )
    })
  }
  return { hooks, automations }
})
