// The launcher's view of the surroundings: the clone, `.env`, the data directory, and the state file in it by which
// the other commands find a running service.
import { randomBytes } from "node:crypto"
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { isAlive, readJson, writeWhole } from "./os.js"

/** The clone. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[/\\]$/, "")

/** A step of the launcher, for the person in front of it. @param {string} message */
export const say = (message) => console.log(`millrace: ${message}`)

/**
 * `NAME=value` lines; `#` begins a comment, quotes are taken off.
 * @param {string} text @returns {Record<string, string>}
 */
export const parseEnv = (text) =>
  Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const found = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^#]*?))\s*(?:#.*)?$/.exec(line)
      return found === null ? [] : [[found[1], found[2] ?? found[3] ?? found[4] ?? ""]]
    })
  )

/** The environment over `.env`; an empty value counts as none. @returns {Record<string, string>} */
export const readEnvironment = () => {
  const file = join(root, ".env")
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {}
  const set = [fromFile, process.env].flatMap((from) => Object.entries(from).filter(([, value]) => value !== ""))
  return /** @type {Record<string, string>} */ (Object.fromEntries(set))
}

/** @param {Record<string, string>} env */
export const dataDirOf = (env) => resolve(root, env["DATA_DIR"] ?? ".data")

/**
 * Where `npm run demo` receives webhooks; the service may reach it, unless in production or with DEMO=off.
 * @param {Record<string, string>} env @returns {Record<string, string>} what to set
 */
export const demoReceiver = (env) => {
  if (env["DEMO"]?.toLowerCase() === "off" || env["NODE_ENV"] === "production") return {}
  const receiver = env["DEMO_RECEIVER"] ?? "127.0.0.1:8099"
  return { DEMO_RECEIVER: receiver, OUTBOUND_ALLOW: [env["OUTBOUND_ALLOW"], receiver].filter(Boolean).join(",") }
}

/** Creates the data directory, for its owner only. @param {string} dir */
export const makeDataDir = (dir) => {
  if (!existsSync(dir)) {
    mkdirSync(dir, { recursive: true })
    chmodSync(dir, 0o700)
  }
  for (const name of ["logs", "run", "temporal"]) mkdirSync(join(dir, name), { recursive: true, mode: 0o700 })
}

/**
 * A secret kept in a file of the data directory, made on first use.
 * @param {string} file @param {() => string} make
 */
const secret = (file, make) => {
  if (!existsSync(file)) writeWhole(file, `${make()}\n`)
  return readFileSync(file, "utf8").trim()
}

/** The installation's key: 32 bytes, base64 (decisions P4). @param {string} dir */
export const secretKey = (dir) => secret(join(dir, "secret-key"), () => randomBytes(32).toString("base64"))

/** The password of the embedded Postgres' superuser. @param {string} dir */
export const postgresPassword = (dir) => secret(join(dir, "postgres-password"), () => randomBytes(24).toString("hex"))

/** The password of the role that the service works as. @param {string} dir */
export const servicePassword = (dir) =>
  secret(join(dir, "postgres-service-password"), () => randomBytes(24).toString("hex"))

/**
 * @typedef {object} State what `DATA_DIR/run/state.json` says
 * @property {import("./os.js").Identity} [launcher] the launcher that runs or ran here
 * @property {string} [baseUrl]
 * @property {Record<string, string>} [env] what the launcher passes to the service: addresses, the key
 * @property {Record<string, number>} [ports] of the embedded parts, kept from start to start when they are free
 * @property {boolean} [seeded] whether the demo data has been made
 */

/** @param {string} dir @returns {State} */
export const readState = (dir) => readJson(join(dir, "run", "state.json")) ?? {}

/** @param {string} dir @param {Partial<State>} change */
export const writeState = (dir, change) =>
  writeWhole(join(dir, "run", "state.json"), JSON.stringify({ ...readState(dir), ...change }, undefined, 2))

/** The state of a service that runs now on this data directory. @param {string} dir @returns {State | undefined} */
export const runningState = (dir) => {
  const state = readState(dir)
  return state.launcher !== undefined && isAlive(state.launcher) ? state : undefined
}
