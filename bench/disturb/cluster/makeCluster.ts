// A cluster on one machine: Temporal as five processes on a Postgres, Millrace as six on another (two api, two worker, two mcp) behind
// a proxy that sends nothing twice. All in a temporary directory on free ports; it ends with the scope.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted, type Scope } from "effect"
import { SERVICE_ROLE, urlAs } from "../../../bin/parts/database.js"
import { compileCache, freePort, readJson, stopRecorded, writeWhole } from "../../../bin/parts/os.js"
import { SUPERUSER, startPostgres } from "../../../bin/parts/postgres.js"
import { ALLOCATOR, NODE_FLAGS } from "../../../bin/parts/service.js"
import { prepareEmbedded } from "../../../src/platform/sql/prepareDatabase.ts"
import { inherited, MachineFailed, mainOf, root } from "../../support/machine.ts"
import { answers, type Daemon, makeDaemon } from "./daemon.ts"
import type { Programs } from "./programs.ts"
import { makeProxy } from "./proxy.ts"
import { makeTemporalCluster, type Store } from "./temporalCluster.ts"

const PASSWORD = "cluster"
const ROLES = { worker1: "worker", worker2: "worker", api1: "api", api2: "api", mcp1: "mcp", mcp2: "mcp" } as const
export const MILLRACE = Object.keys(ROLES) as ReadonlyArray<keyof typeof ROLES>
/** Twice what the proxy needs to notice (proxy.ts). */
const SHUTDOWN_DELAY_SECONDS = 2

export interface Cluster {
  readonly dir: string
  readonly baseUrl: string
  readonly mcpUrl: string
  readonly databaseUrl: string
  /** Temporal's Postgres. */
  readonly store: Store
  readonly programs: Programs
  readonly env: Readonly<Record<string, string>>
  /** Daemon by name: pg-m, pg-t, t-…, proxy, api1, api2, worker1, worker2, mcp1, mcp2. */
  readonly daemon: (name: string) => Daemon
  readonly names: ReadonlyArray<string>
  /** Processes of Millrace that ended though nobody ended them, and how. */
  readonly ended: ReadonlyArray<string>
  /** Everybody works. */
  readonly ready: Effect.Effect<void, MachineFailed>
}

/** Killed, it goes at once and recovers from its log; its children are gone before anything starts. */
const KILL = [
  ["SIGQUIT", 5000],
  ["SIGKILL", 2000]
] as const

const makePostgres = Effect.fnUntraced(function* (dir: string, name: string, settings: Record<string, string>) {
  const port = yield* Effect.promise(() => freePort() as Promise<number>)
  const pidFile = join(dir, `${name}.pid`)
  const attempt = <A>(run: () => Promise<A>) =>
    Effect.tryPromise({
      try: run,
      catch: (error) => new MachineFailed({ message: `${name}: ${(error as Error).message}` })
    })
  const launch = attempt(() =>
    startPostgres({
      root,
      dir: join(dir, name),
      port,
      password: PASSWORD,
      log: join(dir, "logs", `${name}.log`),
      pidFile,
      settings
    })
  )
  const end = (signals: typeof KILL | readonly [readonly ["SIGINT", number]]) =>
    attempt(() => stopRecorded(pidFile, signals)).pipe(Effect.asVoid)
  const pid = () => (readJson(pidFile) as { pid: number } | undefined)?.pid
  const send = (signal: NodeJS.Signals) => Effect.sync(() => void process.kill(pid()!, signal))
  yield* Effect.addFinalizer(() => Effect.ignore(end(KILL)))
  const { url } = yield* launch
  const daemon: Daemon = {
    name,
    start: Effect.asVoid(launch),
    kill: Effect.orDie(end(KILL)),
    stop: Effect.orDie(end([["SIGINT", 20_000]])),
    freeze: send("SIGSTOP"),
    thaw: send("SIGCONT"),
    // Postgres is ready once `launch` has started it.
    ready: Effect.void,
    pid
  }
  return { daemon, port, url }
})

