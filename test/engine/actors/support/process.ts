// A worker process of its own, to be stopped, continued and killed.
import { type ChildProcess, spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { compileCache } from "../../../../bin/parts/os.js"
import type { Setting } from "./harness.ts"

const script = fileURLToPath(new URL("./worker.ts", import.meta.url))

const hasExited = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Ends with the scope, by SIGKILL. */
export const startWorker = (setting: Setting, env: Record<string, string> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [script], {
        env: { ...compileCache(), ...process.env, ...env, SETTING: JSON.stringify(setting) },
        stdio: ["ignore", "ignore", "inherit"]
      })
    ),
    (child) => Effect.sync(() => void (hasExited(child) || child.kill("SIGKILL")))
  )

export const exited = (child: ChildProcess) =>
  Effect.callback<void>((resume) => {
    if (hasExited(child)) resume(Effect.void)
    else child.once("exit", () => resume(Effect.void))
  })
