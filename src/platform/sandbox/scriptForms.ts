// Wraps a script's text in a function to be called (developer-api.md 8.1): running a script and checking its syntax compile the same text.

/** `sync`: one expression; `async`: a statement block with top-level `return` and `await`. */
export type ScriptMode = "sync" | "async"

/** Source without the semicolons and blanks at its end. */
export const trimmed = (source: string) => {
  let end = source.length
  while (end > 0 && /[\s;]/.test(source[end - 1]!)) end--
  return source.slice(0, end)
}
const expression = (source: string) => `(() => (\n${trimmed(source) || "undefined"}\n))`
const block = (source: string) => `(async () => {\n${source}\n})`

export const formOf = (mode: ScriptMode, source: string) => (mode === "sync" ? expression(source) : block(source))

export interface ScriptPosition {
  /** Line, from 1. */
  readonly line: number
  /** Column, from 1, in UTF-16 units. */
  readonly column: number
}

/** Fault of a text; the engine's position is in the form, which may be behind the text itself. */
export interface SyntaxFault {
  readonly message: string
  readonly position: ScriptPosition | null
}

/** Ends of lines, as the engine counts them. */
export const LINE_END = /\r\n|[\n\r\u2028\u2029]/

/** Returns the fault in the author's text: if the engine comes upon what the form adds, the text has ended too early. */
export const faultIn = (mode: ScriptMode, source: string, { message, position }: SyntaxFault): SyntaxFault => {
  const lines = (mode === "sync" ? trimmed(source) : source).split(LINE_END)
  if (position === null || position.line <= lines.length) return { message, position }
  const end = { line: lines.length, column: lines.at(-1)!.length + 1 }
  return { message: message.replace(/Unexpected token '[)}]'$/, "Unexpected end of input"), position: end }
}

/** The first line of the form is ours, and so is the line number that it takes. */
export const origin = { filename: "script", lineOffset: -1 }
