// Reads settings that src/platform/config/Config.ts does not know, and settings from files (decisions P2): NAME_FILE=/run/secrets/name
// instead of NAME. Plain JavaScript: the launcher reads settings before anything is installed.
import { readFileSync, statSync } from "node:fs"
import { resolve } from "node:path"

/** Largest file of a setting (bytes); the longest valid one is a chain of certificates. */
const FILE_MAX = 1_048_576

/** Settings read by the launcher, by the preparation of the database and by Temporal's own client configuration, with their defaults. */
export const ELSEWHERE = {
  PROCESSES: "1",
  PART_RESTART_SECONDS: "30",
  DATABASE_OWNER_URL: "",
  TEMPORAL_ADDRESS: "",
  TEMPORAL_NAMESPACE: "millrace",
  TEMPORAL_API_KEY: "",
  TEMPORAL_TLS: "",
  TEMPORAL_TLS_CLIENT_CERT_PATH: "",
  TEMPORAL_TLS_CLIENT_KEY_PATH: "",
  TEMPORAL_TLS_CLIENT_CERT_DATA: "",
  TEMPORAL_TLS_CLIENT_KEY_DATA: "",
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: "",
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: "",
  TEMPORAL_TLS_SERVER_NAME: "",
  TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: "",
  TEMPORAL_CONFIG_FILE: "",
  TEMPORAL_PROFILE: "",
  DEMO: "on",
  DEMO_RECEIVER: "127.0.0.1:8099"
}

/** Variables that the launcher gives to each of several processes (processes.js). Nobody sets them, and they are not shown. */
export const OF_PROCESSES = ["PROCESS_NUMBER", "PROCESS_PORTS"]

/** Settings of Config.ts that the launcher reads as well, because it acts on them. */
const ALSO = [
  "BASE_URL",
  "DATABASE_URL",
  "DATA_DIR",
  "HOST",
  "LOG_FORMAT",
  "OUTBOUND_ALLOW",
  "PORT",
  "ROLE",
  "SECRET_KEY",
  "SHUTDOWN_DELAY_SECONDS"
]

/** Names of headers for Temporal, of which any may be set. @param {Record<string, string | undefined>} env */
const headers = (env) =>
  Object.keys(env)
    .filter((name) => name.startsWith("TEMPORAL_GRPC_META_"))
    .map((name) => name.replace(/_FILE$/, ""))

/** @param {Record<string, string | undefined>} env */
export const temporalNames = (env) => [
  ...Object.keys(ELSEWHERE).filter((name) => name.startsWith("TEMPORAL_")),
  ...headers(env)
]

/** @param {Record<string, string | undefined>} env */
export const launcherNames = (env) => [
  ...new Set([...Object.keys(ELSEWHERE), ...ALSO, "TEMPORAL_UI_URL", ...headers(env)])
]

/** Addresses that listen on all of the machine's, which no client can connect to, by their loopback address. */
const ANY = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["[::]", "[::1]"]
])

/**
 * Origin of a listening address, as browsers write it; of all addresses, the loopback one.
 * @param {string} host @param {string | number} port
 */
export const originOf = (host, port) => {
  const text = `http://${host.includes(":") ? `[${host}]` : host}:${port}`
  // Text that is neither host nor port stays: the service refuses it by name.
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.hostname = ANY.get(url.hostname) ?? url.hostname
  return url.origin
}

/** Problems of settings, one a line. */
export class SettingsInvalid extends Error {
  /** @param {ReadonlyArray<string>} problems */
  constructor(problems) {
    super(
      `The configuration has ${problems.length} mistake(s):\n${problems.map((problem) => `  - ${problem}`).join("\n")}`
    )
    this.problems = problems
  }
}

/** @param {string} name @param {string} file */
const contentOf = (name, file) => {
  /** @param {string} why */
  const wrong = (why) => new SettingsInvalid([`${name}_FILE: ${file} ${why}`])
  try {
    const stats = statSync(file)
    if (!stats.isFile()) throw wrong("is no regular file")
    if (stats.size > FILE_MAX) throw wrong(`is longer than ${FILE_MAX} bytes`)
    const text = readFileSync(file, "utf8").replace(/\r?\n$/, "")
    if (text === "") throw wrong("is empty")
    return text
  } catch (error) {
    if (error instanceof SettingsInvalid) throw error
    throw wrong(`cannot be read (${/** @type {NodeJS.ErrnoException} */ (error).code})`)
  }
}

/**
 * Content of the file that NAME_FILE names; undefined if it names none. Throws SettingsInvalid.
 * @param {string} name @param {string | undefined} value of NAME itself @param {string | undefined} given value of NAME_FILE
 * @param {string} [folder] where a relative path begins
 */
export const fromFile = (name, value, given, folder = ".") => {
  if (given === undefined || given === "") return undefined
  if (value !== undefined && value !== "")
    throw new SettingsInvalid([`${name} and ${name}_FILE are both set: keep one of them`])
  const file = resolve(folder, given)
  return { file, value: contentOf(name, file) }
}

/**
 * Environment with the named settings taken from their files.
 * @param {Record<string, string | undefined>} env @param {ReadonlyArray<string>} names @param {string} [folder]
 * @returns {{ env: Record<string, string>, files: Record<string, string> }} files: from which one each came
 */
export const withFiles = (env, names, folder) => {
  const valuesByName = /** @type {Record<string, string>} */ (
    Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
  )
  /** @type {Record<string, string>} */
  const files = {}
  /** @type {string[]} */
  const problems = []
  for (const name of names) {
    try {
      const fileSetting = fromFile(name, env[name], env[`${name}_FILE`], folder)
      if (fileSetting === undefined) continue
      valuesByName[name] = fileSetting.value
      files[name] = fileSetting.file
      delete valuesByName[`${name}_FILE`]
    } catch (error) {
      if (!(error instanceof SettingsInvalid)) throw error
      problems.push(...error.problems)
    }
  }
  if (problems.length > 0) throw new SettingsInvalid(problems)
  return { env: valuesByName, files }
}
