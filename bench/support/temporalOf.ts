// The Temporal that a check runs on: embedded as under `npm start`, one that runs elsewhere (TEMPORAL_ADDRESS), or a cluster of five
// processes on a Postgres of its own, as the disturbances have it.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { freePort, stopRecorded } from "../../bin/parts/os.js"
import { SUPERUSER, startPostgres } from "../../bin/parts/postgres.js"
import { findPrograms } from "../disturb/cluster/programs.ts"
import { makeTemporalCluster } from "../disturb/cluster/temporalCluster.ts"
import { MachineFailed, root } from "./machine.ts"

export const TEMPORALS = ["embedded", "cluster"] as const

const PASSWORD = "cluster"
/** Two history processes hold 25 connections each. */
const CONNECTIONS = "200"

const cluster = Effect.fnUntraced(function* (say: (line: string) => void) {
  const programs = yield* findPrograms(undefined, say)
  const dir = mkdtempSync(join(tmpdir(), "millrace-temporal-"))
  const pidFile = join(dir, "postgres.pid")
  yield* Effect.addFinalizer(() =>
    Effect.promise(async () => {
      await stopRecorded(pidFile, [
        ["SIGQUIT", 5000],
        ["SIGKILL", 2000]
      ])
      rmSync(dir, { recursive: true, force: true })
    })
  )
  mkdirSync(join(dir, "logs"))
  const port = yield* Effect.promise(() => freePort() as Promise<number>)
  yield* Effect.tryPromise({
    try: () =>
      startPostgres({
        root,
        dir: join(dir, "postgres"),
        port,
        password: PASSWORD,
        log: join(dir, "logs", "postgres.log"),
        pidFile,
        settings: { max_connections: CONNECTIONS }
      }),
    catch: (error) => new MachineFailed({ message: `Temporal's Postgres: ${(error as Error).message}` })
  })
  const { address } = yield* makeTemporalCluster(dir, programs, { port, user: SUPERUSER, password: PASSWORD })
  say(`Temporal: five processes on a Postgres of their own, at ${address}`)
  return { temporalAddress: address }
})

/** Options for `makeBed` that name the Temporal to use. */
export const temporalOf = (kind: string | undefined, say: (line: string) => void) => {
  if (kind === "cluster") return cluster(say)
  const elsewhere = process.env["TEMPORAL_ADDRESS"]
  return Effect.succeed(kind === "embedded" || elsewhere === undefined ? {} : { temporalAddress: elsewhere })
}
