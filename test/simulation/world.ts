// The database that schedules share: one app with hooks, put back to its beginning before each schedule.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { layerPool } from "../../src/platform/sql/Pool.ts"
import { createRecord } from "../domain/automations/runSupport.ts"
import { seedApp } from "../domain/automations/support.ts"
import { App, appLayerOver } from "../support/app.ts"
import { freshDatabaseUrl, layerOn, urlOf } from "../support/database.ts"
import { databaseServer } from "../support/databaseServer.ts"
import type { DrawnWorld } from "./drawnWorld.ts"
import type { Watch } from "./Gate.ts"

export const RECORDS = 3
export const HOOKS = 3
const HOST = "127.0.0.1:9"

/**
 * What a schedule writes. The tables are made anew before each, so that their rows lie where they lay, and Postgres reads them in the same order. The
 * partitions named are those that early events go to.
 */
const WRITTEN = [
  ...["outbox", "relay_attempts", "actors", "webhook_bundles", "webhook_queue", "webhook_commands", "webhook_windows"],
  ...["webhook_notices", "webhook_attempts_before", "webhook_deliveries_before", "hook_mismatches", "hook_statistics"],
  ...["hook_windows", "hooks"]
]
const SEQUENCES = ["outbox_event_id_seq"]

export const makeWorld = Effect.gen(function* () {
  const url = yield* freshDatabaseUrl
  const server = new URL(yield* databaseServer)
  const { apps, hooks, orgId, records } = yield* Effect.gen(function* () {
    const { call } = yield* App
    const {
      appId,
      fields,
      orgId: org,
      token
    } = yield* seedApp([{ field_type: "single_text", config: { label: "Name" } }])
    const recordIds: Array<number> = []
    for (let at = 0; at < RECORDS; at++) recordIds.push(yield* createRecord(token, appId, { name: "Ada" }))
    const ids: Array<number> = []
    for (let at = 0; at < HOOKS; at++) {
      const body = { type: "record.create", url: `http://${HOST}/hook/${at}` }
      const reply = yield* call("POST", `/v1/hook/app/${appId}`, { token, body })
      if (reply.status !== 200) return yield* Effect.die(new Error(reply.text))
      ids.push(reply.json.hook_id as number)
    }
    return { apps: [{ appId, name: fields["name"]! }], hooks: ids, orgId: org, records: recordIds }
  }).pipe(Effect.provide(appLayerOver(layerOn(url), { OUTBOUND_ALLOW: HOST })))

  const owner = urlOf(server.href, new URL(url).pathname.slice(1))
  const pool = layerPool({ url: Redacted.make(owner), maxConnections: 2, applicationName: "watch", connectSeconds: 60 })
  const sql = Context.get(yield* Layer.build(pool), PgClient.PgClient)
  const firstIds = yield* Effect.forEach(SEQUENCES, (name) =>
    Effect.map(sql.unsafe<{ last: number }>(`SELECT last_value AS last FROM ${name}`), ([row]) => row!.last + 1)
  )
  const restart = SEQUENCES.map((name, at) => `PERFORM setval('${name}', ${firstIds[at]});`).join(" ")
  const tables = yield* sql.unsafe<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
  )
  const settled = tables.map(({ name }) => `ALTER TABLE "${name}" SET (autovacuum_enabled = false);`).join(" ")
  yield* sql.unsafe(`DO $$ BEGIN ${settled} CREATE TABLE kept_hooks AS TABLE hooks; END $$`)
  const clearing = `DO $$ BEGIN TRUNCATE ${WRITTEN.join(", ")} CASCADE;
    INSERT INTO hooks OVERRIDING SYSTEM VALUE SELECT * FROM kept_hooks ORDER BY hook_id; ${restart} END $$`

  /** As it was at the beginning, with what a schedule has drawn. */
  const reset = Effect.fnUntraced(function* (drawn: DrawnWorld) {
    yield* sql.unsafe(clearing)
    for (const [at, hook] of drawn.hooks.entries())
      yield* sql`
        UPDATE hooks SET status = 'active', verified_on = '2030-01-01', lost_on = NULL, paused_on = NULL, verification = 1, alerted = 0,
          num_failed_executions = 0, events_from = NULL, types = ${hook.types as ReadonlyArray<string>}::text[], at_once = ${hook.atOnce},
          per_minute = ${hook.perMinute}
        WHERE hook_id = ${hooks[at]!}`
  })

  const pidsOf = (statement: string) => (pids: ReadonlyArray<number>) =>
    Effect.runPromise(
      Effect.map(
        sql.unsafe<{ pid: number }>(statement, [pids]),
        (rows) => new Set(rows.map(({ pid }) => pid)) as ReadonlySet<number>
      )
    )
  const watch: Watch = {
    blocked: (pids) =>
      Effect.runPromise(
        Effect.map(
          sql.unsafe<{ pid: number; by: ReadonlyArray<number> }>(
            "SELECT pid, by FROM unnest($1::int[]) AS pid, pg_blocking_pids(pid) AS by WHERE cardinality(by) > 0",
            [pids]
          ),
          (rows) => new Map(rows.map(({ by, pid }) => [pid, by] as const))
        )
      ),
    present: pidsOf("SELECT pid FROM pg_stat_activity WHERE pid = ANY($1::int[])"),
    end: async (pids) => {
      await pidsOf("SELECT pid FROM unnest($1::int[]) AS pid WHERE pg_terminate_backend(pid)")(pids)
    }
  }
  /** What is left to do, in words; empty if nothing is. */
  const remaining = Effect.map(
    sql<{ what: string }>`
      SELECT format('event %s', event_id) AS what FROM outbox
      UNION ALL SELECT format('bundle of event %s', event_id) FROM webhook_bundles
      UNION ALL SELECT to_jsonb(q)::text FROM webhook_queue q
      ORDER BY what`,
    (rows) => rows.map(({ what }) => what).join("; ")
  )
  return { apps, hooks, orgId, records, remaining, reset, sql: sql as SqlClient.SqlClient, url, watch }
})
export type World = Effect.Success<typeof makeWorld>
