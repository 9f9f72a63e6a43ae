// Faults of a cluster, one after another, and the outcomes that requests may have meanwhile: only answers, except that requests in flight
// to a killed process are cut off, and 503 while Millrace's own database is away.
import { Duration, Effect } from "effect"
import type { MachineFailed } from "../../support/machine.ts"
import { type Cluster, MILLRACE } from "./makeCluster.ts"
import type { Met } from "./seen.ts"
import { dropDatabases, makeDatabases } from "./temporalCluster.ts"

export interface Fault {
  readonly name: string
  readonly about: string
  /** Outcomes that requests may have besides answers. */
  readonly allows?: ReadonlyArray<Met>
  /** Ends when everything has been started again. */
  readonly run: (cluster: Cluster, say: (line: string) => void) => Effect.Effect<void, MachineFailed>
}

/** Killed, away for so many seconds, started again. */
const killFor = (name: string, seconds: number) => (cluster: Cluster) =>
  Effect.gen(function* () {
    const daemon = cluster.daemon(name)
    yield* daemon.kill
    yield* Effect.sleep(`${seconds} seconds`)
    yield* daemon.start
  })

const HUNG_SECONDS = 30

const hang = (name: string) => (cluster: Cluster) =>
  Effect.gen(function* () {
    const daemon = cluster.daemon(name)
    yield* daemon.freeze
    yield* Effect.sleep(`${HUNG_SECONDS} seconds`).pipe(Effect.ensuring(daemon.thaw))
  })

/** Upgrades as an operator does: stops each process with SIGTERM and starts it again before the next. */
const roll = (cluster: Cluster, say: (line: string) => void) =>
  Effect.forEach(
    MILLRACE,
    Effect.fnUntraced(function* (name: string) {
      const daemon = cluster.daemon(name)
      const [stopped] = yield* Effect.timed(daemon.stop)
      const [started] = yield* Effect.timed(Effect.andThen(daemon.start, daemon.ready))
      say(
        `  ${name} stopped in ${Duration.toSeconds(stopped).toFixed(1)} s, ready again in ${Duration.toSeconds(started).toFixed(1)} s`
      )
    }),
    { discard: true }
  )

const forget = (cluster: Cluster) =>
  Effect.gen(function* () {
    const temporals = cluster.names.filter((name) => name.startsWith("t-")).map(cluster.daemon)
    const { programs, store } = cluster
    yield* Effect.forEach(temporals, (one) => one.kill, { discard: true })
    yield* dropDatabases(programs.sqlTool, store)
    yield* makeDatabases(programs.sqlTool, store)
    const [first, ...others] = temporals
    yield* Effect.andThen(first!.start, first!.ready)
    yield* Effect.forEach(others, (one) => one.start, { discard: true })
  })

export const faults: ReadonlyArray<Fault> = [
  { name: "api", about: "one of two api processes killed", allows: ["cut"], run: killFor("api1", 3) },
  { name: "worker", about: "one of two workers killed", run: killFor("worker1", 3) },
  { name: "mcp", about: "one of two mcp processes killed", allows: ["cut"], run: killFor("mcp1", 3) },
  {
    name: "history",
    about: "one of two of Temporal's history processes killed, away 10 s",
    run: killFor("t-history1", 10)
  },
  { name: "matching", about: "Temporal's matching killed, away 5 s", run: killFor("t-matching", 5) },
  { name: "frontend", about: "Temporal's frontend killed, away 5 s", run: killFor("t-frontend", 5) },
  { name: "temporal-worker", about: "Temporal's own worker killed, away 5 s", run: killFor("t-worker", 5) },
  { name: "temporal-postgres", about: "Temporal's Postgres killed, away 5 s", run: killFor("pg-t", 5) },
  {
    name: "postgres",
    about: "Millrace's Postgres killed, away 5 s",
    allows: ["away", "unready"],
    run: killFor("pg-m", 5)
  },
  { name: "hung-worker", about: `a worker stopped in its tracks for ${HUNG_SECONDS} s`, run: hang("worker2") },
  { name: "rolling", about: "all six processes of Millrace stopped and started in turn", run: roll },
  { name: "forgotten", about: "Temporal's databases dropped and made anew", run: forget }
]
