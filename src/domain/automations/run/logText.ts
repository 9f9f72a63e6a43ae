// Formats the texts and values of a step's log entry: removes secrets and cuts large values with a mark (field notes; developer-api.md
// 7.11).
import { hide, shownJson } from "../../../platform/text/redaction.ts"
import type { LogMessage } from "../model/Step.ts"

const VALUE_AT_MOST = 2_000
const MESSAGE_AT_MOST = 4_000
const MESSAGES_AT_MOST = 200

/** Matches the escaped form of U+0000 in JSON, a character that Postgres text cannot hold. */
const escapedNul = /(?<!\\)((?:\\\\)*)\\u0000/g

const cut = (text: string, most: number, length = text.length): string =>
  length <= most ? text : `${text.slice(0, most).toWellFormed()}… (cut, ${length} characters in all)`

/** Formats one message, or the cause with which a step or run ends. */
export const logText = (message: string, secrets: ReadonlySet<string>): string =>
  cut(hide(message, secrets).replaceAll("\u0000", "�"), MESSAGE_AT_MOST)

export const logMessages = (
  messages: ReadonlyArray<LogMessage>,
  secrets: ReadonlySet<string>
): ReadonlyArray<LogMessage> => {
  const kept = messages
    .slice(0, MESSAGES_AT_MOST)
    .map(({ message, level }) => ({ message: logText(message, secrets), level }))
  const omittedCount = messages.length - kept.length
  return omittedCount > 0 ? [...kept, { message: `… and ${omittedCount} more messages`, level: "warn" }] : kept
}

const shownValue = (value: unknown, secrets: ReadonlySet<string>): unknown => {
  const { length, text, whole } = shownJson(value, secrets)
  const clean = text.replaceAll(escapedNul, "$1�")
  return whole && clean.length <= VALUE_AT_MOST ? JSON.parse(clean) : cut(clean, VALUE_AT_MOST, length)
}

/** Formats values for the log. Small values stay as they are, others become text, cut. It never fails, since it also reports failures. */
export const logValues = (
  values: ReadonlyMap<string, unknown>,
  secrets: ReadonlySet<string>
): Readonly<Record<string, unknown>> => {
  const shownValues: Record<string, unknown> = {}
  for (const [name, value] of values) {
    try {
      shownValues[name] = shownValue(value, secrets)
    } catch {
      shownValues[name] = "(cannot be shown)"
    }
  }
  return shownValues
}
