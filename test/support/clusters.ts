// A Postgres and a Temporal of a test's own, which may be stopped, copied, thrown away and put back: for restores as operators do them.
import { execFileSync } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { PgClient } from "@effect/sql-pg"
import { Effect, Redacted, Schedule } from "effect"
import { findTemporal } from "../../bin/parts/findTemporal.js"
import { freePort, stop } from "../../bin/parts/os.js"
import { startPostgres } from "../../bin/parts/postgres.js"
import { startTemporal } from "../../bin/parts/temporal.js"
import { layerPool } from "../../src/platform/sql/Pool.ts"
import { prepareEmbedded } from "../../src/platform/sql/prepareDatabase.ts"
import { asService } from "./database.ts"
import { BOUND } from "./eventually.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url))

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const dir = mkdtempSync(join(tmpdir(), "millrace-restore-"))
    // The server's user, who is another one for root, goes through it.
    chmodSync(dir, 0o755)
    return dir
  }),
  (dir) => Effect.sync(() => rmSync(dir, { recursive: true, force: true }))
)

export const copy = (from: string, to: string) => execFileSync("cp", ["-a", from, to])

/** A server over one data directory that archives its log; `url` is the service's. */
export const ownPostgres = Effect.gen(function* () {
  const dir = yield* folder
  const data = join(dir, "postgres")
  const archive = join(dir, "archive")
  mkdirSync(archive)
  chmodSync(archive, 0o777)
  const port = yield* Effect.promise(() => freePort() as Promise<number>)
  let identity: { pid: number } | undefined
  const start = (settings: Record<string, string> = {}) =>
    Effect.promise(async () => {
      const started = await startPostgres({
        root,
        dir: data,
        port,
        password: "test",
        log: join(dir, "postgres.log"),
        pidFile: join(dir, "postgres.pid"),
        durable: false,
        settings: { archive_mode: "on", archive_command: `cp %p ${archive}/%f`, ...settings }
      })
      identity = started.identity
      return started.url
    })
  const halt = Effect.promise(async () => {
    if (identity !== undefined)
      await stop(identity as never, [
        ["SIGINT", 10_000],
        ["SIGKILL", 2_000]
      ])
    identity = undefined
  })
  yield* Effect.addFinalizer(() => halt)
  const superuser = yield* start()
  const url = asService(superuser)
  yield* Effect.promise(() => Effect.runPromise(prepareEmbedded(Redacted.make(superuser), Redacted.make(url))))
  /** As the superuser, on one connection. */
  const asSuperuser = <A, E>(work: (sql: PgClient.PgClient) => Effect.Effect<A, E>) =>
    Effect.flatMap(PgClient.PgClient, work).pipe(
      Effect.provide(layerPool({ url: Redacted.make(superuser), maxConnections: 1, applicationName: "restores" })),
      Effect.orDie
    )
  /** A server that recovers is connected to before it takes writes, as docs/operations.md says; a busy machine may need several attempts. */
  const answers = Effect.retry(
    Effect.sandbox(
      asSuperuser((sql) =>
        Effect.flatMap(sql<{ recovers: boolean }>`SELECT pg_is_in_recovery() AS recovers`, ([row]) =>
          row!.recovers ? Effect.fail("it recovers") : Effect.void
        )
      )
    ),
    Schedule.upTo(Schedule.spaced("200 millis"), { duration: BOUND })
  ).pipe(Effect.orDie)

  return {
    url,
    superuser,
    dir,
    /** As when the machine goes: without a checkpoint, and without a word to a standby. */
    kill: Effect.promise(async () => {
      if (identity !== undefined) await stop(identity as never, [["SIGQUIT", 5_000]])
      identity = undefined
    }),
    start: (settings: Record<string, string> = {}) => Effect.andThen(start(settings), answers),
    halt,
    asSuperuser,
    restoreCommand: `cp ${archive}/%f %p`,
    /** Of a server that stands still. */
    coldCopy: Effect.sync(() => copy(data, join(dir, "cold"))),
    /** While it works, by the functions that `pg_basebackup` calls. */
    baseBackup: asSuperuser((sql) =>
      Effect.gen(function* () {
        yield* sql`SELECT pg_backup_start('a test', true)::text`
        const base = join(dir, "base")
        copy(data, base)
        const [label] = yield* sql<{ labelfile: string }>`SELECT labelfile FROM pg_backup_stop(false)`
        rmSync(join(base, "postmaster.pid"), { force: true })
        // What the log says is in the archive.
        execFileSync("find", [join(base, "pg_wal"), "-type", "f", "-delete"])
        put(base, "backup_label", label!.labelfile)
      })
    ),
    /** The log up to here is in the archive. */
    archived: asSuperuser((sql) =>
      Effect.gen(function* () {
        const [{ file }] = (yield* sql<{ file: string }>`SELECT pg_walfile_name(pg_switch_wal()) AS file`) as [
          { file: string }
        ]
        for (;;) {
          const [row] = yield* sql<{ last: string | null }>`SELECT last_archived_wal AS last FROM pg_stat_archiver`
          if (row!.last !== null && row!.last >= file) return
          yield* Effect.sleep("50 millis")
        }
      })
    ),
    putBack: (from: "base" | "cold", recover = false) =>
      Effect.sync(() => {
        rmSync(data, { recursive: true })
        copy(join(dir, from), data)
        if (recover) put(data, "recovery.signal", "")
      })
  }
})

export type OwnPostgres = Effect.Success<typeof ownPostgres>

/** A file of the cluster's owner. */
export const put = (cluster: string, name: string, text: string) => {
  const path = join(cluster, name)
  writeFileSync(path, text, { mode: 0o600 })
  const { gid, uid } = statSync(cluster)
  execFileSync("chown", [`${uid}:${gid}`, path])
}

/** A server over one database file. */
export const ownTemporal = Effect.gen(function* () {
  const dir = yield* folder
  const database = join(dir, "temporal.db")
  const port = yield* Effect.promise(() => freePort() as Promise<number>)
  let identity: { pid: number } | undefined
  const start = Effect.promise(async () => {
    const started = await startTemporal({
      program: await findTemporal(() => undefined),
      database,
      port,
      log: join(dir, "temporal.log"),
      pidFile: join(dir, "temporal.pid")
    })
    identity = started.identity
    return started.address
  })
  const halt = Effect.promise(async () => {
    if (identity !== undefined)
      await stop(identity as never, [
        ["SIGTERM", 5_000],
        ["SIGKILL", 1_000]
      ])
    identity = undefined
  })
  yield* Effect.addFinalizer(() => halt)
  const files = ["", "-wal", "-shm"]
  const address = yield* start
  return {
    address,
    start,
    halt,
    coldCopy: Effect.sync(() => {
      for (const end of files)
        execFileSync("sh", ["-c", `[ ! -e "$0" ] || cp -a "$0" "$1"`, database + end, `${database}.kept${end}`])
    }),
    throwAway: Effect.sync(() => {
      for (const end of files) rmSync(database + end, { force: true })
    }),
    putBack: Effect.sync(() => {
      for (const end of files) {
        rmSync(database + end, { force: true })
        execFileSync("sh", ["-c", `[ ! -e "$0" ] || cp -a "$0" "$1"`, `${database}.kept${end}`, database + end])
      }
    })
  }
})
