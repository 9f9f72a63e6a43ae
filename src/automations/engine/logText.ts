// How a step's log entry is written: secrets out, large values cut with a mark (field notes; developer-api.md 7.11).
import type { LogMessage } from "./Step.ts"

const VALUE_AT_MOST = 2_000
const MESSAGE_AT_MOST = 4_000
const MESSAGES_AT_MOST = 200
const HIDDEN = "•••"

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).toWellFormed()}… (cut, ${text.length} characters in all)`

/** Short secrets would hide innocent text. */
const hide = (text: string, secrets: ReadonlySet<string>): string => {
  let shown = text
  for (const secret of secrets) if (secret.length >= 4) shown = shown.replaceAll(secret, HIDDEN)
  return shown
}

export const logMessages = (
  messages: ReadonlyArray<LogMessage>,
  secrets: ReadonlySet<string>
): ReadonlyArray<LogMessage> => {
  const kept = messages.slice(0, MESSAGES_AT_MOST).map(({ message, level }) => ({
    message: cut(hide(message, secrets).replaceAll("\u0000", "�"), MESSAGE_AT_MOST),
    level
  }))
  const rest = messages.length - kept.length
  return rest > 0 ? [...kept, { message: `… and ${rest} more messages`, level: "warn" }] : kept
}

/** Values small enough stay as they are, others become their text, cut. */
export const logValues = (
  values: ReadonlyMap<string, unknown>,
  secrets: ReadonlySet<string>
): Readonly<Record<string, unknown>> => {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of values) {
    const text = hide(JSON.stringify(value ?? null).replaceAll("\\u0000", "�"), secrets)
    shown[name] = text.length <= VALUE_AT_MOST ? JSON.parse(text) : cut(text, VALUE_AT_MOST)
  }
  return shown
}
