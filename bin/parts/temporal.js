// The embedded Temporal: finds, builds or downloads the `temporal` program, and runs its development server.
import { spawn, spawnSync } from "node:child_process"
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync
} from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { cacheDir, freePort, identify, isAlive, stop, tail, writeWhole } from "./os.js"
import { putBehind } from "./priority.js"

export const VERSION = "v1.5.1"
const MODULE = `github.com/temporalio/cli/cmd/temporal@${VERSION}`
/** Packages that `go install` compiles for this version: the end of the progress shown. */
const PACKAGES = 1300
const EXECUTABLE = process.platform === "win32" ? "temporal.exe" : "temporal"

/** @type {import("./os.js").Signals} */
export const STOP_SIGNALS = [
  ["SIGTERM", 2000],
  ["SIGKILL", 1000]
]

/** @typedef {(message: string) => void} Say */

/** @param {string} name */
const onPath = (name) =>
  (process.env.PATH ?? "")
    .split(delimiter)
    .filter(Boolean)
    .map((dir) => join(dir, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })

/** @param {string} file */
const servesDevelopment = (file) => {
  const { status, stdout } = spawnSync(file, ["server", "start-dev", "--help"], { encoding: "utf8" })
  return status === 0 && stdout.includes("--sqlite-pragma") && stdout.includes("--dynamic-config-value")
}

/**
 * The path of a `temporal` program: the one on PATH, the cached one, one built with Go, or one downloaded; a clear
 * error when there is none of them.
 * @param {Say} [say] takes a line whenever a long step gets on
 * @returns {Promise<string>}
 */
export const findTemporal = async (say = () => {}) => {
  const found = onPath(EXECUTABLE)
  if (found !== undefined && servesDevelopment(found)) return found
  const cached = join(cacheDir(), "temporal", VERSION, EXECUTABLE)
  if (existsSync(cached)) return cached
  mkdirSync(dirname(cached), { recursive: true })
  const work = mkdtempSync(join(dirname(cached), "new-"))
  /** @type {string[]} */
  const failures = []
  try {
    for (const get of [build, download]) {
      try {
        await get(work, say)
        chmodSync(join(work, EXECUTABLE), 0o755)
        renameSync(join(work, EXECUTABLE), cached)
        return cached
      } catch (error) {
        failures.push(/** @type {Error} */ (error).message)
      }
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  throw new Error(
    [
      "There is no Temporal server to start:",
      `  - no \`temporal\` on PATH and none in ${dirname(cached)}`,
      ...failures.map((line) => `  - ${line}`),
      "Install the Temporal CLI (https://docs.temporal.io/cli), or Go, or set TEMPORAL_ADDRESS to a server of your own."
    ].join("\n")
  )
}

/** @param {string} work @param {Say} say */
const build = (work, say) =>
  /** @type {Promise<void>} */ (
    new Promise((resolve, reject) => {
      if (onPath(process.platform === "win32" ? "go.exe" : "go") === undefined) {
        reject(new Error("it cannot be built, because Go is not on PATH"))
        return
      }
      say(`building Temporal ${VERSION} with Go: once per machine, about 6 minutes on two cores`)
      const began = performance.now()
      const child = spawn("go", ["install", "-v", MODULE], {
        env: { ...process.env, GOBIN: work },
        stdio: ["ignore", "ignore", "pipe"]
      })
      let packages = 0
      let modules = 0
      /** @type {string[]} */
      let last = []
      const timer = setInterval(() => {
        const seconds = Math.round((performance.now() - began) / 1000)
        const share = Math.min(99, Math.floor((100 * packages) / PACKAGES))
        say(
          `building Temporal: ${seconds} s, ${modules} modules downloaded, ${packages} packages compiled (${share} %)`
        )
      }, 5000)
      child.stderr.setEncoding("utf8").on("data", (text) => {
        const lines = text.split("\n").filter(Boolean)
        modules += lines.filter((/** @type {string} */ line) => line.startsWith("go: downloading")).length
        packages += lines.filter((/** @type {string} */ line) => !line.startsWith("go: ")).length
        last = [...last, ...lines].slice(-5)
      })
      const kill = () => child.kill("SIGTERM")
      process.once("exit", kill)
      child.once("error", reject)
      child.once("close", (code) => {
        clearInterval(timer)
        process.off("exit", kill)
        if (code === 0) resolve()
        else reject(new Error(`go install ${MODULE} failed:\n${last.map((line) => `      ${line}`).join("\n")}`))
      })
    })
  )

/** @param {string} work @param {Say} say */
const download = async (work, say) => {
  const platform = process.platform === "win32" ? "windows" : process.platform
  const arch = process.arch === "x64" ? "amd64" : process.arch
  const url = `https://temporal.download/cli/archive/${VERSION}?platform=${platform}&arch=${arch}`
  say(`downloading Temporal ${VERSION}`)
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(300_000) })
    if (!response.ok || response.body === null) throw new Error(`status ${response.status}`)
    const total = Number(response.headers.get("content-length") ?? 0)
    const archive = join(work, "archive")
    const file = createWriteStream(archive)
    let bytes = 0
    let told = 0
    for await (const chunk of response.body) {
      file.write(chunk)
      bytes += chunk.length
      if (performance.now() - told > 2000) {
        told = performance.now()
        say(`downloading Temporal: ${Math.round(bytes / 1e6)} of ${total === 0 ? "?" : Math.round(total / 1e6)} MB`)
      }
    }
    await new Promise((resolve) => file.end(resolve))
    const { status, stderr } = spawnSync("tar", ["-xf", archive, "-C", work, EXECUTABLE], { encoding: "utf8" })
    if (status !== 0) throw new Error(stderr.trim())
  } catch (error) {
    const { message, cause } = /** @type {Error & { cause?: Error }} */ (error)
    throw new Error(`it cannot be downloaded from ${new URL(url).origin}: ${cause?.message || message}`)
  }
}

/**
 * Where the UI shows our workflows: its first page is that of another namespace.
 * @param {Record<string, string | undefined>} env
 */
export const uiAddressOf = ({ TEMPORAL_NAMESPACE: namespace = "millrace", TEMPORAL_UI_URL: base }) => {
  if (base === undefined || base === "") return undefined
  const whole = base.endsWith("/") ? base.slice(0, -1) : base
  return whole.includes("/namespaces/") ? base : `${whole}/namespaces/${encodeURIComponent(namespace)}/workflows`
}

/**
 * @typedef {object} Temporal
 * @property {import("node:child_process").ChildProcess} child
 * @property {import("./os.js").Identity} identity
 * @property {string} address host and port
 * @property {string | undefined} ui the web interface
 *
 * Starts the development server on a database file and waits until it answers.
 * @param {object} options
 * @param {string} options.program
 * @param {string} options.database
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
      ...["--db-filename", database, "--log-level", "warn"],
      ...["--sqlite-pragma", "journal_mode=WAL", "--sqlite-pragma", "synchronous=NORMAL"],
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
  if (behind && child.pid !== undefined) putBehind(child.pid)
  const identity = identify(child.pid ?? 0)
  writeWhole(pidFile, JSON.stringify(identity))
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
