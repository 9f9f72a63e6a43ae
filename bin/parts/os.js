// Wraps the operating system for the launcher and the tests: ports, the cache directory, and processes identified by pid and start time, so
// that a pid reused by another program is never mistaken for a part of ours.
import { execFileSync } from "node:child_process"
import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { lstat, open, readdir, rename } from "node:fs/promises"
import { createServer } from "node:net"
import { homedir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"

/** Folder of built and downloaded programs, outside the clone: `$XDG_CACHE_HOME/millrace` or `~/.cache/millrace`. */
export const cacheDir = () => join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "millrace")

/** Path of the program of that name on PATH. @param {string} name */
export const onPath = (name) =>
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

/** Compile cache of Node for processes of ours: with it they start in half the time. */
export const compileCache = () => ({
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(cacheDir(), "compile")
})

/**
 * Range of ports below those that the system gives to connections and to programs that ask for any: none of these gets a port that was
 * found free while its server is still starting. One after another from a random one, so that no concurrent search finds the same.
 */
const [FIRST_PORT, PORTS] = [12_000, 20_000]
let lastPort = Math.floor(Math.random() * PORTS)

/**
 * Reason why nobody can listen there; undefined if one can.
 * @param {number} port @param {string} host @returns {Promise<string | undefined>}
 */
const refusal = (port, host) =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message))
    server.listen({ port, host }, () => server.close(() => resolve(undefined)))
  })

/** @param {number} port */
const isFree = async (port) => (await refusal(port, "127.0.0.1")) === undefined

/** True if another program listens there. @param {number} port @param {string} host */
export const isTaken = async (port, host) => (await refusal(port, host)) === "EADDRINUSE"

/**
 * Finds a free TCP port on the loopback address: `preferred` when it can be had.
 * @param {number} [preferred]
 * @returns {Promise<number>}
 */
export const freePort = async (preferred = 0) => {
  if (preferred !== 0 && (await isFree(preferred))) return preferred
  for (let tries = 0; tries < PORTS; tries++) {
    lastPort = (lastPort + 1) % PORTS
    const port = FIRST_PORT + lastPort
    if (await isFree(port)) return port
  }
  throw new Error("There is no free port.")
}

/** @typedef {{ pid: number, start: string }} Identity */

/** @param {string} file */
const read = (file) => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

/**
 * Start time of the process, as an opaque text; undefined if there is no such process. A zombie does not count, once the last of its
 * threads has ended: until then these hold its files and ports.
 * @param {number} pid
 * @returns {string | undefined}
 */
const startOf = (pid) => {
  if (process.platform === "linux") {
    const stat = read(`/proc/${pid}/stat`)
    if (stat === undefined) return undefined
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const [state, threads] = [fields[0], Number(fields[17])]
    if (state === "X" || (state === "Z" && threads <= 1)) return undefined
    return `${read("/proc/sys/kernel/random/boot_id")?.trim()}:${fields[19]}`
  }
  try {
    const startTime = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: "pipe"
    }).trim()
    return startTime === "" ? undefined : startTime
  } catch {
    return undefined
  }
}

/** @param {number} pid @returns {Identity} */
export const identify = (pid) => ({ pid, start: startOf(pid) ?? "gone" })

/** @param {Identity} identity */
export const isAlive = ({ pid, start }) => startOf(pid) === start

/** Flushes a file to the disk: after a power failure its name has the old content, or the new. @param {string} path */
const flush = (path) => {
  const handle = openSync(path, "r")
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/**
 * Writes a file in one step, readable by its owner only.
 * @param {string} file @param {string} text
 */
export const writeWhole = (file, text) => {
  const draftFile = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(draftFile, text, { mode: 0o600, flush: true })
    renameSync(draftFile, file)
    if (process.platform !== "win32") flush(dirname(file))
  } catch (error) {
    rmSync(draftFile, { force: true })
    throw error
  }
}

/** Flushes a file or folder to the disk, each folder after its content. @param {string} path @returns {Promise<void>} */
const flushAll = async (path) => {
  const fileStat = await lstat(path)
  if (fileStat.isDirectory()) for (const entry of await readdir(path)) await flushAll(join(path, entry))
  // Windows flushes files that may be written to, and no folders.
  const windows = process.platform === "win32"
  if (!fileStat.isFile() && (windows || !fileStat.isDirectory())) return
  const handle = await open(path, windows ? "r+" : "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Moves a finished draft to its place in one step: after a power failure the place has nothing, or all of it.
 * @param {string} draft @param {string} place
 */
export const takePlace = async (draft, place) => {
  await flushAll(draft)
  await rename(draft, place)
  if (process.platform !== "win32") flush(dirname(place))
}

/** @param {string} file @returns {any} the parsed JSON, undefined when there is none */
export const readJson = (file) => {
  const text = read(file)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @typedef {ReadonlyArray<readonly [NodeJS.Signals, number]>} Signals a signal and how long (ms) it may take to work */

/**
 * Sends the signals one after another until the process is gone.
 * @param {Identity} identity @param {Signals} signals
 * @returns {Promise<boolean>} whether it is gone
 */
export const stop = async (identity, signals) => {
  for (const [signal, milliseconds] of signals) {
    if (!isAlive(identity)) return true
    try {
      process.kill(identity.pid, signal)
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "ESRCH") throw error
    }
    const until = performance.now() + milliseconds
    while (isAlive(identity) && performance.now() < until) await delay(20)
  }
  return !isAlive(identity)
}

/**
 * Records the process that was just started, so that it can be stopped. If that fails, as on a full disk, nothing could stop the process:
 * it is ended, and this fails.
 * @param {string} pidFile @param {import("node:child_process").ChildProcess} child @param {Signals} signals
 */
export const recordChild = async (pidFile, child, signals) => {
  const identity = identify(child.pid ?? 0)
  try {
    writeWhole(pidFile, JSON.stringify(identity))
  } catch (error) {
    await stop(identity, signals)
    throw error
  }
  return identity
}

/**
 * Stops the process that a pid file names, if it is still the same one, and removes the file.
 * @param {string} file @param {Signals} signals
 * @returns {Promise<number | undefined>} the pid that was stopped
 */
export const stopRecorded = async (file, signals) => {
  const identity = readJson(file)
  const alive = identity !== undefined && isAlive(identity)
  if (alive && !(await stop(identity, signals))) throw new Error(`The process ${identity.pid} (${file}) does not stop.`)
  rmSync(file, { force: true })
  return alive ? identity.pid : undefined
}

/** Last lines of a log, for an error message. @param {string} file */
export const tail = (file) => (read(file) ?? "").trimEnd().split("\n").slice(-8).join("\n")
