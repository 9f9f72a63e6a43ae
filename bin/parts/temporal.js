// Runs the embedded Temporal: the development server of the `temporal` program (findTemporal.js).
import { spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { freePort, isAlive, recordChild, stop, tail } from "./os.js"
import { putBehind } from "./priority.js"

/** @type {import("./os.js").Signals} */
export const STOP_SIGNALS = [
  ["SIGTERM", 2000],
  ["SIGKILL", 1000]
]

/** Filter for workflows about apps: housekeeping, a few every five minutes, has its schedules and would fill the list. */
const WORK = 'WorkflowType != "housekeeping"'

/** Address of our workflows' list in the UI, whose first page shows another namespace. @param {Record<string, string | undefined>} env */
export const uiAddressOf = ({ TEMPORAL_NAMESPACE: namespace = "millrace", TEMPORAL_UI_URL: base }) => {
  if (base === undefined || base === "") return undefined
  const trimmedBase = base.endsWith("/") ? base.slice(0, -1) : base
  return trimmedBase.includes("/namespaces/")
    ? base
    : `${trimmedBase}/namespaces/${encodeURIComponent(namespace)}/workflows?query=${encodeURIComponent(WORK)}`
}

/** @param {string} database file */
const fileFlags = (database) => [
  ...["--db-filename", database],
  ...["--sqlite-pragma", "journal_mode=WAL", "--sqlite-pragma", "synchronous=NORMAL"]
]

/**
 * @typedef {object} Temporal
 * @property {import("node:child_process").ChildProcess} child
 * @property {import("./os.js").Identity} identity
 * @property {string} address host and port
 * @property {string | undefined} ui the web interface
 *
 * Starts the development server and waits until it answers.
 * @param {object} options
 * @param {string} options.program
 * @param {string} [options.database] none: in memory, forgotten when the server ends; a tenth less work
 * @param {number} options.port
 * @param {number} [options.uiPort] none: without the web interface
 * @param {boolean} [options.behind] behind other processes where processors are few
 * @param {string} options.log
 * @param {string} options.pidFile
 * @returns {Promise<Temporal>}
 */
export const startTemporal = async ({ program, database, port, uiPort, behind = false, log, pidFile }) => {
  const http = await freePort()
  const out = openSync(log, "a", 0o600)
  const child = spawn(
    program,
    [
      ...["server", "start-dev", "--ip", "127.0.0.1", "--port", String(port), "--http-port", String(http)],
      ...(uiPort === undefined ? ["--headless"] : ["--ui-port", String(uiPort)]),
      ...["--log-level", "warn", ...(database === undefined ? [] : fileFlags(database))],
      ...["--dynamic-config-value", "history.transferProcessorMaxPollRPS=1000"],
      ...["--dynamic-config-value", "system.enableActivityEagerExecution=true"]
    ],
    { detached: true, stdio: ["ignore", out, out] }
  )
  closeSync(out)
  /** @type {Error | undefined} */
  let failure
  child.once("error", (error) => {
    failure = error
  })
  const identity = await recordChild(pidFile, child, STOP_SIGNALS)
  if (behind && child.pid !== undefined) putBehind(child.pid)
  const until = performance.now() + 60_000
  for (;;) {
    if (failure !== undefined || !isAlive(identity) || performance.now() > until) {
      await stop(identity, STOP_SIGNALS)
      throw new Error(`Temporal did not start: ${failure?.message ?? tail(log)}`)
    }
    const answer = await fetch(`http://127.0.0.1:${http}/api/v1/cluster-info`, {
      signal: AbortSignal.timeout(1000)
    }).then(
      (response) => response.ok,
      () => false
    )
    if (answer) break
    await delay(50)
  }
  return {
    child,
    identity,
    address: `127.0.0.1:${port}`,
    ui: uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`
  }
}
