// Finds the launcher's surroundings: the clone or the installed package, `.env`, the data directory, and the state file in it by which the
// other commands find a running service.
import { randomBytes } from "node:crypto"
import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { chooseForm } from "./lines.js"
import { isAlive, readJson, writeWhole } from "./os.js"
import { namesProblems } from "./settingNames.js"
import { launcherNames, withFiles } from "./settings.js"

/** Folder of the clone, or of the installed package's programs (pack.js). */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "")

/** True for an installed package, whose package.json lies one folder above. */
export const packaged = !existsSync(join(root, "package.json"))

/** Folder that holds `.env` and that relative paths begin at: the clone; for a package the folder in which it was started. */
export const home = packaged ? process.cwd() : root

/** Command line as a person types it. @param {string} name @param {string} [rest] */
export const commandLine = (name, rest = "") => {
  const npm = name === "start" ? "npm start" : `npm run ${name}${rest === "" ? "" : " --"}`
  return `${packaged ? `millrace ${name}` : npm} ${rest}`.trimEnd()
}

/** Parses `NAME=value` lines; `#` begins a comment, quotes are removed. @param {string} text @returns {Record<string, string>} */
const parseEnv = (text) =>
  Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^#]*?))\s*(?:#.*)?$/.exec(line)
      return match === null ? [] : [[match[1], match[2] ?? match[3] ?? match[4] ?? ""]]
    })
  )

/**
 * Merges the environment over `.env`, an empty value counting as none, and settings from files (settings.js). A variable that the
 * environment sets, itself or by a file, ignores the other form in `.env`.
 * @returns {{ env: Record<string, string>, sources: Record<string, string> }} sources: where each variable came from
 */
const readSettings = () => {
  const path = join(home, ".env")
  const set = (/** @type {Record<string, string | undefined>} */ from) =>
    Object.fromEntries(Object.entries(from).filter(([, value]) => value !== undefined && value !== ""))
  const processVariables = set(process.env)
  const other = (/** @type {string} */ name) => (name.endsWith("_FILE") ? name.slice(0, -5) : `${name}_FILE`)
  const fromFile = Object.fromEntries(
    Object.entries(existsSync(path) ? set(parseEnv(readFileSync(path, "utf8"))) : {}).filter(
      ([name]) => !(name in processVariables) && !(other(name) in processVariables)
    )
  )
  const merged = { ...fromFile, ...processVariables }
  // Chooses the form of lines before the files of settings are read, so that mistakes in them are reported in it.
  chooseForm(merged)
  const { env, files } = withFiles(merged, launcherNames(merged), home)
  chooseForm(env)
  const sources = Object.keys(env).map((name) => {
    if (name in files) return [name, `file ${files[name]}`]
    return [name, name in fromFile ? ".env" : "environment"]
  })
  return { env, sources: Object.fromEntries(sources) }
}

/** Problems of the names in `.env` (decisions P15). */
export const envFileProblems = () => {
  const path = join(home, ".env")
  return existsSync(path) ? namesProblems(readFileSync(path, "utf8")) : []
}

/** Variables for the launcher. Throws SettingsInvalid. */
export const readEnvironment = () => readSettings().env

/** Variable that tells `config print` where each variable came from, by name alone. */
const SOURCES = "MILLRACE_SOURCES"

/**
 * Variables for commands next to a running service.
 * @param {Record<string, string>} known what the running service tells, behind everything that is set
 * @returns {Record<string, string>}
 */
export const environmentWithSources = (known) => {
  const { env, sources } = readSettings()
  const serviceSources = Object.fromEntries(Object.keys(known).map((name) => [name, "running service"]))
  return { ...known, ...env, [SOURCES]: JSON.stringify({ DATA_DIR: "default", ...serviceSources, ...sources }) }
}

/** Origin shown for variables that the launcher sets itself. */
export const LAUNCHER = commandLine("start")

/**
 * Variable with the origins for the service: variables that nobody has set come from the launcher.
 * @param {Record<string, string>} env @returns {Record<string, string>}
 */
export const sourcesOf = (env) => {
  const launcherSources = Object.fromEntries(Object.keys(env).map((name) => [name, LAUNCHER]))
  return { [SOURCES]: JSON.stringify({ ...launcherSources, ...JSON.parse(env[SOURCES] ?? "{}") }) }
}

/** Data directory unless DATA_DIR is set: within the clone; a package has no folder of its own and uses the user's. */
const usualDataDir = () =>
  packaged ? join(process.env.XDG_DATA_HOME || join(homedir(), ".local", "share"), "millrace") : join(root, ".data")