export const makeCluster = Effect.fn("makeCluster")(function* (
  programs: Programs,
  env: Record<string, string>,
  say: (line: string) => void
) {
  const dir = mkdtempSync(join(tmpdir(), "millrace-cluster-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(dir, { recursive: true, force: true })))
  mkdirSync(join(dir, "logs"))
  say(`a cluster in ${dir}: Temporal's`)
  const temporals = yield* makePostgres(dir, "pg-t", { max_connections: "300" })
  const millracePostgres = yield* makePostgres(dir, "pg-m", {})
  const store: Store = { port: temporals.port, user: SUPERUSER, password: PASSWORD }
  const temporal = yield* makeTemporalCluster(dir, programs, store)

  say("a cluster: Millrace's")
  const serviceUrl = urlAs(millracePostgres.url, SERVICE_ROLE, PASSWORD)
  yield* prepareEmbedded(Redacted.make(millracePostgres.url), Redacted.make(serviceUrl)).pipe(
    Effect.mapError(({ message }) => new MachineFailed({ message }))
  )
  const findPort = Effect.promise(() => freePort() as Promise<number>)
  const [apiPort, mcpPort] = yield* Effect.all([findPort, findPort])
  const [baseUrl, mcpUrl] = [`http://127.0.0.1:${apiPort}`, `http://127.0.0.1:${mcpPort}`]
  const clientConfig = join(dir, "client.toml")
  writeWhole(clientConfig, "[profile.default]\n")
  const common: Record<string, string> = {
    ...compileCache(),
    ...inherited(),
    BASE_URL: baseUrl,
    MCP_URL: mcpUrl,
    DATABASE_URL: millracePostgres.url,
    SECRET_KEY: Buffer.alloc(32, 11).toString("base64"),
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: "millrace",
    TEMPORAL_CONFIG_FILE: clientConfig,
    TRUSTED_PROXIES: "127.0.0.1/32",
    RATE_BUDGET: "1000000000",
    SHUTDOWN_DELAY_SECONDS: String(SHUTDOWN_DELAY_SECONDS),
    LOG_LEVEL: "warn",
    LOG_FORMAT: "json",
    DATA_DIR: dir,
    ...ALLOCATOR,
    ...env
  }
  const exits: Array<string> = []
  const main = yield* Effect.promise(() => mainOf(root))
  const ports = new Map<string, number>()
  const services: Array<Daemon> = []
  for (const name of MILLRACE) {
    const port = yield* findPort
    ports.set(name, port)
    const home = join(dir, name)
    mkdirSync(home)
    services.push(
      yield* makeDaemon({
        name,
        dir,
        program: process.execPath,
        args: [...NODE_FLAGS, main],
        cwd: root,
        env: { ...common, DATABASE_URL: serviceUrl, DATA_DIR: home, ROLE: ROLES[name], PORT: String(port) },
        works: answers(`http://127.0.0.1:${port}/health/ready`),
        onEnd: (what) => void exits.push(what)
      })
    )
  }
  yield* Effect.forEach(services, (one) => one.start)
  yield* Effect.forEach(services, (one) => one.ready)
  const proxy = yield* makeProxy(dir, programs.haproxy, [
    { name: "api", port: apiPort, behind: [ports.get("api1")!, ports.get("api2")!] },
    { name: "mcp", port: mcpPort, behind: [ports.get("mcp1")!, ports.get("mcp2")!] }
  ])
  yield* Effect.andThen(proxy.start, proxy.ready)

  const daemons = [millracePostgres.daemon, temporals.daemon, ...temporal.daemons, ...services, proxy]
  const byName = new Map(daemons.map((one) => [one.name, one]))
  return {
    dir,
    baseUrl,
    mcpUrl,
    databaseUrl: millracePostgres.url,
    store,
    programs,
    env: common,
    daemon: (name) => byName.get(name)!,
    names: [...byName.keys()],
    ended: exits,
    ready: Effect.forEach(daemons, (one) => one.ready, { discard: true })
  } satisfies Cluster as Cluster
}) satisfies (
  programs: Programs,
  env: Record<string, string>,
  say: (line: string) => void
) => Effect.Effect<Cluster, MachineFailed, Scope.Scope>
