// Lines before the configuration is read, after the logger is gone, and of those who know nothing of it: Node's warnings and what ends
// the process. With LOG_FORMAT=json they have that form, too.
import { Console, Effect, Logger } from "effect"
import { fromFile } from "../../../bin/parts/settings.js"
import { jsonLines } from "./logLine.ts"

const isJson = (() => {
  const { LOG_FORMAT: value, LOG_FORMAT_FILE: file } = process.env
  try {
    return (fromFile("LOG_FORMAT", value, file)?.value ?? value) === "json"
  } catch {
    return value === "json"
  }
})()

/** A logger for what is around the service; `pretty`: what it is where lines are for people. */
export const earlyLines = (role: string, pretty: Logger.Logger<unknown, unknown>) =>
  Logger.layer([isJson ? jsonLines(role) : pretty])

/** A reason in one message, for whoever started the process. */
export const refused = (message: string): Effect.Effect<void> =>
  isJson ? Effect.logFatal(message) : Console.error(`millrace: ${message}`)

/** A step, likewise. */
export const told = (message: string): Effect.Effect<void> =>
  isJson ? Effect.logInfo(message) : Console.log(`millrace: ${message}`)

/** Node writes its warnings, and an error that nobody caught, in a form of its own. */
export const ownNodeLines = (role: string): void => {
  if (!isJson) return
  const write = (line: Effect.Effect<void>) => Effect.runSync(Effect.provide(line, Logger.layer([jsonLines(role)])))
  process.removeAllListeners("warning")
  process.on("warning", (warning) => write(Effect.logWarning(`${warning.name}: ${warning.message}`)))
  process.on("uncaughtException", (error) => {
    write(Effect.logFatal("an error that nobody caught ends the process", error))
    process.exit(1)
  })
}
