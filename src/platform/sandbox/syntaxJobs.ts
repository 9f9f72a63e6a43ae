// The program of the thread in which scripts are parsed, never run (decisions P8): by the engine that would run them.
import { Script } from "node:vm"
import { serve } from "../primitives/workerThreadJobs.ts"
import { type DroppedCall, droppedCalls } from "./droppedCalls.ts"
import { faultIn, formOf, origin, type ScriptMode, type SyntaxFault } from "./scriptForms.ts"

export interface ScriptText {
  readonly mode: ScriptMode
  readonly source: string
}

export interface ScriptFindings {
  /** Null where it parses. */
  readonly fault: SyntaxFault | null
  readonly dropped: ReadonlyArray<DroppedCall>
}

const MESSAGE_CHARS = 500

const compiled = (text: string, options: object): unknown => {
  try {
    void new Script(text, options)
    return undefined
  } catch (error) {
    return error
  }
}

/** V8 writes the line that it is about, and marks the place below it; behind the last character it leaves out the mark. */
const positionPattern = /^script:(\d+)\n.*\n([ \t]*)/

const toldOf = (error: unknown): SyntaxFault => {
  if (!(error instanceof Error)) return { message: String(error).slice(0, MESSAGE_CHARS), position: null }
  const positionMatch = positionPattern.exec(error.stack ?? "")
  return {
    message: `${error.name}: ${error.message}`.slice(0, MESSAGE_CHARS),
    position:
      positionMatch === null
        ? null
        : { line: Math.max(1, Number(positionMatch[1])), column: positionMatch[2]!.length + 1 }
  }
}

const faultOf = ({ mode, source }: ScriptText): SyntaxFault | null => {
  const error = compiled(formOf(mode, source), origin)
  if (error === undefined) return null
  // V8's own word for a `return` outside of a function, which the parentheses around an expression would hide.
  const plainError = mode === "sync" ? compiled(source, { ...origin, lineOffset: 0 }) : undefined
  return plainError instanceof Error && /Illegal return/.test(plainError.message)
    ? toldOf(plainError)
    : faultIn(mode, source, toldOf(error))
}

const findingsOf = (script: ScriptText): ScriptFindings => {
  const fault = faultOf(script)
  return { fault, dropped: fault === null && script.mode === "async" ? droppedCalls(script.source) : [] }
}

serve((scripts: ReadonlyArray<ScriptText>) => scripts.map(findingsOf))
