// A script's source, with a name for each reference, and the way back from a position in it to the text that its author wrote, in which a
// reference is one character, as in the console's editor (developer-api.md 8.1).
import { LINE_END, type ScriptPosition } from "./scriptForms.ts"

/** Text of the author, or the name that stands for a reference. */
type Piece = string | { readonly name: string }

const sourceOf = (piece: Piece) => (typeof piece === "string" ? piece : piece.name)

const authorPosition = (pieces: ReadonlyArray<Piece>, { column, line }: ScriptPosition): ScriptPosition => {
  let position = { line: 1, column: 1 }
  /** Characters that names on this line have beyond the one. */
  let more = 0
  for (const piece of pieces) {
    const lines = typeof piece === "string" ? piece.split(LINE_END) : [piece.name]
    const lastLine = lines.at(-1)!
    const end =
      lines.length === 1
        ? { line: position.line, column: position.column + lastLine.length }
        : { line: position.line + lines.length - 1, column: lastLine.length + 1 }
    if (end.line > line) break
    if (typeof piece !== "string" && end.line === line) {
      if (column < end.column) return { line, column: Math.min(column, position.column) - more }
      more += lastLine.length - 1
    } else if (lines.length > 1) more = 0
    position = end
  }
  return { line, column: position.line === line ? column - more : column }
}

export interface JoinedSource {
  readonly source: string
  /** Maps a position of the source to that in the author's text. */
  readonly positionOf: (position: ScriptPosition) => ScriptPosition
}

export const joined = (pieces: ReadonlyArray<Piece>): JoinedSource => ({
  source: pieces.map(sourceOf).join(""),
  positionOf: (position) => authorPosition(pieces, position)
})

/** Returns the words that follow a message. */
export const placeWords = (position: ScriptPosition | null): string =>
  position === null ? "" : ` (line ${position.line}, column ${position.column})`
