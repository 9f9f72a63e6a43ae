// A machine of its own for a measurement or a disturbance: Postgres, Temporal and the service as real processes on free ports in
// a temporary directory. Each part can be killed and started again on its old address. All ends with the scope.
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { ConfigProvider, Data, Effect, Layer, Redacted, Schedule, type Scope } from "effect"
import { SERVICE_ROLE, urlAs } from "../../bin/parts/database.js"
import { findTemporal } from "../../bin/parts/findTemporal.js"
import { compileCache, freePort, identify, readJson, stopRecorded, tail, writeWhole } from "../../bin/parts/os.js"
import { startPostgres } from "../../bin/parts/postgres.js"
import { processPlaces } from "../../bin/parts/processes.js"
import { programOf } from "../../bin/parts/programs.js"
import { ALLOCATOR, NODE_FLAGS } from "../../bin/parts/service.js"
import { startTemporal } from "../../bin/parts/temporal.js"
import { OperatorLayer } from "../../demo/operator.ts"
import { prepareEmbedded } from "../../src/platform/sql/prepareDatabase.ts"
import { looked } from "./looked.ts"
import { statementsSettings, tellStatements } from "./statements.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "")

/** The service as users start it; of another release its source. */
export const mainOf = async (clone: string) =>
  clone === root ? programOf(process.execPath, "src/main.ts") : join(clone, "src", "main.ts")

export class MachineFailed extends Data.TaggedError("MachineFailed")<{ readonly message: string }> {}

export interface Part {
  readonly name: "service" | "postgres" | "temporal"
  readonly start: Effect.Effect<void, MachineFailed>
  /** Ends it without giving it time for anything: SIGKILL, and for Postgres its immediate shutdown. */
  readonly kill: Effect.Effect<void, MachineFailed>
}

export interface Machine {
  readonly dir: string
  readonly baseUrl: string
  readonly databaseUrl: string
  /** Environment of the service, except the address of the database, which is the superuser's here. */
  readonly env: Readonly<Record<string, string>>
  readonly parts: Readonly<Record<Part["name"], Part>>
  /** Pid of the service as it runs now. */
  readonly servicePid: () => number | undefined
  /** Pid of a part as it was started last. */
  readonly pidOf: (name: Part["name"]) => number | undefined
  /** Waits until the service answers. */
  readonly ready: Effect.Effect<void, MachineFailed>
  /** Schema and rights as a clone of some release wants them. */
  readonly prepareFrom: (clone: string) => Effect.Effect<void, MachineFailed>
  /** Stops the service as an operator does, and starts it from a clone of another release. */
  readonly serveFrom: (clone: string) => Effect.Effect<void, MachineFailed>
  /** A second service from a clone, on a port of its own; resolves when it works. */
  readonly startBeside: (
    clone: string,
    shared?: { readonly env: Record<string, string>; readonly port: number }
  ) => Effect.Effect<{ readonly pid: number; readonly stop: Effect.Effect<void> }, MachineFailed, Scope.Scope>
}

export interface MachineOptions {
  /** Settings of Postgres besides those of every machine. */
  readonly settings?: Record<string, string>
  readonly name: string
  readonly env?: Record<string, string>
  /** False: starts no Temporal, for rows that need none; the service then has the role api. */
  readonly temporal?: boolean
  /** Processes that share the port, as in `PROCESSES`. Default 1. */
  readonly processes?: number
  /** A Temporal that runs already, which is used in place of one of its own, in a namespace made for it. */
  readonly temporalAddress?: string
  /** Arguments of Node before the main file. */
  readonly nodeArgs?: ReadonlyArray<string>
  /** Clone of the release that the service is of at first; this one where nothing is said. */
  readonly release?: string
  /** True: as in production. False: no disk flushes, but commits still reach the server's log before they are answered. */
  readonly durable?: boolean
}

const attempt = <A>(what: string, run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (error) => new MachineFailed({ message: `${what}: ${(error as Error).message}` })
  })

const KEPT = /^(PATH|HOME|USER|LANG|TMPDIR|XDG_CACHE_HOME|CHROMIUM_PATH)$/
export const inherited = () =>
  Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => KEPT.test(entry[0]) && entry[1] != null)
  )

