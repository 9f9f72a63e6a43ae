// Samples the resources of a cluster: memory and open files of each process, connections to both databases, sizes of Millrace's tables.
import { readdirSync } from "node:fs"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerPool } from "../../../src/platform/sql/Pool.ts"
import { residentOf } from "../../support/resident.ts"
import type { Cluster } from "./makeCluster.ts"

export interface Sample {
  readonly at: number
  /** MiB by process. */
  readonly memory: Readonly<Record<string, number>>
  readonly files: Readonly<Record<string, number>>
  /** Connections by database and application name. */
  readonly connections: Readonly<Record<string, number>>
  readonly tables: Readonly<Record<string, { readonly bytes: number; readonly rows: number }>>
}

const NAME = "millrace-sample"
const onDatabase = (url: string) => layerPool({ url: Redacted.make(url), maxConnections: 1, applicationName: NAME })

const connections = Effect.fnUntraced(function* (whose: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ who: string; n: number }>`
    SELECT coalesce(nullif(application_name, ''), usename) AS who, count(*)::int AS n FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND application_name <> ${NAME} GROUP BY 1`
  return rows.map(({ n, who }) => [`${whose}: ${who}`, n] as const)
})

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string; bytes: number; rows: number }>`
    SELECT relname AS name, pg_total_relation_size(relid) AS bytes, n_live_tup AS rows FROM pg_stat_user_tables
    WHERE schemaname = 'public'`
  return Object.fromEntries(rows.map(({ name, ...size }) => [name, size]))
})

/** Takes samples; its own connections are counted by nobody. */
export const makeSampler = Effect.fnUntraced(function* (cluster: Cluster) {
  const { databaseUrl, daemon, names, store } = cluster
  const millraceContext = yield* Layer.build(onDatabase(databaseUrl))
  const temporals = yield* Layer.build(
    onDatabase(`postgres://${store.user}:${store.password}@127.0.0.1:${store.port}/${store.user}`)
  )
  const processes = names.filter((name) => !name.startsWith("pg-") && name !== "proxy")
  const ofEach = (figure: (pid: number) => number) =>
    Object.fromEntries(processes.map((name) => [name, figure(daemon(name).pid()!)]))
  return Effect.gen(function* () {
    const connectionCounts = [
      ...(yield* Effect.provideContext(connections("Millrace's"), millraceContext)),
      ...(yield* Effect.provideContext(connections("Temporal's"), temporals))
    ]
    return {
      at: Date.now(),
      memory: ofEach(residentOf),
      files: ofEach((pid) => readdirSync(`/proc/${pid}/fd`).length),
      connections: Object.fromEntries(connectionCounts),
      tables: yield* Effect.provideContext(tables, millraceContext)
    } satisfies Sample as Sample
  })
})
