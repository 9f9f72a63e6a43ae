// Outcome of an evaluation, from V8's errors or the realm's text, in the words and sizes of the protocol.
import { MANY_CHARS, MESSAGE_CHARS, type ScriptOutcome } from "../protocol.ts"
import { positionIn } from "../realm/positions.ts"
import type { ScriptPosition, SyntaxFault } from "../scriptForms.ts"

/** Text that follows the message of a script that does not parse. */
const syntaxPosition = / \[<?script>?:(\d{1,9}):(\d{1,9})\]$/

const bounded = (number: unknown): number => Math.min(1e9, Math.max(1, Number(number) || 1))

export const errorOf = (message: unknown, position: ScriptPosition | null): ScriptOutcome => ({
  kind: "error",
  message: `${message}`.slice(0, MESSAGE_CHARS),
  line: position === null ? null : bounded(position.line),
  column: position === null ? null : bounded(position.column)
})

/** Message of an error, and its place. */
export const faultOf = ({ message, name, stack = "" }: Error): SyntaxFault => {
  const positionMatch = syntaxPosition.exec(message)
  return positionMatch === null
    ? { message: `${name}: ${message}`, position: positionIn(stack, message) }
    : {
        message: `${name}: ${message.slice(0, positionMatch.index)}`,
        position: { line: Number(positionMatch[1]), column: Number(positionMatch[2]) }
      }
}

export const failureOf = (error: unknown): ScriptOutcome => {
  if (!(error instanceof Error)) return errorOf(String(error), null)
  if (/Isolate was disposed|memory limit/.test(error.message)) return { kind: "limit", limit: "memory" }
  const { message, position } = faultOf(error)
  return errorOf(message, position)
}

export const outcomeOf = (text: unknown, most: number): ScriptOutcome => {
  if (typeof text !== "string" || text.length > most) return errorOf("RangeError: The result is too large", null)
  if (!text.startsWith('{"error"')) return { kind: "result", text }
  const { column, line, message } = (
    JSON.parse(text) as { error: { message: string } & Record<keyof ScriptPosition, number | null> }
  ).error
  return errorOf(message, line === null || column === null ? null : { line, column })
}

export const charsOf = (outcomes: ReadonlyArray<ScriptOutcome>) =>
  outcomes.reduce((sum, outcome) => sum + (outcome.kind === "result" ? outcome.text.length : 0), 0)

/** The first ones, as many as one answer holds. */
export const firstWithinLimit = (outcomes: ReadonlyArray<ScriptOutcome>): Array<ScriptOutcome> => {
  let chars = 0
  const end = outcomes.findIndex((outcome) => {
    chars += charsOf([outcome])
    return chars >= MANY_CHARS
  })
  return outcomes.slice(0, end < 0 ? outcomes.length : end + 1)
}