const KILL = [["SIGKILL", 5000]] as const
/** The postmaster's immediate shutdown takes its children along; the next start recovers from the log. */
const KILL_POSTGRES = [
  ["SIGQUIT", 5000],
  ["SIGKILL", 2000]
] as const

export const makeMachine = Effect.fn("makeMachine")(function* (options: MachineOptions) {
  const dir = mkdtempSync(join(tmpdir(), `millrace-${options.name}-`))
  const pidFile = (name: string) => join(dir, `${name}.pid`)
  const log = (name: string) => join(dir, "logs", `${name}.log`)
  // Kills the parts at once: all their data is thrown away.
  const signals = { service: KILL, temporal: KILL, postgres: KILL_POSTGRES }
  yield* Effect.addFinalizer(() =>
    Effect.promise(async () => {
      for (const name of ["service", "temporal", "postgres"] as const) await stopRecorded(pidFile(name), signals[name])
      rmSync(dir, { recursive: true, force: true })
    })
  )
  mkdirSync(join(dir, "logs"))
  const ports = yield* Effect.promise(() => Promise.all([freePort(), freePort(), freePort()]))
  const [postgresPort, temporalPort, servicePort] = ports as [number, number, number]

  const launchPostgres = attempt("Postgres", () =>
    startPostgres({
      root,
      dir: join(dir, "postgres"),
      port: postgresPort,
      password: "machine",
      log: log("postgres"),
      pidFile: pidFile("postgres"),
      settings: {
        ...(options.durable === false ? { fsync: "off", full_page_writes: "off" } : {}),
        ...options.settings,
        ...statementsSettings()
      }
    })
  )
  const { url: databaseUrl } = yield* launchPostgres
  yield* tellStatements(databaseUrl)
  const serviceUrl = urlAs(databaseUrl, SERVICE_ROLE, "machine")
  let release = options.release ?? root
  const prepareFrom = (clone: string) =>
    clone === root
      ? prepareEmbedded(Redacted.make(databaseUrl), Redacted.make(serviceUrl)).pipe(
          Effect.mapError(({ message }) => new MachineFailed({ message })),
          Effect.asVoid
        )
      : attempt("the release's schema", () =>
          promisify(execFile)(process.execPath, [join(clone, "src", "prepare.ts")], {
            cwd: clone,
            env: { ...inherited(), DATABASE_URL: serviceUrl, DATABASE_SUPERUSER_URL: databaseUrl }
          })
        ).pipe(Effect.asVoid)
  yield* prepareFrom(release)
  const ownsTemporal = options.temporal !== false && options.temporalAddress === undefined
  const program = !ownsTemporal ? "" : yield* attempt("Temporal", () => findTemporal())
  const launchTemporal = attempt("Temporal", () =>
    startTemporal({
      program,
      database: join(dir, "temporal.db"),
      port: temporalPort,
      behind: true,
      log: log("temporal"),
      pidFile: pidFile("temporal")
    })
  ).pipe(Effect.asVoid)
  if (ownsTemporal) yield* launchTemporal

  const baseUrl = `http://127.0.0.1:${servicePort}`
  const [firstPlace, ...furtherPlaces] = yield* Effect.promise(() => processPlaces(options.processes ?? 1))
  const env: Record<string, string> = {
    ...compileCache(),
    ...ALLOCATOR,
    ...inherited(),
    PORT: String(servicePort),
    BASE_URL: baseUrl,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dir,
    SECRET_KEY: Buffer.alloc(32, 11).toString("base64"),
    TEMPORAL_ADDRESS: options.temporalAddress ?? `127.0.0.1:${temporalPort}`,
    TEMPORAL_NAMESPACE: ownsTemporal ? "millrace" : `${options.name}-${servicePort}`,
    TEMPORAL_CONFIG_FILE: join(dir, "client.toml"),
    RATE_BUDGET: "1000000000",
    LOG_LEVEL: "warn",
    LOG_FORMAT: "json",
    ...(options.temporal === false ? { ROLE: "api" } : {}),
    ...firstPlace!.env,
    ...options.env
  }
  writeWhole(join(dir, "client.toml"), "[profile.default]\n")

  let child: ChildProcess | undefined
  const launchService = attempt("the service", async () => {
    const out = openSync(log("service"), "a")
    const args = [
      ...NODE_FLAGS,
      ...(looked.inspect === undefined ? [] : [`--inspect=127.0.0.1:${looked.inspect}`]),
      ...(options.nodeArgs ?? []),
      await mainOf(release)
    ]
    // Peers and the operator work as the superuser, who may make tables; the service as it does under `npm start`.
    const serviceEnv = { ...env, DATABASE_URL: serviceUrl }
    const started = spawn(process.execPath, args, {
      cwd: release,
      env: serviceEnv,
      detached: true,
      stdio: ["ignore", out, out]
    })
    closeSync(out)
    started.on("error", () => undefined)
    child = started
    writeWhole(pidFile("service"), JSON.stringify(identify(started.pid ?? 0)))
  })
  const checkService = attempt("the service", async () => {
    if (child !== undefined && (child.exitCode !== null || child.signalCode !== null)) return "gone"
    const response = await fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(2000) })
    if (!response.ok) throw new Error(await response.text())
    return "ready"
  }).pipe(
    Effect.retry({ times: 600, schedule: Schedule.spaced("100 millis") }),
    Effect.filterOrFail(
      (state) => state === "ready",
      () => new MachineFailed({ message: `the service ended: ${tail(log("service"))}` })
    ),
    Effect.asVoid
  )

  const kill = (name: Part["name"], how: ReadonlyArray<readonly [NodeJS.Signals, number]>) =>
    attempt(name, () => stopRecorded(pidFile(name), how)).pipe(Effect.asVoid)
  const killGroup = Effect.sync(() => {
    try {
      if (child?.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    } catch {
      // Every process had ended already.
    }
  })
  yield* Effect.addFinalizer(() => killGroup)

  const parts: Machine["parts"] = {
    service: { name: "service", start: launchService, kill: Effect.andThen(killGroup, kill("service", KILL)) },
    postgres: { name: "postgres", start: Effect.asVoid(launchPostgres), kill: kill("postgres", KILL_POSTGRES) },
    temporal: { name: "temporal", start: launchTemporal, kill: kill("temporal", KILL) }
  }
  /** Signals with the milliseconds that an orchestrator gives a process before the next one. */
  const STOP = [
    ["SIGTERM", 20_000],
    ["SIGKILL", 5000]
  ] as const
  const serveFrom = (clone: string) =>
    Effect.gen(function* () {
      yield* kill("service", STOP)
      release = clone
      yield* launchService
      yield* checkService
    })
  const startBeside: Machine["startBeside"] = Effect.fnUntraced(function* (clone, shared) {
    const port = shared?.port ?? (yield* Effect.promise(() => freePort() as Promise<number>))
    const file = pidFile(`beside-${port}`)
    const stop = Effect.promise(() => stopRecorded(file, STOP)).pipe(Effect.asVoid)
    const out = openSync(log("beside"), "a")
    const serviceEnv = { ...env, DATABASE_URL: serviceUrl, ...(shared?.env ?? { PORT: String(port) }) }
    const args = [...NODE_FLAGS, yield* attempt("the service beside", () => mainOf(clone))]
    const started = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, args, { cwd: clone, env: serviceEnv, detached: true, stdio: ["ignore", out, out] })
      ),
      () => stop
    )
    closeSync(out)
    writeWhole(file, JSON.stringify(identify(started.pid ?? 0)))
    yield* attempt("the service beside", async () => {
      const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(2000) })
      if (!response.ok) throw new Error(`${await response.text()} ${tail(log("beside"))}`)
    }).pipe(Effect.retry({ times: 600, schedule: Schedule.spaced("100 millis") }))
    return { pid: started.pid ?? 0, stop }
  })
  yield* launchService
  yield* checkService
  yield* Effect.forEach(furtherPlaces, ({ env, port }) => startBeside(root, { env, port: port! }))
  const pidOf = (name: Part["name"]) => (readJson(pidFile(name)) as { pid: number } | undefined)?.pid
  return {
    dir,
    baseUrl,
    databaseUrl,
    env,
    parts,
    servicePid: () => child?.pid,
    pidOf,
    ready: checkService,
    prepareFrom,
    serveFrom,
    startBeside
  } satisfies Machine as Machine
})

/** The services of the operator's command line on the machine's database. */
export const operatorOf = ({ env }: Pick<Machine, "env">) =>
  OperatorLayer.pipe(Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(env))))
