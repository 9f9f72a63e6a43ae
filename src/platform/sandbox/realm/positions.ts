// Finds where in the script an error was thrown, by its stack (developer-api.md 8.1): the first frame of the script itself. Frames of
// libraries and of the environment stand above it where these threw, or called the script back.
import type { ScriptPosition } from "../scriptForms.ts"
import * as p from "./primordials.ts"

/** More than the ten of the engine: a script's own frame may stand below many of a library. */
export const FRAMES_MOST = 100

const FRAME = "\n    at "
const inScript = /[ (]script:(\d{1,9}):(\d{1,9})\)?$/

/** @param message the error's, which its stack begins with and which may look like frames itself */
export const positionIn = (stack: string, message: string): ScriptPosition | null => {
  const messageStart = p.indexOf(stack, message)
  for (let from = p.indexOf(stack, FRAME, messageStart < 0 ? 0 : messageStart + message.length); from >= 0; ) {
    const end = p.indexOf(stack, "\n", from + 1)
    const frameMatch = p.matchOf(inScript, p.slice(stack, from, end < 0 ? stack.length : end))
    if (frameMatch !== null) return { line: p.NumberOf(frameMatch[1]), column: p.NumberOf(frameMatch[2]) }
    from = end < 0 ? -1 : p.indexOf(stack, FRAME, end)
  }
  return null
}

/** The frames of a stack, to stand below another message. */
export const framesOf = (stack: string): string => {
  const from = p.indexOf(stack, FRAME)
  return from < 0 ? "" : p.slice(stack, from)
}
