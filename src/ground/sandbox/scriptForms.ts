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

/** The first line of the form is ours, and so is the line number that it takes. */
export const origin = { filename: "script", lineOffset: -1 }
