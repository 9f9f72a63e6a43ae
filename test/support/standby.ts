// A standby that streams from a test's own Postgres, and one address in front of both, as a proxy or a virtual address gives it: whoever
// fails over promotes the one and has the address lead to it.

import { appendFileSync, rmSync } from "node:fs"
import { createServer, connect as dial, type Socket } from "node:net"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schedule } from "effect"
import { freePort, stopRecorded } from "../../bin/parts/os.js"
import { startPostgres } from "../../bin/parts/postgres.js"
import { layerPool } from "../../src/platform/sql/Pool.ts"
import { copy, type OwnPostgres, put, root } from "./clusters.ts"
import { asService } from "./database.ts"
import { BOUND, eventually } from "./eventually.ts"

const STOP = [
  ["SIGINT", 10_000],
  ["SIGKILL", 2_000]
] as const

const movedTo = (url: string, port: number) => {
  const other = new URL(url)
  other.port = String(port)
  return other.href
}

/** Streams from now on; ends with the scope. */
export const standbyOf = Effect.fnUntraced(function* (primary: OwnPostgres) {
  const { asSuperuser, baseBackup, dir, superuser } = primary
  appendFileSync(join(dir, "postgres", "pg_hba.conf"), "host replication all 127.0.0.1/32 scram-sha-256\n")
  yield* asSuperuser((sql) => sql`SELECT pg_reload_conf()`)
  yield* baseBackup
  const data = join(dir, "standby")
  copy(join(dir, "base"), data)
  put(data, "standby.signal", "")
  const port = yield* Effect.promise(() => freePort() as Promise<number>)
  const pidFile = join(dir, "standby.pid")
  const halt = Effect.promise(async () => {
    await stopRecorded(pidFile, STOP)
    rmSync(join(data, "postmaster.pid"), { force: true })
  })
  const { password, port: primaryPort, username } = new URL(superuser)
  // It is ready, as the launcher has it, once it has been promoted.
  let startup: Promise<unknown> = Promise.resolve()
  const start = Effect.sync(() => {
    startup = startPostgres({
      root,
      dir: data,
      port,
      password: "test",
      log: join(dir, "standby.log"),
      pidFile,
      durable: false,
      settings: { primary_conninfo: `host=127.0.0.1 port=${primaryPort} user=${username} password=${password}` }
    })
    startup.catch(() => undefined)
  })
  yield* Effect.addFinalizer(() => halt)
  const runQuery = <A>(work: (sql: PgClient.PgClient) => Effect.Effect<A, unknown>) =>
    Effect.flatMap(PgClient.PgClient, work).pipe(
      Effect.provide(
        layerPool({ url: Redacted.make(movedTo(superuser, port)), maxConnections: 1, applicationName: "standby" })
      ),
      Effect.sandbox,
      Effect.retry(Schedule.upTo(Schedule.spaced("200 millis"), { duration: BOUND })),
      Effect.orDie
    )
  yield* start
  return {
    port,
    url: movedTo(asService(superuser), port),
    start,
    halt,
    /** It has all that the primary has written by now. */
    caughtUp: Effect.gen(function* () {
      const [{ lsn }] = (yield* asSuperuser(
        (sql) => sql<{ lsn: string }>`SELECT pg_current_wal_insert_lsn()::text AS lsn`
      )) as [{ lsn: string }]
      yield* runQuery((sql) =>
        Effect.flatMap(
          sql<{ there: boolean }>`SELECT coalesce(pg_last_wal_replay_lsn() >= ${lsn}::pg_lsn, false) AS there`,
          ([row]) => (row!.there ? Effect.void : Effect.fail("it lags"))
        )
      )
    }),
    /** From now on a commit is answered once it is here; but for those that the service says need not be on a disk. */
    synchronous: asSuperuser((sql) =>
      Effect.gen(function* () {
        yield* sql`ALTER DATABASE millrace SET synchronous_commit = 'on'`
        yield* sql`ALTER SYSTEM SET synchronous_standby_names = '*'`
        yield* sql`SELECT pg_reload_conf()`
        yield* eventually(
          "the standby is a synchronous one",
          sql<{ state: string | null }>`SELECT max(sync_state) AS state FROM pg_stat_replication`,
          ([row]) => row!.state === "sync"
        )
      })
    ),
    promote: Effect.gen(function* () {
      yield* runQuery((sql) => sql`SELECT pg_promote(true, 60)`)
      yield* Effect.promise(() => startup)
    })
  }
})

/** Listens on the loopback address; connections lead to wherever it was switched last. */
export const switchedPort = Effect.fnUntraced(function* (first: number) {
  let target = first
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = dial(target, "127.0.0.1")
    for (const [one, other] of [
      [near, far],
      [far, near]
    ] as const) {
      sockets.add(one)
      one.on("error", () => other.destroy())
      one.on("close", () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.close()
        cut()
      })
  )
  const { port } = server.address() as { port: number }
  return {
    before: (url: string) => movedTo(url, port),
    to: (next: number) =>
      Effect.sync(() => {
        target = next
        cut()
      })
  }
})
