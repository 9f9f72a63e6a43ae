// The database that schedules share: how it is put back to its beginning, and who watches its sessions.
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import { layerPool } from "../../src/platform/sql/Pool.ts"
import { freshDatabaseUrl, urlOf } from "../support/database.ts"
import { databaseServer } from "../support/databaseServer.ts"
import type { Watch } from "./Gate.ts"

/** Where the receivers are; nobody listens there, and nobody is asked. */
export const HOST = "127.0.0.1:9"

/** Rows that schedules change, and are put back; some come back by triggers of those before. */
interface Kept {
  readonly table: string
  readonly order: string
}

export const makeDatabase = Effect.gen(function* () {
  const url = yield* freshDatabaseUrl
  const owner = urlOf(new URL(yield* databaseServer).href, new URL(url).pathname.slice(1))
  const pool = layerPool({ url: Redacted.make(owner), maxConnections: 2, applicationName: "watch", connectSeconds: 60 })
  const sql = Context.get(yield* Layer.build(pool), PgClient.PgClient)

  /** Nothing but schedules moves rows. */
  const stopAutovacuum = Effect.gen(function* () {
    const tables = yield* sql<{ name: string }>`
      SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`
    const commands = tables.map(({ name }) => `ALTER TABLE "${name}" SET (autovacuum_enabled = false);`)
    yield* sql.unsafe(`DO $$ BEGIN ${commands.join(" ")} END $$`)
  })

  /**
   * Statement that puts the database back. The tables are made anew, so that their rows lie where they lay, and Postgres reads them in the same order.
   * All sequences go on from where they are now.
   * @param emptied tables that are empty at the beginning @param kept tables with rows
   */
  const clearingOf = Effect.fnUntraced(function* (emptied: ReadonlyArray<string>, kept: ReadonlyArray<Kept>) {
    for (const { table } of kept) yield* sql.unsafe(`CREATE TABLE kept_${table} AS TABLE ${table}`)
    const sequences = yield* sql<{ name: string; next: number }>`
      SELECT format('%I', sequencename) AS name, coalesce(last_value + increment_by, start_value) AS next FROM pg_sequences
      WHERE schemaname = 'public' ORDER BY name`
    const restarts = sequences.map(({ name, next }) => `PERFORM setval('${name}', ${next}, false);`)
    const filled = kept.map(
      ({ order, table }) =>
        `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table} ORDER BY ${order} ON CONFLICT DO NOTHING;`
    )
    return `DO $$ BEGIN TRUNCATE ${[...emptied, ...kept.map(({ table }) => table)].join(", ")} CASCADE;
      ${filled.join(" ")} ${restarts.join(" ")} END $$`
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
  return { url, sql, watch, stopAutovacuum, clearingOf }
})
export type Database = Effect.Success<typeof makeDatabase>
