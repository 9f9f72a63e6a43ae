// A process of the cluster: started, killed, stopped as an operator does, frozen and thawed, under its own name and log. It ends with
// the scope, whoever it has started with it.
import { type ChildProcess, spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import { Effect, Option, Schedule } from "effect"
import { tail } from "../../../bin/parts/os.js"
import { MachineFailed } from "../../support/machine.ts"

export interface Daemon {
  readonly name: string
  /** Resolves when there is a process; whether it works is asked by `ready`. */
  readonly start: Effect.Effect<void, MachineFailed>
  /** Kills the process at once, with no time to clean up. */
  readonly kill: Effect.Effect<void>
  /** SIGTERM; what does not end by itself is killed after a while, as by an orchestrator. */
  readonly stop: Effect.Effect<void>
  readonly freeze: Effect.Effect<void>
  readonly thaw: Effect.Effect<void>
  readonly ready: Effect.Effect<void, MachineFailed>
  readonly pid: () => number | undefined
}

export interface DaemonOptions {
  readonly name: string
  readonly dir: string
  readonly program: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** True once the process works. */
  readonly works: () => Promise<boolean>
  /** Told when it does not stop, and when it has ended though nobody ended it; it is then started again, as by a supervisor. */
  readonly onEnd?: (what: string) => void
}

const READY_SECONDS = 120
const AGAIN_MILLIS = 500
const STOP_SECONDS = 40
const lookEvery = (seconds: number) => ({ times: seconds * 10, schedule: Schedule.spaced("100 millis") })

const untilReady = (name: string, log: string, works: () => Promise<boolean>) =>
  Effect.tryPromise({ try: works, catch: (error) => error as Error }).pipe(
    Effect.filterOrFail(
      (yes) => yes,
      () => new Error("not ready")
    ),
    Effect.retry(lookEvery(READY_SECONDS)),
    Effect.mapError(
      ({ message }) =>
        new MachineFailed({ message: `${name} did not get ready in ${READY_SECONDS} s (${message}): ${tail(log)}` })
    ),
    Effect.asVoid
  )

/** Signals the process and its children: browsers, script processes. */
const signal = (child: ChildProcess | undefined, what: NodeJS.Signals, group: boolean) => {
  if (child?.pid === undefined) return
  try {
    process.kill(group ? -child.pid : child.pid, what)
  } catch {
    // Every process has ended already.
  }
}

export const makeDaemon = Effect.fnUntraced(function* (options: DaemonOptions) {
  const { args, cwd, dir, env, name, onEnd, program, works } = options
  let shouldRun = false
  let child: ChildProcess | undefined
  let childExit: Promise<void> = Promise.resolve()
  const log = join(dir, "logs", `${name}.log`)
  const launch = () => {
    const out = openSync(log, "a")
    const started = spawn(program, [...args], {
      ...(cwd === undefined ? {} : { cwd }),
      env,
      detached: true,
      stdio: ["ignore", out, out]
    })
    closeSync(out)
    shouldRun = true
    child = started
    childExit = new Promise((resolve) => {
      const onExit = () => {
        resolve()
        if (!shouldRun || child !== started) return
        onEnd?.(`${name} ended by itself: ${tail(log).split("\n").at(-1)}`)
        setTimeout(() => shouldRun && child === started && launch(), AGAIN_MILLIS).unref()
      }
      started.once("exit", onExit)
      started.once("error", onExit)
    })
  }
  const end = (what: NodeJS.Signals, group: boolean) => {
    shouldRun = false
    signal(child, what, group)
    return childExit
  }
  const start = Effect.try({
    try: launch,
    catch: (error) => new MachineFailed({ message: `${name}: ${(error as Error).message}` })
  })
  const kill = Effect.promise(() => end("SIGKILL", true))
  const stop = Effect.promise(() => end("SIGTERM", false)).pipe(
    Effect.timeoutOption(`${STOP_SECONDS} seconds`),
    Effect.tap((stopped) =>
      Option.isSome(stopped) ? Effect.void : Effect.sync(() => onEnd?.(`${name} did not stop in ${STOP_SECONDS} s`))
    ),
    Effect.andThen(kill)
  )
  yield* Effect.addFinalizer(() => kill)
  return {
    name,
    start,
    kill,
    stop,
    freeze: Effect.sync(() => signal(child, "SIGSTOP", true)),
    thaw: Effect.sync(() => signal(child, "SIGCONT", true)),
    ready: untilReady(name, log, works),
    pid: () => child?.pid
  } satisfies Daemon as Daemon
})

export const answers = (url: string) => async () => {
  const response = await fetch(url, { signal: AbortSignal.timeout(2000) })
  await response.arrayBuffer()
  return response.ok
}
