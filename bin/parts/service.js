// Runs the service as a process: started with Node 24, watched until it is ready.
import { spawn } from "node:child_process"
import { setTimeout as delay } from "node:timers/promises"
import { home } from "./environment.js"
import { relay, say, stream } from "./lines.js"
import { compileCache, recordChild } from "./os.js"
import { programOf } from "./programs.js"
import { originOf } from "./settings.js"

/**
 * Signals that stop the service. It finishes the requests in flight and exits by itself; only a hung one is killed.
 * @param {Record<string, string>} [env] @returns {import("./os.js").Signals}
 */
export const stopSignals = (env = {}) => [
  ["SIGTERM", 5000 + 1000 * (Number(env["SHUTDOWN_DELAY_SECONDS"]) || 0)],
  ["SIGKILL", 300]
]

/** Origin under which this machine reaches the service. @param {Record<string, string>} env */
const localUrl = (env) => originOf(env["HOST"] ?? "127.0.0.1", env["PORT"] ?? "8080")

/** Base URL of the service, as it names itself. @param {Record<string, string>} env */
export const baseUrlOf = (env) => env["BASE_URL"]?.replace(/\/$/, "") ?? localUrl(env)

/** Error of a service that ended before it was ready. `signal`: the signal that killed it, if any. */
class ServiceEnded extends Error {
  /** @param {number | null} code @param {NodeJS.Signals | null} signal */
  constructor(code, signal) {
    super(`the service ended before it was ready (${signal ?? `status ${code}`}); its own message is above`)
    this.signal = signal
  }
}

/**
 * Flags for the garbage collector, which hold for the threads of the process, and for no process that it starts. What each gains:
 * docs/benchmarks.md, "Measured choices".
 * Young objects: by default Node gives short-lived objects 128 MB, and lets the older ones grow to four times what was in use before it
 * collects them; a half and the double are enough here.
 * Allocation sites: Node puts objects from places in the code whose first objects lived long among the old ones at once. Here those are
 * contexts: while a service is put together they live for ever, later as long as a request. Each would keep its request until the whole
 * heap is collected.
 * Idle heap: eight seconds after its last work Node collects the heap to give memory back, finds no object of the kinds that a request or
 * an event makes, and throws away the code compiled for them. The next requests, for minutes, run unoptimized code.
 */
export const NODE_FLAGS = [
  "--max-semi-space-size=32",
  "--heap-growing-percent=100",
  "--no-allocation-site-pretenuring",
  "--no-memory-reducer",
  "--retain-maps-for-n-gc=1000"
]

/** Limits the C library to two arenas: by default it keeps freed memory in eight per processor. */
export const ALLOCATOR = { MALLOC_ARENA_MAX: "2" }

/** Opens the first page once, so that no visitor waits for what its first request makes. @param {string} url */
const openOnce = async (url) => {
  try {
    await (await fetch(url, { signal: AbortSignal.timeout(2000) })).arrayBuffer()
  } catch {
    // Failures are ignored: the service is ready all the same, and tells its visitors what is wrong.
  }
}

/**
 * Starts the service, waits until /health/ready says yes, and opens its first page once.
 * @param {object} options
 * @param {string} options.node
 * @param {string} options.main its main file, from the root of the clone
 * @param {Record<string, string>} options.env
 * @param {string} options.pidFile
 * @param {number | undefined} [options.port] where it answers alone, if it shares its port
 * @param {(verdicts: Record<string, import("./watch.js").Verdict>) => void} [options.onParts] hears how the service finds its parts
 */
export const startService = async ({ node, main, env, pidFile, port, onParts }) => {
  // A process group of its own keeps Ctrl-C from reaching the service too early; the channel tells it when the launcher has ended.
  const watch = new URL("./parent-watch.js", import.meta.url).href
  const child = spawn(node, [...NODE_FLAGS, "--import", watch, await programOf(node, main)], {
    // Folder that relative paths in settings begin at.
    cwd: home,
    env: { ...compileCache(), ...ALLOCATOR, ...env },
    detached: true,
    // The service's own lines have their form. Other output of the process goes to stderr.
    stdio: ["ignore", "inherit", stream(), "ipc"]
  })
  relay(child.stderr, env["ROLE"] ?? "all", "ERROR")
  child.on("error", () => undefined)
  child.on("message", (/** @type {{ parts?: Record<string, import("./watch.js").Verdict> }} */ { parts }) => {
    if (parts !== undefined) onParts?.(parts)
  })
  await recordChild(pidFile, child, stopSignals(env))
  const url = port === undefined ? localUrl(env) : `http://127.0.0.1:${port}`
  const began = performance.now()
  let reportedSeconds = 0
  let answer = "no answer yet"
  while (child.exitCode === null && child.signalCode === null) {
    try {
      const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2000) })
      answer = `status ${response.status}: ${(await response.text()).slice(0, 300)}`
      if (response.ok) {
        await openOnce(url)
        return child
      }
    } catch {
      answer = "no answer yet"
    }
    const seconds = Math.floor((performance.now() - began) / 10_000) * 10
    if (seconds > reportedSeconds) {
      reportedSeconds = seconds
      say(`waiting for the service to be ready: ${seconds} s (${answer})`)
    }
    await delay(25)
  }
  throw new ServiceEnded(child.exitCode, child.signalCode)
}

/**
 * Ends the processes that a dead service left in its group: browsers, script processes.
 * @param {import("node:child_process").ChildProcess} child
 */
export const endGroup = (child) => {
  if (child.pid === undefined || process.platform === "win32") return
  try {
    process.kill(-child.pid, "SIGKILL")
  } catch {
    // The group has no process left.
  }
}
