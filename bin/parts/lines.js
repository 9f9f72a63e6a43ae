// Writes the launcher's lines: for a person, or with LOG_FORMAT=json one object a line, as the service writes them
// (src/platform/telemetry/logLine.ts). All of its output to the terminal has this form.
import { createInterface } from "node:readline"

let json = process.env["LOG_FORMAT"] === "json"

/** Standard output is a command's answer alone where that is asked for as JSON. */
const isAnswerJson = process.argv.includes("--json")
const write = isAnswerJson ? console.error : console.log

/** Sets the form of lines. Call once the settings are known. @param {Record<string, string | undefined>} env */
export const chooseForm = (env) => {
  json = env["LOG_FORMAT"] === "json"
}

/** True if the lines are for machines. */
export const forMachines = () => json

/**
 * @typedef {"INFO" | "WARN" | "ERROR"} Level
 * @param {Level} level @param {string} role @param {string} message @param {Record<string, unknown>} [more]
 */
const object = (level, role, message, more) =>
  JSON.stringify({ timestamp: new Date().toISOString(), level, role, message: message.trim(), ...more })

/** Reports a step of the launcher. @param {string} message @param {Record<string, unknown>} [more] for machines */
export const say = (message, more) => write(json ? object("INFO", "launcher", message, more) : `millrace: ${message}`)

/**
 * Reports a problem that the launcher tolerates.
 * @param {string} message @param {(line: string) => void} [writeLine] where standard output is the answer of a command
 */
export const warn = (message, writeLine = write) =>
  writeLine(json ? object("WARN", "launcher", message) : `millrace: ${message}`)

/** Reports a problem that needs somebody's attention and does not end the launcher. @param {string} message */
export const alert = (message) =>
  console.error(json ? object("ERROR", "launcher", message) : `millrace: ALERT: ${message}`)

/** Reports the reason for which the launcher ends. @param {string} message */
export const fail = (message) => console.error(json ? object("ERROR", "launcher", message) : `\n${message}`)

/** Connection of a program's stream to the terminal: as it is, or for machines line by line (`relay`). @returns {"inherit" | "pipe" | 2} */
export const stream = () => (json ? "pipe" : isAnswerJson ? 2 : "inherit")

/**
 * Passes on the output of programs that know nothing of forms: warnings of Node, the last words of one that crashes, npm.
 * @param {import("node:stream").Readable | null} from null: it is inherited
 * @param {string} role @param {Level} level of lines that are no objects
 */
export const relay = (from, role, level) => {
  if (from === null) return
  createInterface({ input: from, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) => {
    if (line.trim() !== "") write(line.startsWith("{") ? line : object(level, role, line))
  })
}
