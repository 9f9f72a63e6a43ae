// Formats lines outside of the logger: before the configuration is read, after the logger has ended, and those of Node itself, its warnings
// and the error that ends the process. With LOG_FORMAT=json they have that form, too.
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

/** Logger for the time before and after the service; `pretty`: the logger for people. */
export const earlyLines = (role: string, pretty: Logger.Logger<unknown, unknown>) =>
  Logger.layer([isJson ? jsonLines(role) : pretty])

/** Reports in one message, to the person who started the process, why it does not start. */
export const reportRefusal = (message: string): Effect.Effect<void> =>
  isJson ? Effect.logFatal(message) : Console.error(`millrace: ${message}`)

/** Reports a step in the same form. */
export const reportStep = (message: string): Effect.Effect<void> =>
  isJson ? Effect.logInfo(message) : Console.log(`millrace: ${message}`)

/** Formats Node's warnings and uncaught errors, which Node writes in a form of its own. */
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
