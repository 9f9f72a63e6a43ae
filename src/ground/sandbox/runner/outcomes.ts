// Outcome of an evaluation, from V8's errors or the realm's text, in the words and sizes of the protocol.
import { MANY_CHARS, MESSAGE_CHARS, type ScriptOutcome } from "../protocol.ts"

const line = /script:(\d+)/

const lineOf = (text: string): number | null => {
  const found = line.exec(text)
  return found === null ? null : Math.min(1e9, Math.max(1, Number(found[1])))
}

export const errorOf = (message: unknown, line: number | null): ScriptOutcome => ({
  kind: "error",
  message: `${message}`.slice(0, MESSAGE_CHARS),
  line
})

export const failureOf = (error: unknown): ScriptOutcome => {
  if (!(error instanceof Error)) return errorOf(String(error), null)
  if (/Isolate was disposed|memory limit/.test(error.message)) return { kind: "limit", limit: "memory" }
  const message = error.message.replace(/ \[<?script>?:\d+:\d+\]$/, "")
  return errorOf(`${error.name}: ${message}`, lineOf(`${error.message}\n${error.stack ?? ""}`))
}

export const outcomeOf = (text: unknown, most: number): ScriptOutcome => {
  if (typeof text !== "string" || text.length > most) return errorOf("RangeError: The result is too large", null)
  if (!text.startsWith('{"error"')) return { kind: "result", text }
  const { error } = JSON.parse(text) as { error: { message: string; stack: string } }
  return errorOf(error.message, lineOf(error.stack))
}

export const charsOf = (outcomes: ReadonlyArray<ScriptOutcome>) =>
  outcomes.reduce((sum, outcome) => sum + (outcome.kind === "result" ? outcome.text.length : 0), 0)

/** The first ones, as many as one answer holds. */
export const within = (outcomes: ReadonlyArray<ScriptOutcome>): Array<ScriptOutcome> => {
  let chars = 0
  const end = outcomes.findIndex((outcome) => {
    chars += charsOf([outcome])
    return chars >= MANY_CHARS
  })
  return outcomes.slice(0, end < 0 ? outcomes.length : end + 1)
}