/** @param {Record<string, string>} env */
export const dataDirOf = (env) => resolve(home, env["DATA_DIR"] ?? usualDataDir())

/** True if Temporal is configured, not embedded. @param {Record<string, string>} env */
export const ownTemporal = (env) =>
  ["TEMPORAL_ADDRESS", "TEMPORAL_CONFIG_FILE", "TEMPORAL_PROFILE"].some((name) => name in env)

/**
 * True if demo data, a demo person and the open address of the demo's receiver may exist. They are for trying things out: where both
 * databases are embedded, not in production, and not if switched off. Checked before the embedded parts are started.
 * @param {Record<string, string>} env
 */
export const mayDemo = (env) => {
  const demoMode = (env["DEMO"] ?? "on").toLowerCase()
  if (demoMode !== "on" && demoMode !== "off") throw new Error(`DEMO: expected on or off, found "${env["DEMO"]}"`)
  return demoMode === "on" && env["DATABASE_URL"] === undefined && !ownTemporal(env) && env["NODE_ENV"] !== "production"
}

/**
 * Address at which `npm run demo` receives webhooks, and which the service may then reach.
 * @param {Record<string, string>} env @returns {Record<string, string>} what to set
 */
export const demoReceiver = (env) => {
  if (!mayDemo(env)) return {}
  const receiver = env["DEMO_RECEIVER"] ?? "127.0.0.1:8099"
  return { DEMO_RECEIVER: receiver, OUTBOUND_ALLOW: [env["OUTBOUND_ALLOW"], receiver].filter(Boolean).join(",") }
}

/**
 * Makes a folder with its parents, one after another: if the system lets nobody make any, as below /proc, Node's own recursion never ends.
 * @param {string} dir
 */
const makeFolder = (dir) => {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true) return
  if (dirname(dir) !== dir) makeFolder(dirname(dir))
  mkdirSync(dir)
}

/** Makes the data directory accessible to its owner only, also if somebody else has made it. @param {string} dir */
export const makeDataDir = (dir) => {
  try {
    makeFolder(dir)
    accessSync(dir, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    throw new Error(`DATA_DIR: ${dir} cannot be made or written (${code}). Name a folder that you may write to.`)
  }
  // Leaves a mounted one alone that belongs to another user, who alone may change its mode.
  if (statSync(dir).uid === process.getuid?.()) chmodSync(dir, 0o700)
  for (const name of ["logs", "run", "temporal"]) mkdirSync(join(dir, name), { recursive: true, mode: 0o700 })
}

/** Reads a secret from a file of the data directory, and makes it on first use. @param {string} file @param {() => string} make */
const secret = (file, make) => {
  if (!existsSync(file)) writeWhole(file, `${make()}\n`)
  return readFileSync(file, "utf8").trim()
}

/** Key of the installation: 32 bytes, base64 (decisions P4). @param {string} dir */
export const secretKey = (dir) => secret(join(dir, "secret-key"), () => randomBytes(32).toString("base64"))

/** Password of the embedded Postgres' superuser. @param {string} dir */
export const postgresPassword = (dir) => secret(join(dir, "postgres-password"), () => randomBytes(24).toString("hex"))

/** Password of the role that the service works as. @param {string} dir */
export const servicePassword = (dir) =>
  secret(join(dir, "postgres-service-password"), () => randomBytes(24).toString("hex"))

/**
 * @typedef {object} State what `DATA_DIR/run/state.json` says
 * @property {import("./os.js").Identity} [launcher] the launcher that runs or ran here
 * @property {string} [baseUrl]
 * @property {Record<string, string>} [env] what the launcher passes to the service: addresses, the key
 * @property {Record<string, number>} [ports] of the embedded parts, kept from start to start when they are free
 * @property {boolean} [seeded] whether the demo data has been made and told
 */

/** @param {string} dir @returns {State} */
export const readState = (dir) => readJson(join(dir, "run", "state.json")) ?? {}

/** @param {string} dir @param {Partial<State>} change */
export const writeState = (dir, change) =>
  writeWhole(join(dir, "run", "state.json"), JSON.stringify({ ...readState(dir), ...change }, undefined, 2))

/** State of a service that runs now on this data directory. @param {string} dir @returns {State | undefined} */
export const runningState = (dir) => {
  const state = readState(dir)
  return state.launcher !== undefined && isAlive(state.launcher) ? state : undefined
}
