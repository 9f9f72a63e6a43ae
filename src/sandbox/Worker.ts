// One script process as the service sees it: started with an empty environment and Node's permission model, given one
// request at a time, killed when it does not answer in time (developer-api.md 8.4, design.md section 5).
import { type ChildProcess, spawn } from "node:child_process"
import { realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { Effect, Schema } from "effect"
import type { Call, Done, FromRunner, Init, Reply, Run, RunMany, ToRunner } from "./protocol.ts"

/** The script process could not be started; nothing of the script ran. */
export class SandboxUnavailable extends Schema.TaggedError<SandboxUnavailable>()("SandboxUnavailable", {
  message: Schema.String
}) {}

/** The process ended under the script: almost always memory beyond what V8 survives. */
export class WorkerLost extends Schema.TaggedError<WorkerLost>()("WorkerLost", { late: Schema.Boolean }) {}

const START_MILLIS = 20_000

const packageFolder = (name: string, from: string): string =>
  dirname(realpathSync(createRequire(from).resolve(`${name}/package.json`)))

/** Runs a program of bundle.ts; the only files that it can read are those of the native module. */
const start = (runner: string): ChildProcess => {
  const isolatedVm = packageFolder("isolated-vm", import.meta.filename)
  const folders = [isolatedVm, packageFolder("node-gyp-build", `${isolatedVm}/package.json`)]
  // node-gyp-build looks at the last one to tell musl from glibc.
  const readable = [...folders.map((folder) => `${folder}/*`), "/etc/alpine-release"]
  const permissions = ["--permission", "--allow-addons", ...readable.map((path) => `--allow-fs-read=${path}`)]
  const flags = ["--no-node-snapshot", "--no-warnings", ...permissions, "--input-type=commonjs"]
  const child = spawn(process.execPath, [...flags, "-", isolatedVm], {
    env: { TZ: "UTC", LANG: "C.UTF-8" },
    cwd: "/",
    serialization: "advanced",
    stdio: ["pipe", "ignore", "pipe", "ipc"]
  })
  // Told by the process's end.
  child.stdin?.on("error", () => {})
  child.stdin?.end(runner)
  return child
}

export interface Worker {
  /** Interrupting or outlasting `deadlineMillis` kills the process. */
  readonly request: (
    message: Run | RunMany,
    deadlineMillis: number,
    onCall: (call: Call) => void
  ) => Effect.Effect<Done, WorkerLost>
  readonly reply: (reply: Reply) => void
  readonly served: () => number
}

const tell = (child: ChildProcess, message: ToRunner) => {
  if (child.connected) child.send(message, () => {})
}

/** Scoped: the process goes with the scope. */
export const makeWorker = (runner: string, init: Init) =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => start(runner)),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    )
    child.on("error", () => {})
    yield* Effect.callback<void, SandboxUnavailable>((resume) => {
      let told = ""
      child.stderr?.on("data", (bytes) => {
        told = `${told}${bytes}`.slice(0, 2000)
      })
      const fail = () =>
        resume(Effect.fail(new SandboxUnavailable({ message: `The script process did not start: ${told}` })))
      child.once("close", fail)
      const timer = setTimeout(fail, START_MILLIS)
      child.once("message", () => {
        child.off("close", fail)
        clearTimeout(timer)
        child.stderr?.destroy()
        resume(Effect.void)
      })
      tell(child, init)
      return Effect.sync(() => clearTimeout(timer))
    })
    let served = 0
    const request: Worker["request"] = (message, deadlineMillis, onCall) =>
      Effect.callback((resume) => {
        served++
        const end = (late: boolean) => {
          off()
          child.kill("SIGKILL")
          resume(Effect.fail(new WorkerLost({ late })))
        }
        const exit = () => end(false)
        const receive = (received: FromRunner) => {
          if (received.type === "call") return onCall(received)
          if (received.type !== "done") return
          off()
          resume(Effect.succeed(received))
        }
        const timer = setTimeout(() => end(true), deadlineMillis)
        const off = () => {
          clearTimeout(timer)
          child.off("exit", exit)
          child.off("message", receive)
        }
        if (!child.connected) return end(false)
        child.on("exit", exit)
        child.on("message", receive)
        tell(child, message)
        return Effect.sync(() => {
          off()
          child.kill("SIGKILL")
        })
      })
    return { request, reply: (reply) => tell(child, reply), served: () => served } satisfies Worker as Worker
  })
