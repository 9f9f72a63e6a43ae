// The service as real processes: `src/main.ts` with role api on a database of its own, and the command line beside it.
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Effect, Schedule } from "effect"
import { freePort } from "../../bin/parts/os.js"
import { plainEnvironment } from "./environment.ts"
import { BOUND, ENDS_MILLIS } from "./eventually.ts"
import { program } from "./programs.ts"
import { tellOf, waitedInVain } from "./waitedInVain.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const SECRET_KEY = Buffer.alloc(32, 9).toString("base64")

export interface ServiceProcess {
  readonly origin: string
  readonly child: ChildProcess
  /** Everything that it has printed. */
  readonly output: () => string
}

const environment = (databaseUrl: string, more: Record<string, string> = {}) => ({
  ...plainEnvironment(),
  DATABASE_URL: databaseUrl,
  SECRET_KEY,
  ROLE: "api",
  // Most tests run no script.
  SCRIPT_SPARE_PROCESSES: "0",
  ...more
})

/** Starts a process and waits until it answers; killed with the scope. */
export const startService = Effect.fnUntraced(function* (databaseUrl: string, env: Record<string, string> = {}) {
  const port =
    env["PORT"] === undefined ? yield* Effect.promise(() => freePort() as Promise<number>) : Number(env["PORT"])
  const origin = `http://127.0.0.1:${port}`
  const printed: Array<string> = []
  const output = () => printed.join("")
  yield* Effect.acquireRelease(
    Effect.sync(() => tellOf(`the service at ${origin}`, output)),
    (silence) => Effect.sync(silence)
  )
  let isStopping = false
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const started = spawn(process.execPath, [program("main")], {
        cwd: root,
        env: environment(databaseUrl, { PORT: String(port), BASE_URL: origin, LOG_LEVEL: "debug", ...env })
      })
      started.stdout.on("data", (chunk) => printed.push(String(chunk)))
      started.stderr.on("data", (chunk) => printed.push(String(chunk)))
      started.on("exit", (code, signal) => {
        if (!isStopping) console.error(`the service ended (${code ?? signal}):\n${output().slice(-4_000)}`)
      })
      return started
    }),
    (started) =>
      Effect.sync(() => {
        isStopping = true
        started.kill("SIGKILL")
      })
  )
  yield* Effect.tryPromise(() => fetch(`${origin}/.well-known/oauth-authorization-server`)).pipe(
    Effect.retry({ schedule: Schedule.spaced("100 millis"), while: () => child.exitCode === null }),
    Effect.timeout(BOUND),
    Effect.mapError((error) => waitedInVain("the service answers", BOUND, String(error))),
    Effect.orDie
  )
  return { origin, child, output } satisfies ServiceProcess
})

/** Starts a process that is to end by itself; how, and what it has printed. */
export const endsBySelf = (databaseUrl: string, env: Record<string, string> = {}) =>
  Effect.callback<{ code: number; output: string }>((resume) => {
    const options = { cwd: root, env: environment(databaseUrl, { PORT: "65535", ...env }), timeout: ENDS_MILLIS }
    execFile(process.execPath, [program("main")], options, (error, out, err) =>
      resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? -1), output: out + err }))
    )
  })

/** Runs a command of the operator; its JSON answer. */
export const operate = (databaseUrl: string, baseUrl: string, ...args: ReadonlyArray<string>) =>
  Effect.promise(
    () =>
      new Promise<any>((resolve, reject) => {
        const options = { cwd: root, env: environment(databaseUrl, { BASE_URL: baseUrl }) }
        execFile(process.execPath, [program("cli"), ...args, "--json"], options, (error, stdout, stderr) =>
          error === null ? resolve(JSON.parse(stdout)) : reject(new Error(`${stderr}${stdout}`))
        )
      })
  )

/** Runs a command of the operator with a text on its standard input; what it says, and how it ends. */
export const fed = (databaseUrl: string, input: string, ...args: ReadonlyArray<string>) =>
  Effect.callback<{ code: number; out: string; err: string }>((resume) => {
    const env = { ...plainEnvironment(), DATABASE_URL: databaseUrl, SECRET_KEY: Buffer.alloc(32, 7).toString("base64") }
    const options = { cwd: root, env, timeout: ENDS_MILLIS }
    const child = execFile(process.execPath, [program("cli"), ...args], options, (error, out, err) =>
      resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? 1), out, err }))
    )
    child.stdin?.end(input)
  })

/** The same as it is typed, with nothing to read. */
export const typed = (databaseUrl: string, ...args: ReadonlyArray<string>) => fed(databaseUrl, "", ...args)
