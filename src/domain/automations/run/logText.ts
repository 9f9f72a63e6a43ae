// How a step's log entry is written: secrets out, large values cut with a mark (field notes; developer-api.md 7.11).
import { hide, shownJson } from "../../../ground/text/redaction.ts"
import type { LogMessage } from "../model/Step.ts"

const VALUE_AT_MOST = 2_000
const MESSAGE_AT_MOST = 4_000
const MESSAGES_AT_MOST = 200

/** What no text of Postgres may hold, escaped in JSON. */
const escapedNul = /(?<!\\)((?:\\\\)*)\\u0000/g

const cut = (text: string, most: number, length = text.length): string =>
  length <= most ? text : `${text.slice(0, most).toWellFormed()}… (cut, ${length} characters in all)`

/** One message, or the cause with which a step or run ends. */
export const logText = (message: string, secrets: ReadonlySet<string>): string =>
  cut(hide(message, secrets).replaceAll("\u0000", "�"), MESSAGE_AT_MOST)

export const logMessages = (
  messages: ReadonlyArray<LogMessage>,
  secrets: ReadonlySet<string>
): ReadonlyArray<LogMessage> => {
  const kept = messages
    .slice(0, MESSAGES_AT_MOST)
    .map(({ message, level }) => ({ message: logText(message, secrets), level }))
  const rest = messages.length - kept.length
  return rest > 0 ? [...kept, { message: `… and ${rest} more messages`, level: "warn" }] : kept
}

const shownValue = (value: unknown, secrets: ReadonlySet<string>): unknown => {
  const { length, text, whole } = shownJson(value, secrets)
  const clean = text.replaceAll(escapedNul, "$1�")
  return whole && clean.length <= VALUE_AT_MOST ? JSON.parse(clean) : cut(clean, VALUE_AT_MOST, length)
}

/** Values small enough stay as they are, others become their text, cut. Nothing fails here: this tells what has failed. */
export const logValues = (
  values: ReadonlyMap<string, unknown>,
  secrets: ReadonlySet<string>
): Readonly<Record<string, unknown>> => {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of values) {
    try {
      shown[name] = shownValue(value, secrets)
    } catch {
      shown[name] = "(cannot be shown)"
    }
  }
  return shown
}
